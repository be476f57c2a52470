// What an owner does with passkeys, and what each change completes.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  createTestAccounts,
  type TestAccount,
  type TestAccounts,
  type TestOwner,
} from '../../test/support/accounts.ts';
import { createDevice, enrollPasskey } from '../../test/support/passkeys.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../../test/support/service.ts';
import type { Occurrence } from '../foundation/events.ts';
import { type CompleteEnrollment, createCompleteEnrollment } from './complete-enrollment.ts';
import { createMyPasskeys, type MyPasskeys } from './my-passkeys.ts';

const WRONG = 'not the password at all';
const KINDS = { passkeys: true, authenticator: true, trustedDeviceDays: 0, requireForPermissions: false };
const origin = { ipAddress: null, userAgent: 'test', frontEnd: 'default-app' };
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

describe('the owner of passkeys', () => {
  let test: TestService;
  let accounts: TestAccounts;
  let mine: MyPasskeys;
  let person: TestAccount;
  let owner: TestOwner;
  let heard: Occurrence[];
  let changes: string[];
  let endings: object[];
  let maySignIn = true;
  let completeEnrollment: CompleteEnrollment;

  before(async () => {
    test = await startTestService('sqlite');
    accounts = await createTestAccounts(test);
    const { accountFactors, events } = test.service;
    const completeChange: typeof accountFactors.completeChange = async (tx, account, change) => {
      changes.push(`${change} of ${account.userName}`);
      await accountFactors.completeChange(tx, account, change);
    };
    completeEnrollment = createCompleteEnrollment(test.service);
    const given = { ...test.service, completeEnrollment };
    mine = createMyPasskeys({
      ...given,
      accountFactors: { ...accountFactors, completeChange },
      canSignIn: async () => maySignIn,
      sessions: {
        ...test.service.sessions,
        endOpenedByPasskey: async (_, id, which) => void endings.push({ id, ...which }),
      },
    });
    events.subscribe((occurrence) => heard.push(occurrence));
    await test.set('Latchkey.Factors', KINDS);
  });
  after(() => test.close());
  beforeEach(async () => {
    person = await accounts.add();
    owner = await accounts.signIn(person, { amr: ['pwd', 'otp', 'mfa'] });
    [heard, changes, endings] = [[], [], []];
    maySignIn = true;
  });

  const recorded = () =>
    heard.map(({ action, outcome, user, origin: from, details }) => {
      assert.deepEqual([user, from], [{ id: person.id, name: person.userName }, origin]);
      return [`${action.name} ${outcome}`, details];
    });
  const list = () => test.service.passkeys.list(test.service.database.sql, person.id);
  const names = async () => (await list()).map(({ name }) => name);
  const begin = (password = USER_PASSWORD) => mine.beginRegistration(owner, password, origin);
  const answer = async (device = createDevice()) => device.create(await begin());
  const register = (given: Awaited<ReturnType<typeof answer>>, name = 'phone', by = owner) =>
    mine.register(by, { ...given, name }, origin);
  const enroll = () => enrollPasskey(test.service, createDevice(), person.id);
  const switchPasskeys = (passkeys: boolean) => test.set('Latchkey.Factors', { ...KINDS, passkeys });
  const disabled = { reason: 'factor.disabled', status: 400 };
  const incorrect = { reason: 'password.incorrect', status: 400 };
  const invalid = { reason: 'factor.invalid', status: 400 };
  const ended = { reason: 'factor.enrollmentEnded', status: 400 };
  const notFound = { reason: 'passkey.notFound', status: 404 };

  it('registers one with the password, under a name', async () => {
    await assert.rejects(begin(WRONG), incorrect);
    assert.deepEqual(recorded(), [['factor.passkeyRegistered refused', undefined]]);
    heard = [];
    const { operationId, options } = await begin();
    assert.deepEqual(
      [options.rp.name, options.user.name, options.user.displayName],
      ['Latchkey', person.userName, 'Per Son'],
    );
    const { passkey } = await register(createDevice().create({ operationId, options }));
    assert.deepEqual([passkey.name, await list().then(([stored]) => stored?.id)], ['phone', passkey.id]);
    assert.deepEqual(recorded(), [['factor.passkeyRegistered success', { passkey: passkey.id }]]);
    assert.deepEqual(changes, [`passkeyRegistered of ${person.userName}`]);
  });

  it('gets recovery codes with the first one, and none while some are left', async () => {
    const first = await register(await answer());
    assert.equal(first.recoveryCodes?.length, 10);
    const second = await register(await answer());
    assert.equal('recoveryCodes' in second, false);
    const { recoveryCodes, database } = test.service;
    for (const code of first.recoveryCodes.slice(1)) {
      await database.transaction((tx) => recoveryCodes.use(tx, person.id, code));
    }
    assert.equal('recoveryCodes' in (await register(await answer())), false, 'one code is left');
    assert.equal(await recoveryCodes.count(database.sql, person.id), 1);
  });

  it('registers none by a wrong or used answer, or twice', async () => {
    const device = createDevice();
    const superseded = await answer(device);
    const { operationId } = await begin();
    await assert.rejects(register({ operationId, credential: superseded.credential }), invalid);
    assert.deepEqual([await names(), changes, recorded()], [[], [], [['factor.passkeyRegistered refused', undefined]]]);
    const right = await answer(device);
    const stranger = await accounts.signIn(await accounts.add());
    await assert.rejects(register(right, 'phone', stranger), ended);
    await register(right);
    await assert.rejects(register(right), ended);
    const begun = await begin();
    const again = device.forgeRegistration(begun, right.credential, {});
    await assert.rejects(mine.register(owner, { ...again, name: 'again' }, origin), {
      reason: 'passkey.duplicate',
      status: 409,
    });
    assert.deepEqual([await names(), changes.length], [['phone'], 1]);
  });

  it('registers none beyond the most that an account can have, also if another one came between', async () => {
    const given = await answer();
    const { passkeys } = test.service;
    const full = { ...passkeys, beginRegistration: async () => undefined, register: async () => 'tooMany' as const };
    const { beginRegistration, register: complete } = createMyPasskeys({
      ...test.service,
      completeEnrollment,
      passkeys: full,
    });
    const tooMany = { reason: 'passkey.tooMany', status: 400 };
    await assert.rejects(beginRegistration(owner, USER_PASSWORD, origin), tooMany);
    await assert.rejects(complete(owner, { ...given, name: 'late' }, origin), tooMany);
  });

  it('registers none while the settings switch them off', async () => {
    const given = await answer();
    await switchPasskeys(false);
    await assert.rejects(begin(), disabled);
    await assert.rejects(register(given), disabled);
    await switchPasskeys(true);
    assert.equal((await register(given)).passkey.name, 'phone');
  });

  it('ends the restriction of the session to enrolling, and other sessions with it', async () => {
    const { sessions } = test.service;
    const [here, elsewhere] = [
      await accounts.signIn(person, { mustEnroll: true }),
      await accounts.signIn(person, { mustEnroll: true }),
    ];
    await register(await answer(), 'phone', here);
    assert.equal((await sessions.check(here.token)).mustEnroll, false);
    await assert.rejects(sessions.check(elsewhere.token), { reason: 'token.revoked' });
  });

  it('takes a name that people can see, without the spaces around it', async () => {
    const given = await answer();
    const blank = { reason: 'request.invalid', status: 400 };
    for (const name of [' ', '\t', '\u3000\u00a0', '\u200b\u2060', '\u2800', '\u3164']) {
      await assert.rejects(register(given, name), blank, JSON.stringify(name));
    }
    const { passkey } = await register(given, '  my phone 📱 ');
    assert.equal(passkey.name, 'my phone 📱');
    await assert.rejects(mine.rename(owner, { id: passkey.id, name: ' ' }, origin), blank);
    await mine.rename(owner, { id: passkey.id, name: ' laptop' }, origin);
    assert.deepEqual(await names(), ['laptop']);
  });

  it('renames one of the account, which changes no factor', async () => {
    const id = await enroll();
    const stranger = await accounts.signIn(await accounts.add());
    heard = [];
    await assert.rejects(mine.rename(owner, { id: UNKNOWN, name: 'laptop' }, origin), notFound);
    await assert.rejects(mine.rename(stranger, { id, name: 'laptop' }, origin), notFound);
    assert.deepEqual(recorded(), []);
    await mine.rename(owner, { id, name: 'laptop' }, origin);
    assert.deepEqual(await names(), ['laptop']);
    assert.deepEqual([recorded(), changes], [[['factor.passkeyRenamed success', { passkey: id }]], []]);
    await mine.rename(owner, { id, name: ' laptop ' }, origin);
    assert.equal(heard.length, 1, 'the same name is no change');
  });

  it('removes one of the account with the password', async () => {
    const [id, kept] = [await enroll(), await enroll()];
    const remove = (one: string, password = USER_PASSWORD) => mine.remove(owner, { id: one, password }, origin);
    await assert.rejects(remove(id, WRONG), incorrect);
    await assert.rejects(remove(UNKNOWN), notFound);
    assert.deepEqual([(await list()).length, changes], [2, []]);
    maySignIn = false;
    await assert.rejects(remove(id), { reason: 'passkey.lastWayToSignIn' });
    assert.deepEqual([(await list()).length, changes, endings], [2, [], []]);
    [heard, maySignIn] = [[], true];
    await remove(id);
    assert.deepEqual(endings, [{ id: person.id, passkeyId: id, except: owner.sessionId }]);
    assert.deepEqual(
      (await list()).map((passkey) => passkey.id),
      [kept],
    );
    assert.deepEqual(recorded(), [['factor.passkeyRemoved success', { passkey: id }]]);
    assert.deepEqual(changes, [`passkeyRemoved of ${person.userName}`]);
  });
});
