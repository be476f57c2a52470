// The authentication flow, with factors whose outcomes are given: challenges, trusted devices, and what a sign-in records.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestAccounts, type TestAccounts } from '../../test/support/accounts.ts';
import { claimsOf } from '../../test/support/forge.ts';
import { startTestService, type TestService } from '../../test/support/service.ts';
import type { Account } from '../accounts/index.ts';
import { factorErrors, factorSettings, secondFactorSetting } from '../factors/index.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { SettingDefinition } from '../foundation/setting.ts';
import { accountSubject, factorsSubject } from '../lockout/index.ts';
import type { Tx } from '../storage/database.ts';
import { createAuthenticationCore } from './core.ts';
import { signInErrors } from './declarations.ts';
import type { AuthenticationMethod, Factor, Identified, Outcome, RightProof } from './method.ts';
import type { SignInResult } from './sign-in-result.ts';
import { createLoginFlowStore } from './store.sql.ts';

const BATCH = 500;
const MAX_FAILURES = 5;
const KINDS = { passkeys: true, authenticator: true, trustedDeviceDays: 30, requireForPermissions: false };
const origin = { ipAddress: null, userAgent: 'test', frontEnd: 'default-app' };
const right = { proof: 'right' } as const;
const wrong = { proof: 'wrong' } as const;

/** A proof with a given outcome. `account` is the challenged one unless it is given. */
type Given = {
  outcome: Outcome;
  account?: Account | undefined;
  details?: Identified['details'];
  /** Runs while the proof is checked, before the transaction. */
  meanwhile?: () => Promise<unknown>;
  /** Runs while the proof is compared, in the transaction. */
  during?: (tx: Tx) => Promise<unknown>;
};

type Found = Identified & Given;

