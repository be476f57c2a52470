// The methods of codes, of an authenticator app and of recovery: whom they are for, and what their attempt does.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestAccounts, type TestAccount, type TestAccounts } from '../../test/support/accounts.ts';
import { enrollApp } from '../../test/support/factors.ts';
import { startTestService, type TestService } from '../../test/support/service.ts';
import type { Account } from '../accounts/index.ts';
import type { AuthenticationMethod } from '../authentication/index.ts';
import type { NotifyOwner } from '../owner-notices/index.ts';
import type { Tx } from '../storage/database.ts';
import { createAuthenticatorMethod } from './authenticator.ts';
import { createRecoveryCodeMethod } from './recovery-code.ts';

const origin = { ipAddress: null, userAgent: null, frontEnd: 'default-app' };
const kinds = { passkeys: true, authenticator: true, trustedDeviceDays: 0, requireForPermissions: false };

describe('a code as the second factor', () => {
  let test: TestService;
  let accounts: TestAccounts;
  let own: TestAccount;
  let other: TestAccount;
  let locked: number[];
  /** What owners were told: their id, and how many codes are left. */
  let told: [number, string][];
  let authenticator: AuthenticationMethod<string>;
  let recoveryCode: AuthenticationMethod<string>;

  before(async () => {
    test = await startTestService('sqlite');
    accounts = await createTestAccounts(test);
    const { accounts: store } = test.service;
    const findForUpdate: typeof store.findForUpdate = async (on, id) => {
      locked.push(id);
      return store.findForUpdate(on, id);
    };
    const notifyOwner: NotifyOwner = async (_tx, { id }, _message, { values } = {}) => {
      told.push([id, String(values?.left)]);
    };
    const deps = { ...test.service, accounts: { ...store, findForUpdate }, notifyOwner };
    authenticator = createAuthenticatorMethod(deps);
    recoveryCode = createRecoveryCodeMethod(deps);
  });
  after(() => test.close());
  beforeEach(async () => {
    [locked, told] = [[], []];
    [own, other] = [await accounts.add(), await accounts.add()];
  });

  const within = <Result>(work: (tx: Tx) => Promise<Result>) => test.service.database.transaction(work);
  const find = async ({ id }: TestAccount): Promise<Account> => (await test.service.accounts.find(id)) ?? assert.fail();
  const isEnrolled = (method: AuthenticationMethod<string>, { id }: TestAccount) =>
    within(async (tx) => method.isEnrolled?.(tx, (await test.service.accounts.findIn(tx.sql, id)) ?? assert.fail()));
  async function answer(method: AuthenticationMethod<string>, code: string, account = own) {
    const found = (await method.find(code, origin, await find(account))) ?? assert.fail();
    assert.deepEqual([found.account?.id, found.subject], [account.id, `factors:${account.id}`]);
    const verified = await method.verify(found);
    return (await within((tx) => method.redeem(tx, verified))).proof;
  }
  it('of an app is right once, for its account', async () => {
    assert.equal(await isEnrolled(authenticator, own), false);
    const next = await enrollApp(test, own);
    assert.deepEqual([await isEnrolled(authenticator, own), await isEnrolled(authenticator, other)], [true, false]);
    const code = next();
    assert.equal(await answer(authenticator, code, other), 'wrong');
    assert.deepEqual([await answer(authenticator, code), await answer(authenticator, code)], ['right', 'wrong']);
  });

  it('of an app is offered while the settings say so', async () => {
    const { isOffered } = test.service.secondFactors;
    assert.equal(isOffered(authenticator), false);
    await test.set('Latchkey.Factors', kinds);
    assert.equal(isOffered(authenticator), true);
    await test.set('Latchkey.Factors', { ...kinds, authenticator: false });
    assert.equal(isOffered(authenticator), false);
  });

  it('of recovery is right once, for its account, which has it as long as one is left', async () => {
    assert.equal(await isEnrolled(recoveryCode, own), false);
    const codes = await within((tx) => test.service.recoveryCodes.replace(tx, own.id));
    const [first = '', ...others] = codes;
    assert.equal(await answer(recoveryCode, first, other), 'wrong');
    assert.deepEqual([await answer(recoveryCode, first), await answer(recoveryCode, first)], ['right', 'wrong']);
    assert.deepEqual(told, [[own.id, '9']]);
    const last = others.pop() ?? '';
    for (const code of others) assert.equal(await answer(recoveryCode, code), 'right');
    assert.equal(await isEnrolled(recoveryCode, own), true);
    assert.equal(await answer(recoveryCode, last), 'right');
    assert.equal(await isEnrolled(recoveryCode, own), false);
  });

  it('of recovery is offered whatever the settings say, and only replaces another factor', () => {
    assert.deepEqual([test.service.secondFactors.isOffered(recoveryCode), recoveryCode.isFallback], [true, true]);
  });

  it('that no code can be is not compared', async () => {
    await enrollApp(test, own);
    await within((tx) => test.service.recoveryCodes.replace(tx, own.id));
    for (const [method, text] of [
      [authenticator, '12345'],
      [recoveryCode, '12345-1234'],
    ] as const) {
      locked = [];
      assert.equal(await answer(method, text), 'unchecked', method.name);
      assert.deepEqual(locked, []);
    }
  });

  it('is never a first factor', async () => {
    for (const method of [authenticator, recoveryCode]) {
      await assert.rejects(async () => method.find('123456', origin), { reason: 'factor.invalid', status: 401 });
    }
  });

  it('is compared while its account is locked, so that of parallel answers one is right', async () => {
    assert.equal(await answer(authenticator, '000000'), 'wrong');
    assert.equal(await answer(recoveryCode, '00000-00000'), 'wrong');
    assert.deepEqual(locked, [own.id, own.id]);
  });
});
