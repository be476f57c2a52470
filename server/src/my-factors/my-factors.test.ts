// What an owner does with an authenticator app, recovery codes and trusted devices, and what each change completes.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import {
  createTestAccounts,
  type TestAccount,
  type TestAccounts,
  type TestOwner,
} from '../../test/support/accounts.ts';
import { enrollApp } from '../../test/support/factors.ts';
import { ISSUER, startTestService, type TestService, USER_PASSWORD } from '../../test/support/service.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { Tx } from '../storage/database.ts';
import { createCompleteEnrollment } from './complete-enrollment.ts';
import { createMyFactors, type MyFactors } from './my-factors.ts';

const WRONG = 'not the password at all';
const KINDS = { passkeys: true, authenticator: true, trustedDeviceDays: 30, requireForPermissions: false };
const origin = { ipAddress: null, userAgent: 'test', frontEnd: 'default-app' };

describe('the owner of second factors', () => {
  let test: TestService;
  let accounts: TestAccounts;
  let mine: MyFactors;
  let person: TestAccount;
  let owner: TestOwner;
  let heard: Occurrence[];
  let entries: number[];
  let changes: string[];

  before(async () => {
    test = await startTestService('sqlite');
    accounts = await createTestAccounts(test);
    const { accountFactors, events } = test.service;
    const completeChange: typeof accountFactors.completeChange = async (tx, account, change) => {
      changes.push(`${change} of ${account.userName}`);
      await accountFactors.completeChange(tx, account, change);
    };
    const completeEnrollment = createCompleteEnrollment(test.service);
    const given = { ...test.service, accountFactors: { ...accountFactors, completeChange }, completeEnrollment };
    mine = createMyFactors({ ...given, issuer: ISSUER });
    events.subscribe((occurrence, entry) => {
      heard.push(occurrence);
      entries.push(entry);
    });
    await test.set('Latchkey.Factors', KINDS);
  });
  after(() => test.close());
  beforeEach(async () => {
    person = await accounts.add();
    owner = await accounts.signIn(person);
    [heard, entries, changes] = [[], [], []];
  });

  const signInWithBoth = () => accounts.signIn(person, { amr: ['pwd', 'otp', 'mfa'] });
  const within = <Result>(work: (tx: Tx) => Promise<Result>) => test.service.database.transaction(work);
  const recorded = () =>
    heard.map(({ action, outcome, user, origin: from }) => {
      assert.deepEqual([user, from], [{ id: person.id, name: person.userName }, origin]);
      return `${action.name} ${outcome}`;
    });
  const codesLeft = async () => (await mine.read(owner)).recoveryCodesLeft;
  const begin = (password = USER_PASSWORD) => mine.beginAuthenticator(owner, password, origin);
  const codeOf = (secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: test.clock.now() });
  const switchApp = (authenticator: boolean) => test.set('Latchkey.Factors', { ...KINDS, authenticator });
  const disabled = { reason: 'factor.disabled', status: 400 };
  const incorrect = { reason: 'password.incorrect', status: 400 };

  it('reads their state', async () => {
    const { authenticator, recoveryCodesLeft, mustEnroll } = await mine.read(owner);
    assert.deepEqual([authenticator, recoveryCodesLeft, mustEnroll], [undefined, 0, false]);
    await assert.rejects(mine.read({ ...owner, accountId: 0 }), { reason: 'account.notFound', status: 404 });
  });

  it('sets up an app with a code of it, and gets recovery codes', async () => {
    await assert.rejects(begin(WRONG), incorrect);
    assert.deepEqual(recorded(), ['factor.authenticatorEnrolled refused']);
    [heard, entries] = [[], []];
    const { operationId, secret, uri } = await begin();
    assert.match(uri, new RegExp(`^otpauth://totp/localhost(:|%3A)8080:${person.userName}\\?`));
    const wrong = { operationId, code: 'x' };
    await assert.rejects(mine.confirmAuthenticator(owner, wrong, origin), { reason: 'factor.invalid', status: 400 });
    await assert.rejects(mine.confirmAuthenticator(owner, wrong, origin), { reason: 'factor.invalid', status: 400 });
    const refused = ['factor.authenticatorEnrolled refused', 'factor.authenticatorEnrolled refused'];
    assert.deepEqual([recorded(), changes, await codesLeft()], [refused, [], 0]);
    assert.equal(new Set(entries).size, 1, 'a repetition makes no entry of its own');
    heard = [];
    const again = await begin();
    const superseded = { operationId, code: codeOf(secret) };
    await assert.rejects(mine.confirmAuthenticator(owner, superseded, origin), {
      reason: 'factor.enrollmentEnded',
      status: 400,
    });
    assert.deepEqual(
      heard.splice(0).map(({ reason }) => reason),
      ['factor.enrollmentEnded'],
    );
    const right = { operationId: again.operationId, code: codeOf(again.secret) };
    assert.notEqual(again.secret, secret);
    const codes = await mine.confirmAuthenticator(owner, right, origin);
    assert.deepEqual([codes.length, await codesLeft()], [10, 10]);
    assert.ok((await mine.read(owner)).authenticator);
    assert.deepEqual(recorded(), ['factor.authenticatorEnrolled success']);
    assert.deepEqual(changes, [`authenticatorEnrolled of ${person.userName}`]);
  });

  it('sets up no app that the settings switch off', async () => {
    const { operationId, secret } = await begin();
    await switchApp(false);
    await assert.rejects(begin(), disabled);
    const right = { operationId, code: codeOf(secret) };
    await assert.rejects(mine.confirmAuthenticator(owner, right, origin), disabled);
    await switchApp(true);
    assert.equal((await mine.confirmAuthenticator(owner, right, origin)).length, 10);
  });

  it('ends the restriction of the session to enrolling, and other sessions with it', async () => {
    const { sessions } = test.service;
    const [here, elsewhere] = [
      await accounts.signIn(person, { mustEnroll: true }),
      await accounts.signIn(person, { mustEnroll: true }),
    ];
    const { operationId, secret } = await begin();
    await mine.confirmAuthenticator(here, { operationId, code: codeOf(secret) }, origin);
    assert.equal((await sessions.check(here.token)).mustEnroll, false);
    await assert.rejects(sessions.check(elsewhere.token), { reason: 'token.revoked' });
  });

  it('removes the app with the password, and its recovery codes go too', async () => {
    await enrollApp(test, person);
    owner = await signInWithBoth();
    await within((tx) => test.service.recoveryCodes.replace(tx, person.id));
    await assert.rejects(mine.removeAuthenticator(owner, WRONG, origin), incorrect);
    assert.deepEqual([await codesLeft(), changes], [10, []]);
    heard = [];
    await mine.removeAuthenticator(owner, USER_PASSWORD, origin);
    assert.deepEqual([(await mine.read(owner)).authenticator, await codesLeft()], [undefined, 0]);
    await mine.removeAuthenticator(owner, USER_PASSWORD, origin);
    assert.deepEqual(recorded(), ['factor.authenticatorRemoved success'], 'a second time changes nothing');
    assert.deepEqual(changes, [`authenticatorRemoved of ${person.userName}`]);
  });

  it('replaces the recovery codes with the password, while there is a factor', async () => {
    const replace = (password = USER_PASSWORD) => mine.replaceRecoveryCodes(owner, password, origin);
    await assert.rejects(replace(), { reason: 'factor.notEnrolled', status: 400 });
    assert.deepEqual([recorded(), changes, await codesLeft()], [['factor.recoveryCodesReplaced refused'], [], 0]);
    await enrollApp(test, person);
    await assert.rejects(replace(), { reason: 'factor.secondFactorRequired', status: 403 });
    owner = await signInWithBoth();
    await assert.rejects(replace(WRONG), incorrect);
    heard = [];
    const codes = await replace();
    assert.deepEqual([codes.length, await codesLeft()], [10, 10]);
    assert.deepEqual(recorded(), ['factor.recoveryCodesReplaced success']);
    assert.deepEqual(changes, [`recoveryCodesReplaced of ${person.userName}`]);
  });

  it('removes a trusted device of the account, and no other', async () => {
    const { trustedDevices, database } = test.service;
    const stranger = await accounts.signIn(await accounts.add());
    heard = [];
    await within((tx) => trustedDevices.trust(tx, person.id, origin));
    const [{ id } = assert.fail()] = await trustedDevices.list(database.sql, person.id);
    const notFound = { reason: 'factor.deviceNotFound', status: 404 };
    await assert.rejects(mine.removeTrustedDevice(stranger, id, origin), notFound);
    assert.deepEqual(recorded(), []);
    await mine.removeTrustedDevice(owner, id, origin);
    assert.deepEqual(await trustedDevices.list(database.sql, person.id), []);
    assert.deepEqual([recorded(), changes], [['factor.trustedDeviceRemoved success'], []]);
  });
});
