// Owner verification: the password or a recent authentication, and what a change that was proven finds of the account.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  createTestAccounts,
  type TestAccount,
  type TestAccounts,
  type TestOwner,
} from '../../test/support/accounts.ts';
import { enrollApp } from '../../test/support/factors.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../../test/support/service.ts';
import { type Account, newAccount } from '../accounts/index.ts';
import { factorErrors } from '../factors/index.ts';
import type { Tx } from '../storage/database.ts';
import { Refusal } from './attempts.ts';
import { createOwnerVerification } from './owner-verification.ts';

const WRONG = 'not the password at all';
const MAX_FAILURES = 5;
const origin = { ipAddress: null, userAgent: null, frontEnd: 'default-app' };
const attempt = { action: { name: 'test', description: '' }, origin };

describe('an owner who changes what protects the account', () => {
  let test: TestService;
  let accounts: TestAccounts;
  let person: TestAccount;
  let owner: TestOwner;
  let verification: TestService['service']['ownerVerification'];

  before(async () => {
    test = await startTestService('sqlite');
    accounts = await createTestAccounts(test);
    verification = test.service.ownerVerification;
  });
  after(() => test.close());
  beforeEach(async () => {
    person = await accounts.add();
    owner = await accounts.signIn(person);
  });

  const within = <Result>(work: (tx: Tx) => Promise<Result>) => test.service.database.transaction(work);
  const refusedWith = (reason: string, status: number) => ({ name: 'AuthError', reason, status });
  const incorrect = refusedWith('password.incorrect', 400);
  const unconfirmed = refusedWith('factor.secondFactorRequired', 403);
  const notProven = refusedWith('factor.reauthenticationRequired', 403);
  const nameOf = async (_: Tx, { userName }: Account) => userName;
  const prove = (password: string | null | undefined, by = owner, whenProven = nameOf) =>
    verification.withProvenOwner(by, { ...attempt, password }, whenProven);
  const refuse = async () => new Refusal(factorErrors.notEnrolled());
  const end = (by: TestOwner) => within((tx) => test.service.sessions.end(tx, by.accountId, by.sessionId));
  const isLocked = async () => (await test.service.lockouts.readLocks([`account:${person.id}`])).size > 0;
  /** Adds an account for which a person has chosen no password. */
  async function addWithoutPassword(): Promise<TestAccount> {
    const { accounts: store, database, clock } = test.service;
    const userName = `external${person.id}`;
    const input = { ...newAccount(userName, {}), passwordHash: null };
    return { id: (await store.add(database.sql, input, clock.now())) ?? assert.fail(), userName };
  }

  it('proves it with the right password only', async () => {
    test.clock.advance(300);
    assert.equal(await prove(USER_PASSWORD), person.userName);
    await assert.rejects(prove(WRONG), incorrect);
    for (const password of [null, undefined, '']) await assert.rejects(prove(password), notProven);
  });

  it('is locked out by wrong passwords, with a status at which clients stay signed in', async () => {
    for (let turn = 1; turn < MAX_FAILURES; turn += 1) await assert.rejects(prove(WRONG), incorrect);
    await assert.rejects(prove(WRONG), refusedWith('signIn.lockedOut', 400));
    await assert.rejects(prove(USER_PASSWORD), refusedWith('signIn.lockedOut', 400));
    assert.equal(await isLocked(), true);
    const plain = verification.withVerifiedOwner(owner, { ...attempt, password: USER_PASSWORD }, nameOf);
    await assert.rejects(plain, refusedWith('signIn.lockedOut', 401));
  });

  it('needs no password for five minutes after the session used a passkey', async () => {
    const withPasskey = await accounts.signIn(person, { passkeyId: 'key' });
    test.clock.advance(299.999);
    assert.equal(await prove(null, withPasskey), person.userName);
    await assert.rejects(prove(null), notProven);
    test.clock.advance(0.001);
    await assert.rejects(prove(null, withPasskey), notProven);
  });

  it('needs no password for five minutes after a sign-in to an account without a chosen one', async () => {
    person = await addWithoutPassword();
    owner = await accounts.signIn(person);
    test.clock.advance(299.999);
    assert.equal(await prove(null), person.userName);
    test.clock.advance(0.001);
    await assert.rejects(prove(null), notProven);
  });

  it('needs a second factor of the last five minutes in this session, if the account has an offered one', async () => {
    const factors = { passkeys: false, authenticator: true, trustedDeviceDays: 0, requireForPermissions: false };
    const strong = await accounts.signIn(person, { amr: ['pwd', 'otp', 'mfa'] });
    const enrolledAt = test.clock.now();
    await enrollApp(test, person);
    const ways: ((by: TestOwner) => Promise<unknown>)[] = [
      (by) => prove(USER_PASSWORD, by),
      (by) => verification.verify(by, { ...attempt, password: USER_PASSWORD }),
      (by) => verification.withVerifiedOwner(by, { ...attempt, password: USER_PASSWORD }, nameOf),
    ];
    for (const way of ways) await way(owner);
    await test.set('Latchkey.Factors', factors);
    for (const way of ways) await assert.rejects(way(owner), unconfirmed);
    await assert.rejects(prove(WRONG), incorrect);
    const exempt = { ...attempt, password: USER_PASSWORD, needsFactor: false } as const;
    assert.equal(await verification.withProvenOwner(owner, exempt, nameOf), person.userName);
    await assert.rejects(prove(null, strong), notProven);
    test.clock.advance(299.999 - (test.clock.now() - enrolledAt) / 1000);
    for (const way of ways) await way(strong);
    test.clock.advance(0.001);
    for (const way of ways) await assert.rejects(way(strong), unconfirmed);
    await test.set('Latchkey.Factors', { ...factors, authenticator: false });
  });

  it('completes a change with the second factor of five minutes before the change began', async () => {
    const strong = await accounts.signIn(person, { amr: ['pwd', 'otp', 'mfa'] });
    const account = (await test.service.accounts.find(person.id)) ?? assert.fail();
    const isRequired = (earlierSeconds?: number) =>
      within((tx) => verification.requireSecondFactor(tx, strong, account, earlierSeconds));
    await test.set('Latchkey.Factors', {
      passkeys: false,
      authenticator: true,
      trustedDeviceDays: 0,
      requireForPermissions: false,
    });
    assert.equal(await isRequired(), false);
    const signedInAt = test.clock.now();
    await enrollApp(test, person);
    test.clock.advance(359.999 - (test.clock.now() - signedInAt) / 1000);
    await assert.rejects(isRequired(), unconfirmed);
    assert.equal(await isRequired(60), true);
    test.clock.advance(0.001);
    await assert.rejects(isRequired(60), unconfirmed);
  });

  it('needs more than a passkey that was no second factor, if the account has one', async () => {
    await test.set('Latchkey.Factors', {
      passkeys: false,
      authenticator: true,
      trustedDeviceDays: 0,
      requireForPermissions: false,
    });
    await enrollApp(test, person);
    await assert.rejects(prove(null, await accounts.signIn(person, { passkeyId: 'key' })), unconfirmed);
    const both = await accounts.signIn(person, { passkeyId: 'key', amr: ['pop', 'user', 'mfa'] });
    assert.equal(await prove(null, both), person.userName);
  });

  it('changes nothing from a session that has ended', async () => {
    const withPasskey = await accounts.signIn(person, { passkeyId: 'key' });
    for (const by of [owner, withPasskey]) {
      await end(by);
      await assert.rejects(prove(USER_PASSWORD, by), refusedWith('token.revoked', 401));
      await assert.rejects(prove(null, by), refusedWith('token.revoked', 401));
      await assert.rejects(
        within((tx) => verification.requireOwner(tx, by)),
        refusedWith('token.revoked', 401),
      );
    }
  });

  it('gets the refusal of the change, which is undone', async () => {
    const withPasskey = await accounts.signIn(person, { passkeyId: 'key' });
    for (const [password, by] of [
      [USER_PASSWORD, owner],
      [null, withPasskey],
    ] as const) {
      const refused = verification.withProvenOwner(by, { ...attempt, password }, refuse);
      await assert.rejects(refused, refusedWith('factor.notEnrolled', 400));
    }
    const undone = prove(null, withPasskey, async (tx) => {
      await test.service.accounts.setActive(tx.sql, person.id, false);
      throw factorErrors.notEnrolled();
    });
    await assert.rejects(undone, refusedWith('factor.notEnrolled', 400));
    assert.equal((await test.service.accounts.find(person.id))?.isActive, true);
  });

  it('does not complete a change when the password was changed or the account deactivated meanwhile', async () => {
    const { accounts: store, database, clock } = test.service;
    const verified = () => verification.verify(owner, { ...attempt, password: USER_PASSWORD });
    const require = (known: Awaited<ReturnType<typeof verified>>) =>
      within((tx) => verification.requireUnchanged(tx, known));
    const known = await verified();
    assert.deepEqual([known.owner, known.account.id], [owner, person.id]);
    assert.equal((await require(known)).userName, person.userName);
    await store.setPassword(database.sql, person.id, { hash: 'another', mustChange: false }, clock.now());
    await assert.rejects(require(known), incorrect);
    const { version: passwordVersion } = (await store.findCredential(person.id)) ?? assert.fail();
    assert.equal((await require({ ...known, passwordVersion })).userName, person.userName);
    await store.setActive(database.sql, person.id, false);
    const { version } = (await store.findCredential(person.id)) ?? assert.fail();
    await assert.rejects(require({ ...known, passwordVersion: version }), incorrect);
  });

  it('learns of a new password before the end of the session, and of the end otherwise', async () => {
    const known = await verification.verify(owner, { ...attempt, password: USER_PASSWORD });
    await end(owner);
    const require = (passwordVersion: number) =>
      within((tx) => verification.requireUnchanged(tx, { ...known, passwordVersion }));
    await assert.rejects(require(known.passwordVersion), refusedWith('token.revoked', 401));
    await assert.rejects(require(known.passwordVersion + 1), incorrect);
  });

  it('is told when the account is gone', async () => {
    const gone = { ...owner, accountId: 0, authorize: async () => [] };
    const notFound = refusedWith('account.notFound', 404);
    await assert.rejects(prove(USER_PASSWORD, gone), notFound);
    await assert.rejects(
      within((tx) => verification.requireOwner(tx, gone)),
      notFound,
    );
  });

  it('is told when the account goes while it is read', async () => {
    const { accounts: store } = test.service;
    const deleting = { ...test.service, accounts: { ...store, findCredential: async () => undefined } };
    const verified = createOwnerVerification(deleting).verify(owner, { ...attempt, password: USER_PASSWORD });
    await assert.rejects(verified, refusedWith('account.notFound', 404));
  });
});