describe('the authentication flow', () => {
  let test: TestService;
  let accounts: TestAccounts;
  let core: ReturnType<typeof createAuthenticationCore>;
  let account: Account;
  let isEnrolled: boolean;
  let isOffered: boolean;
  /** Whether the account has two second factors. */
  let hasTwo: boolean;
  let heard: Occurrence[];
  /** What a sign-in does to its account, in order. */
  let steps: string[];
  let isDeleting: boolean;
  let requirement: 'optional' | 'required';

  const method = (name: string, amr: string, more: Partial<Factor & Pick<AuthenticationMethod, 'wrong'>> = {}) =>
    ({
      name,
      amr,
      action: { name: `test.${name}`, description: '' },
      wrong: signInErrors.invalidCredentials,
      async find(given, _, challenged) {
        const of = 'account' in given ? given.account : challenged;
        const { details } = given;
        return { ...given, account: of, subject: accountSubject(of?.id ?? 0), ...(details && { details }) };
      },
      async verify(found) {
        await found.meanwhile?.();
        return found;
      },
      async redeem(tx, { outcome, during }) {
        steps.push('compare');
        await during?.(tx);
        return outcome;
      },
      ...more,
    }) satisfies AuthenticationMethod<Given, Found, Found>;
  const first = method('first', 'pwd');
  const second = method('second', 'otp', {
    wrong: factorErrors.invalid,
    isEnrolled: async () => isEnrolled,
    kind: 'passkeys',
  });

  const third = method('third', 'pop', { isEnrolled: async () => hasTwo, kind: 'passkeys' });

  before(async () => {
    test = await startTestService('sqlite');
    accounts = await createTestAccounts(test);
    await test.set('Latchkey.Factors', KINDS);
    const { accounts: store, events, settings } = test.service;
    const read = (definition: SettingDefinition, frontEnd?: string) => {
      if (definition.name === factorSettings.name) return { ...KINDS, passkeys: isOffered };
      return definition.name === secondFactorSetting.name ? requirement : settings.read(definition, frontEnd);
    };
    core = createAuthenticationCore({
      ...test.service,
      // The test gives the values of two settings.
      settings: { ...settings, read } as typeof settings,
      accounts: {
        ...store,
        async findForUpdate(on, id) {
          steps.push('lock');
          return store.findForUpdate(on, id);
        },
        findCredential: async (id, on) => (isDeleting ? undefined : store.findCredential(id, on)),
      },
    });
    for (const one of [first, second, third]) core.secondFactors.register(one);
    events.subscribe((occurrence) => heard.push(occurrence));
  });
  after(() => test.close());
  beforeEach(async () => {
    [isEnrolled, isOffered, hasTwo, isDeleting, requirement] = [true, true, false, false, 'optional'];
    account = (await test.service.accounts.find((await accounts.add()).id)) ?? assert.fail();
    [heard, steps] = [[], []];
  });

  const signIn = (outcome: Outcome = right, more: Partial<Given> = {}, device?: string, by = first, from = origin) =>
    core.authentication.signIn(by, { account, ...more, outcome }, from, device);
  const answer = (
    token: string,
    outcome: Outcome = right,
    {
      by = second,
      from = origin,
      ...more
    }: Partial<Given> & { by?: typeof first; from?: typeof origin; trustsDevice?: boolean } = {},
  ) => {
    const { trustsDevice, ...given } = more;
    const answered = { token, given: { ...given, outcome }, ...(trustsDevice !== undefined && { trustsDevice }) };
    return core.authentication.answerChallenge(by, answered, from);
  };
  function signedIn(result: SignInResult | undefined) {
    assert.ok(result && 'signedIn' in result, 'not signed in');
    return result.signedIn;
  }
  function challengeIn(result: SignInResult | undefined): string {
    assert.ok(result && 'challenge' in result, 'not challenged');
    assert.deepEqual(result.challenge.methods, ['second']);
    return result.challenge.token;
  }
  const challenge = async (outcome?: Outcome, more?: Partial<Given>) => challengeIn(await signIn(outcome, more));
  const recorded = () =>
    heard.map(({ action, outcome, reason, details, user }) => ({
      ...details,
      what: action.name,
      outcome,
      reason,
      user: user?.id,
    }));
  const readVersion = async () => (await test.service.accounts.findCredential(account.id))?.version ?? assert.fail();
  const changePassword = () =>
    test.service.accounts.setPassword(
      test.service.database.sql,
      account.id,
      { hash: 'new', mustChange: false },
      test.clock.now(),
    );
  const deactivate = () => test.service.accounts.setActive(test.service.database.sql, account.id, false);
  const invalid = { name: 'AuthError', reason: 'signIn.invalidCredentials' };
  const invalidFactor = { name: 'AuthError', reason: 'factor.invalid' };
  const over = { name: 'AuthError', reason: 'factor.challengeInvalid' };
  const notActive = { name: 'AuthError', reason: 'signIn.notActive' };
  const lockedOut = { name: 'AuthError', reason: 'signIn.lockedOut' };

  it('signs in with one factor an account that has no other', async () => {
    isEnrolled = false;
    const { accessToken, ...rest } = signedIn(await signIn(right, { details: { provider: 'Acme' } }));
    const { amr, acr, client_id } = claimsOf(accessToken);
    assert.deepEqual([amr, acr, client_id], [['pwd'], 'aal1', 'default-app']);
    for (const member of ['requiredFactorEnrollment', 'trustedDevice']) assert.equal(member in rest, false, member);
    const entry = { what: 'test.first', outcome: 'success', reason: undefined, user: account.id };
    assert.deepEqual(recorded(), [{ ...entry, provider: 'Acme' }]);
    signedIn(await signIn());
    assert.equal(heard.at(-1)?.details, undefined);
    const [session] = await test.service.sessions.listOpen(account.id);
    assert.equal(session?.passkeyUsedAt, null);
  });

  it('names a method by itself in the token if it is no registered one', async () => {
    isEnrolled = false;
    const custom = method('custom', 'not read');
    assert.deepEqual(claimsOf(signedIn(await signIn(right, {}, undefined, custom)).accessToken).amr, ['custom']);
  });

  it('asks for no second factor after a proof that is two, or while none is offered', async () => {
    const twofold = { ...right, isMultiFactor: true, passkeyId: 'key', amr: ['user'] };
    const { accessToken, ...rest } = signedIn(await signIn(twofold));
    assert.deepEqual([claimsOf(accessToken).amr, claimsOf(accessToken).acr], [['pwd', 'user', 'mfa'], 'aal2']);
    assert.equal('requiredFactorEnrollment' in rest, false);
    assert.equal((await test.service.sessions.listOpen(account.id))[0]?.passkeyUsedAt, test.clock.now());
    isOffered = false;
    assert.equal('requiredFactorEnrollment' in signedIn(await signIn()), false);
  });

  it('restricts a session to enrolling where a factor is required, and not after two factors', async () => {
    requirement = 'required';
    isEnrolled = false;
    assert.equal(signedIn(await signIn()).requiredFactorEnrollment, true);
    isEnrolled = true;
    const complete = signedIn(await answer(await challenge()));
    assert.equal('requiredFactorEnrollment' in complete, false);
    const twofold = { ...right, isMultiFactor: true };
    assert.equal('requiredFactorEnrollment' in signedIn(await signIn(twofold)), false);
  });

  it('challenges the account that has a second factor, and completes with it', async () => {
    const token = await challenge();
    assert.match(token, /^[\w-]{43}$/);
    const challenged = { what: 'signIn.challenged', method: 'first', secondFactors: ['second'] };
    assert.deepEqual(recorded(), [{ ...challenged, outcome: 'success', reason: undefined, user: account.id }]);
    assert.equal((await core.authentication.findChallenged(token)).id, account.id);
    assert.deepEqual(await test.service.sessions.listOpen(account.id), []);
    const elsewhere = { ...origin, frontEnd: 'other' };
    const result = signedIn(await answer(token, { ...right, amr: ['user'] }, { from: elsewhere, trustsDevice: false }));
    const { amr, acr, client_id } = claimsOf(result.accessToken);
    assert.deepEqual([amr, acr, client_id], [['pwd', 'otp', 'user', 'mfa'], 'aal2', 'default-app']);
    assert.equal('trustedDevice' in result, false);
  });

  it('asks for one second factor of an account that has two', async () => {
    hasTwo = true;
    const result = await signIn();
    assert.ok(result && 'challenge' in result);
    assert.deepEqual(result.challenge.methods, ['second', 'third']);
    const { accessToken } = signedIn(await answer(result.challenge.token));
    assert.deepEqual(claimsOf(accessToken).amr, ['pwd', 'otp', 'mfa']);
  });

  it('accepts an answer once, within five minutes', async () => {
    const token = await challenge();
    signedIn(await answer(token));
    await assert.rejects(answer(token), over);
    const [early, late] = [await challenge(), await challenge()];
    test.clock.advance(299.999);
    signedIn(await answer(early));
    test.clock.advance(0.001);
    heard = [];
    await assert.rejects(answer(late), over);
    const entry = { what: 'test.second', outcome: 'refused', reason: over.reason, user: undefined };
    assert.deepEqual(recorded(), [entry]);
    await assert.rejects(core.authentication.findChallenged(late), over);
    await assert.rejects(answer('unknown'), over);
  });

  it('compares nothing for a challenge that ends meanwhile, and locks the account before', async () => {
    const token = await challenge();
    const { sql } = test.service.database;
    steps = [];
    await assert.rejects(
      answer(token, right, { meanwhile: () => createLoginFlowStore(test.service.database).deleteAll(sql) }),
      over,
    );
    assert.deepEqual(steps, ['lock']);
    const other = await challenge();
    steps = [];
    await answer(other);
    assert.deepEqual(steps.slice(0, 2), ['lock', 'compare']);
  });

  it('compares nothing while the account of the first factor is locked, and leaves the challenge open', async () => {
    const { lockouts, database } = test.service;
    const [token, policy] = [await challenge(), { enabled: true, maxFailures: 1, seconds: 60 }];
    const held = await lockouts.reserve(accountSubject(account.id), policy);
    assert.ok('id' in held);
    const lock = () => database.transaction((tx) => lockouts.fail(tx, held, policy));
    [heard, steps] = [[], []];
    await assert.rejects(answer(token, right, { meanwhile: lock }), { ...lockedOut, retryAfterSeconds: 60 });
    await assert.rejects(answer(token, { proof: 'wrong' }), lockedOut);
    assert.deepEqual(steps, ['lock', 'lock']);
    const refused = { what: 'test.second', outcome: 'refused', reason: lockedOut.reason, user: account.id };
    assert.deepEqual(recorded(), [refused, refused]);
    assert.deepEqual(await test.service.sessions.listOpen(account.id), []);
    test.clock.advance(60);
    signedIn(await answer(token));
  });

  it('completes nothing for an account that is deactivated while the proof is compared', async () => {
    const token = await challenge();
    const during = async (tx: Tx) => {
      await tx.sql.updateTable('account').set({ is_active: 0 }).where('id', '=', account.id).execute();
    };
    await assert.rejects(answer(token, right, { during }), { reason: 'signIn.notActive' });
    assert.deepEqual(await test.service.sessions.listOpen(account.id), []);
  });

  it('completes nothing when the challenge is used up while the proof is compared', async () => {
    const token = await challenge();
    const during = (tx: Tx) => createLoginFlowStore(test.service.database).deleteAll(tx.sql);
    await assert.rejects(answer(token, right, { during }), over);
    assert.deepEqual(await test.service.sessions.listOpen(account.id), []);
  });

  it('refuses a proof of the first method, of another account, of none, and of a factor that is gone', async () => {
    const token = await challenge();
    const other = (await test.service.accounts.find((await accounts.add()).id)) ?? assert.fail();
    heard = [];
    await assert.rejects(answer(token, right, { by: first }), invalid);
    await assert.rejects(answer(token, right, { account: other }), invalidFactor);
    await assert.rejects(answer(token, right, { account: undefined }), invalidFactor);
    await assert.rejects(
      answer(token, right, { by: { ...second, find: async () => undefined } as never }),
      invalidFactor,
    );
    assert.deepEqual(
      recorded().map(({ what, outcome, reason }) => [what, outcome, reason]),
      [['test.first', 'refused', invalid.reason], ...Array(3).fill(['test.second', 'refused', invalidFactor.reason])],
    );
    isEnrolled = false;
    await assert.rejects(answer(token), invalidFactor);
    isEnrolled = true;
    signedIn(await answer(token));
  });

  it('trusts a device that the user chose, in place of the second factor', async () => {
    const token = await challenge();
    heard = [];
    const { trustedDevice } = signedIn(await answer(token, right, { trustsDevice: true }));
    assert.match(trustedDevice ?? '', /^[\w-]{43}$/);
    const [trusted] = heard.filter(({ action }) => action.name === 'signIn.deviceTrusted');
    assert.deepEqual(trusted?.user, { id: account.id, name: account.userName });
    heard = [];
    const result = signedIn(await signIn(right, { details: { provider: 'Acme' } }, trustedDevice));
    assert.deepEqual(claimsOf(result.accessToken).amr, ['pwd']);
    assert.equal('requiredFactorEnrollment' in result, false);
    const entry = { what: 'test.first', outcome: 'success', reason: undefined, user: account.id };
    assert.deepEqual(recorded(), [{ ...entry, provider: 'Acme', trustedDevice: true }]);
    challengeIn(await signIn(right, {}, 'another device'));
  });

  it('trusts no device when the settings allow none', async () => {
    await test.set('Latchkey.Factors', { ...KINDS, trustedDeviceDays: 0 });
    const token = await challenge();
    heard = [];
    const result = signedIn(await answer(token, right, { trustsDevice: true }));
    await test.set('Latchkey.Factors', KINDS);
    assert.equal('trustedDevice' in result, false);
    assert.equal(
      heard.some(({ action }) => action.name === 'signIn.deviceTrusted'),
      false,
    );
  });

  it('fails when the account was deleted or deactivated, or the password changed meanwhile', async () => {
    const password = { passwordVersion: await readVersion(), upgradedHash: undefined };
    const unknown = { ...account, id: 0 };
    for (isOffered of [true, false]) {
      await assert.rejects(signIn(right, { account: unknown }), invalid);
      const changed: RightProof = {
        ...right,
        password: { ...password, passwordVersion: password.passwordVersion + 1 },
      };
      await assert.rejects(signIn(changed), invalid);
      await assert.rejects(signIn(right, { meanwhile: deactivate }), notActive);
      await test.service.accounts.setActive(test.service.database.sql, account.id, true);
    }
    [isOffered, isDeleting] = [true, true];
    await assert.rejects(signIn(), invalid);
  });

  it('keeps a stronger hash of the password that was right', async () => {
    const { findCredential } = test.service.accounts;
    await challenge({ ...right, password: { passwordVersion: await readVersion(), upgradedHash: 'stronger' } });
    assert.equal((await findCredential(account.id))?.hash, 'stronger');
  });

  it('fails when the password was changed after the challenge, and clears no failures then', async () => {
    const fail = () => assert.rejects(signIn(wrong), invalid);
    for (let turn = 1; turn < MAX_FAILURES; turn += 1) await fail();
    const token = await challenge();
    await changePassword();
    await assert.rejects(answer(token), over);
    await assert.rejects(signIn(wrong), lockedOut);
  });

  it('counts no proof that was not compared', async () => {
    const unchecked = { proof: 'unchecked' } as const;
    for (let turn = 0; turn <= MAX_FAILURES; turn += 1) await assert.rejects(signIn(unchecked), invalid);
    const token = await challenge();
    for (let turn = 0; turn <= MAX_FAILURES; turn += 1) await assert.rejects(answer(token, unchecked), invalidFactor);
    signedIn(await answer(token));
  });

  it('clears the failures of the first factor when the sign-in is complete', async () => {
    const fail = () => assert.rejects(signIn(wrong), invalid);
    for (let turn = 1; turn < MAX_FAILURES; turn += 1) await fail();
    await answer(await challenge());
    for (let turn = 1; turn < MAX_FAILURES; turn += 1) await fail();
    signedIn(await signIn({ ...right, isMultiFactor: true }));
  });

  it('counts wrong second factors apart, under a policy of their own, and records what was given', async () => {
    const token = await challenge();
    const { lockouts } = test.service;
    await test.set('Abp.Zero.UserManagement.UserLockOut.IsEnabled', false);
    heard = [];
    for (let turn = 1; turn < MAX_FAILURES; turn += 1) {
      await assert.rejects(answer(token, wrong, { details: { given: turn } }), invalidFactor);
    }
    await assert.rejects(answer(token, wrong), lockedOut);
    await test.set('Abp.Zero.UserManagement.UserLockOut.IsEnabled', true);
    const subjects = [factorsSubject(account.id), accountSubject(account.id)];
    assert.deepEqual([...(await lockouts.readLocks(subjects)).keys()], [factorsSubject(account.id)]);
    const entry = { given: 1, what: 'test.second', outcome: 'refused', reason: invalidFactor.reason, user: account.id };
    assert.deepEqual(recorded()[0], entry);
    challengeIn(await signIn());
  });

  it('is wrong for a right proof of no account, and waits with an account that an administrator must admit', async () => {
    for (let turn = 1; turn < MAX_FAILURES; turn += 1) {
      await assert.rejects(signIn(right, { account: undefined }), invalid);
    }
    await assert.rejects(signIn(right, { account: undefined }), lockedOut);
    const waiting = { ...first, find: async () => undefined } as never;
    assert.equal(await signIn(right, {}, undefined, waiting), undefined);
  });

  it('cleans up expired challenges, a batch at a time', async () => {
    const { sql } = test.service.database;
    const flow = { account_id: account.id, front_end: '', completed: '', password_version: 1, lockout_subject: '' };
    const rows = Array.from({ length: BATCH + 1 }, (_, n) => ({ ...flow, mac: `${n}`, expires_at: test.clock.now() }));
    await sql.deleteFrom('login_flow').execute();
    for (let start = 0; start < rows.length; start += 100) {
      await sql
        .insertInto('login_flow')
        .values(rows.slice(start, start + 100))
        .execute();
    }
    test.clock.advance(0.001);
    await core.challenges.deleteExpired();
    assert.equal((await sql.selectFrom('login_flow').select('mac').execute()).length, 1);
  });
});
