// Account factors: what a change of factors ends, what a reset removes, and who must enroll.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestAccounts, type TestAccounts } from '../../test/support/accounts.ts';
import { enrollApp } from '../../test/support/factors.ts';
import { createDevice, enrollPasskey } from '../../test/support/passkeys.ts';
import { startTestService, type TestService } from '../../test/support/service.ts';
import type { Account } from '../accounts/index.ts';
import { factorSettings } from '../factors/index.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { factorsSubject } from '../lockout/index.ts';
import type { Tx } from '../storage/database.ts';
import { createAccountFactors, type FactorChange, factorChanges } from './account-factors.ts';

const KINDS = { passkeys: true, authenticator: true, trustedDeviceDays: 30, requireForPermissions: false };
const LOCK = { enabled: true, maxFailures: 1, seconds: 300 };

describe('the factors of an account', () => {
  let test: TestService;
  let accounts: TestAccounts;
  let account: Account;
  let factors: ReturnType<typeof createAccountFactors>;
  let told: [number, string][];
  let counted: number[];
  /** The accounts whose sessions by a passkey were ended. */
  let ended: number[];
  let values = KINDS;
  /** The front ends that require a second factor. */
  let requiring: string[] = [];

  before(async () => {
    test = await startTestService('sqlite');
    accounts = await createTestAccounts(test);
    await test.set('Latchkey.Factors', KINDS);
    const clerk = { name: 'Clerk', grantedPermissions: ['Pages.Users'] };
    await test.post('/api/services/app/Role/Create', { token: await test.admin(), body: clerk });
    const read = ({ name }: { name: string }, frontEnd = '') => {
      if (name === factorSettings.name) return values;
      return requiring.includes(frontEnd) ? 'required' : 'optional';
    };
    factors = createAccountFactors({
      ...test.service,
      // They read these two settings only.
      settings: { read } as SettingReader,
      async notifyOwner(_tx, { id }, _message, { values } = {}) {
        told.push([id, String(values?.change)]);
      },
      countChange: async (_tx, id) => void counted.push(id),
      sessions: { ...test.service.sessions, endOpenedByPasskey: async (_tx, id) => void ended.push(id) },
    });
  });
  after(() => test.close());
  beforeEach(async () => {
    account = await add();
    [told, counted, ended] = [[], [], []];
    [values, requiring] = [KINDS, []];
  });

  const within = <Result>(work: (tx: Tx) => Promise<Result>) => test.service.database.transaction(work);
  const add = async (roleNames?: string[]) =>
    (await test.service.accounts.find((await accounts.add(roleNames)).id)) ?? assert.fail();
  const set = (more: object) => {
    values = { ...KINDS, ...more };
  };
  const read = (of = account) => factors.read(test.service.database.sql, of);
  const mustEnroll = async (of = account) => (await read(of)).mustEnroll;
  const addPasskey = () => enrollPasskey(test.service, createDevice(), account.id);
  const addCodes = () => within((tx) => test.service.recoveryCodes.replace(tx, account.id));
  const addApp = () => enrollApp(test, account);

  it('must be enrolled where a front end requires one, until the account has one that is switched on', async () => {
    assert.equal(await mustEnroll(), false);
    requiring = ['default-app'];
    assert.equal(await mustEnroll(), true);
    await addPasskey();
    assert.equal(await mustEnroll(), false);
    set({ passkeys: false });
    assert.equal(await mustEnroll(), true);
    await addApp();
    assert.equal(await mustEnroll(), false);
    set({ passkeys: false, authenticator: false });
    assert.equal(await mustEnroll(), false);
    set({ authenticator: false });
    assert.equal(await mustEnroll(), false);
  });

  it('must be an app where passkeys are switched off, and a passkey where the app is', async () => {
    requiring = ['default-app'];
    await addApp();
    assert.equal(await mustEnroll(), false);
    set({ authenticator: false });
    assert.equal(await mustEnroll(), true);
  });

  it('must be enrolled by accounts with permissions where the settings say so', async () => {
    const clerk = await add(['Clerk']);
    assert.deepEqual([await mustEnroll(), await mustEnroll(clerk)], [false, false]);
    set({ requireForPermissions: true });
    assert.deepEqual([await mustEnroll(), await mustEnroll(clerk)], [false, true]);
  });

  it('are told as they are', async () => {
    assert.deepEqual(await read(), {
      authenticator: undefined,
      passkeys: [],
      onlyFormerPasskeys: false,
      recoveryCodesLeft: 0,
      trustedDevices: [],
      mustEnroll: false,
    });
    await addPasskey();
    await addCodes();
    const { passkeys, recoveryCodesLeft } = await read();
    assert.deepEqual([passkeys.length, recoveryCodesLeft], [1, 10]);
  });

  it('tell of passkeys that belong to a former address, unless an app can take their place', async () => {
    await addPasskey();
    assert.equal((await read()).onlyFormerPasskeys, false);
    const { sql } = test.service.database;
    await sql.updateTable('passkey').set({ rp_id: 'former.example' }).where('account_id', '=', account.id).execute();
    assert.equal((await read()).onlyFormerPasskeys, true);
    set({ passkeys: false });
    assert.equal((await read()).onlyFormerPasskeys, false);
    set({});
    await addApp();
    assert.equal((await read()).onlyFormerPasskeys, false);
  });

  it('end what was begun and remembered when they change, and the owner learns it', async () => {
    const { factorOperations, trustedDevices } = test.service;
    const origin = { ipAddress: null, userAgent: null, frontEnd: 'default-app' };
    await addPasskey();
    await addCodes();
    const operation = await within((tx) => factorOperations.begin(tx, 'register-passkey', account.id, 'content'));
    await within((tx) => trustedDevices.trust(tx, account.id, origin));
    await within((tx) => factors.completeChange(tx, account, 'passkeyRegistered'));
    assert.equal(await factorOperations.find(operation, 'register-passkey', account.id), undefined);
    const { trustedDevices: left, recoveryCodesLeft } = await read();
    assert.deepEqual([left, recoveryCodesLeft], [[], 10]);
    assert.deepEqual(told, [[account.id, factorChanges.passkeyRegistered]]);
  });

  it('are counted when one is added, and not when one goes', async () => {
    const added = ['authenticatorEnrolled', 'passkeyRegistered', 'recoveryCodesReplaced'];
    for (const change of Object.keys(factorChanges) as FactorChange[]) {
      counted = [];
      await within((tx) => factors.completeChange(tx, account, change));
      assert.deepEqual(counted, added.includes(change) ? [account.id] : [], change);
    }
  });

  it('take the recovery codes with the last one', async () => {
    await addCodes();
    await within((tx) => factors.completeChange(tx, account, 'authenticatorRemoved'));
    assert.equal((await read()).recoveryCodesLeft, 0);
  });

  it('are all removed by a reset, which ends the lock by wrong ones', async () => {
    const { lockouts } = test.service;
    await addPasskey();
    await addApp();
    await addCodes();
    const subject = factorsSubject(account.id);
    const held = await lockouts.reserve(subject, LOCK);
    assert.ok(!('lockedUntil' in held));
    assert.ok(await within((tx) => lockouts.fail(tx, held, LOCK)));
    const reset = () => within((tx) => factors.reset(tx, account));
    assert.equal(await reset(), true);
    assert.deepEqual(ended, [account.id]);
    const { authenticator, passkeys, recoveryCodesLeft } = await read();
    assert.deepEqual([authenticator, passkeys, recoveryCodesLeft], [undefined, [], 0]);
    assert.equal((await lockouts.readLocks([subject])).size, 0);
    assert.deepEqual(told, [[account.id, factorChanges.reset]]);
    assert.equal(await reset(), false);
    assert.deepEqual(
      told,
      [[account.id, factorChanges.reset]],
      'the owner is not told of a reset that removed nothing',
    );
  });
});
