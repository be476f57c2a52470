// The passkey method: whom an answer is for, whose lock counts it, and what each outcome means.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestAccounts, type TestAccount, type TestAccounts } from '../../test/support/accounts.ts';
import { createDevice, type Device, enrollPasskey, type ForgedAssertion } from '../../test/support/passkeys.ts';
import { startTestService, type TestService } from '../../test/support/service.ts';
import type { AuthenticationMethod } from '../authentication/index.ts';
import type { GivenAssertion } from '../factors/index.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { Tx } from '../storage/database.ts';
import { createPasskeyMethod } from './passkey.ts';

const origin = { ipAddress: null, userAgent: null, frontEnd: 'default-app' };
const kinds = { passkeys: true, authenticator: false, trustedDeviceDays: 0, requireForPermissions: false };
const USER_PRESENT = 1;

describe('the answer of a passkey', () => {
  let test: TestService;
  let accounts: TestAccounts;
  let method: AuthenticationMethod<GivenAssertion>;
  let own: TestAccount;
  let other: TestAccount;
  let device: Device;
  let passkey: string;
  let statements: string[];

  before(async () => {
    test = await startTestService('sqlite');
    accounts = await createTestAccounts(test);
    const { accounts: store } = test.service;
    const find: typeof store.find = async (id) => {
      statements.push(`read ${id}`);
      return store.find(id);
    };
    const findForUpdate: typeof store.findForUpdate = async (on, id) => {
      statements.push(`lock ${id}`);
      return store.findForUpdate(on, id);
    };
    method = createPasskeyMethod({ ...test.service, accounts: { ...store, find, findForUpdate } });
    await test.set('Latchkey.Factors', kinds);
  });
  after(() => test.close());
  beforeEach(async () => {
    statements = [];
    [own, other] = [await accounts.add(), await accounts.add()];
    device = createDevice();
    passkey = await enrollPasskey(test.service, device, own.id);
  });

  const within = <Result>(work: (tx: Tx) => Promise<Result>) => test.service.database.transaction(work);
  async function sign(forgery: ForgedAssertion = {}, on = device): Promise<GivenAssertion> {
    return { purpose: 'sign-in', ...on.forge(await test.service.passkeys.beginSignIn(), forgery) };
  }
  async function signFor({ id: accountId }: TestAccount, forgery: ForgedAssertion = {}): Promise<GivenAssertion> {
    const purpose = 'second-factor';
    const begun = await test.service.passkeys.beginAssertion({ purpose, accountId });
    return { purpose, ...device.forge(begun ?? assert.fail(), forgery) };
  }
  async function find(given: GivenAssertion, challenged?: TestAccount) {
    const account = challenged && (await test.service.accounts.find(challenged.id));
    return (await method.find(given, origin, account)) ?? assert.fail();
  }
  async function answer(given: GivenAssertion, challenged?: TestAccount) {
    const verified = await method.verify(await find(given, challenged));
    return within((tx) => method.redeem(tx, verified));
  }

  it('signs in to the account of the passkey, as two factors', async () => {
    const given = await sign();
    const { account, subject, details } = await find(given);
    assert.deepEqual([account?.id, subject, details], [own.id, `account:${own.id}`, { passkey }]);
    const right = { proof: 'right', amr: ['user'], isMultiFactor: true, passkeyId: passkey };
    assert.deepEqual(await answer(given), right);
  });

  it('proves possession alone, as a second factor without verification of the user', async () => {
    const given = await signFor(own, { flags: USER_PRESENT });
    const { account, subject, details } = await find(given, own);
    assert.deepEqual([account?.id, subject, details], [own.id, `factors:${own.id}`, { passkey }]);
    const right = { proof: 'right', amr: [], isMultiFactor: false, passkeyId: passkey };
    assert.deepEqual(await answer(given, own), right);
  });

  it('is wrong for another account than the challenged one', async () => {
    await enrollPasskey(test.service, createDevice(), other.id);
    const given = await signFor(own);
    const { account, subject, details } = await find(given, other);
    assert.deepEqual([account?.id, subject, details], [other.id, `factors:${other.id}`, { passkey: null }]);
    assert.deepEqual(await answer(given, other), { proof: 'wrong' });
    assert.equal((await answer(given, own)).proof, 'right');
  });

  it('of an unknown passkey is wrong, and locks that passkey only', async () => {
    const stranger = createDevice();
    await enrollPasskey(test.service, stranger, other.id);
    await within((tx) => test.service.passkeys.removeAll(tx, other.id));
    const given = await sign({}, stranger);
    const { account, subject, details } = await find(given);
    const mac = test.service.secrets.mac('passkey', given.credential.id);
    assert.deepEqual([account, subject, details], [undefined, `unknown:${mac}`, { passkey: null }]);
    assert.deepEqual(await answer(given), { proof: 'wrong' });
  });

  it('is wrong for a forged signature, and uses nothing up', async () => {
    const given = await sign();
    const forged = await sign({ breakSignature: true });
    assert.deepEqual(await answer(forged), { proof: 'wrong' });
    assert.equal((await answer(given)).proof, 'right');
  });

  it('is not compared a second time', async () => {
    const given = await sign();
    assert.equal((await answer(given)).proof, 'right');
    assert.deepEqual(await answer(given), { proof: 'unchecked' });
  });

  it('is wrong and recorded when the counter has not risen, and only wrong when the passkey is gone', async () => {
    const heard: Occurrence[] = [];
    test.service.events.subscribe((occurrence) => heard.push(occurrence));
    assert.equal((await answer(await sign({ signCount: 7 }))).proof, 'right');
    assert.equal(heard.length, 0);
    assert.deepEqual(await answer(await sign({ signCount: 7 })), { proof: 'wrong' });
    const [{ action, ...behind } = assert.fail(), ...more] = heard;
    const user = { id: own.id, name: own.userName };
    const refused = { outcome: 'refused', reason: 'factor.invalid', user, origin, details: { passkey } };
    assert.deepEqual([action.name, behind, more], ['signIn.passkeyCounterBehind', refused, []]);
    const verified = await method.verify(await find(await sign({ signCount: 8 })));
    await within((tx) => test.service.passkeys.remove(tx, own.id, passkey));
    assert.deepEqual([await within((tx) => method.redeem(tx, verified)), heard.length], [{ proof: 'wrong' }, 1]);
  });

  it('is settled while its account is locked, and costs the same without one', async () => {
    const [given, unknown] = [await sign(), await sign({ id: 'AAAA' })];
    await answer(given);
    await answer(unknown);
    assert.deepEqual(statements, [`read ${own.id}`, `lock ${own.id}`, 'read 0', 'lock 0']);
  });

  it('is a factor of accounts that have a passkey', async () => {
    const isEnrolled = ({ id }: TestAccount) =>
      within(async (tx) => method.isEnrolled?.(tx, (await test.service.accounts.findIn(tx.sql, id)) ?? assert.fail()));
    assert.deepEqual([await isEnrolled(own), await isEnrolled(other)], [true, false]);
    await enrollPasskey(test.service, createDevice(), own.id);
    assert.equal(await isEnrolled(own), true);
  });

  it('is refused while the settings switch passkeys off', async () => {
    const given = await sign();
    assert.equal(test.service.secondFactors.isOffered(method), true);
    await test.set('Latchkey.Factors', { ...kinds, passkeys: false });
    assert.equal(test.service.secondFactors.isOffered(method), false);
    await assert.rejects(find(given), { reason: 'factor.disabled', status: 400 });
    await test.set('Latchkey.Factors', kinds);
    assert.equal((await answer(given)).proof, 'right');
  });
});
