// Reauthentication: what a proof renews, what it counts, and for whom it is none.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  createTestAccounts,
  type TestAccount,
  type TestAccounts,
  type TestOwner,
} from '../../test/support/accounts.ts';
import { claimsOf } from '../../test/support/forge.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../../test/support/service.ts';
import type { AuthenticationMethod, Identified } from '../authentication/index.ts';
import type { Outcome } from '../authentication/method.ts';
import { factorErrors } from '../factors/index.ts';
import type { Occurrence } from '../foundation/events.ts';
import { factorsSubject } from '../lockout/index.ts';
import { createReauthentication, type Reauthentication } from './reauthentication.ts';
import { createRenewals } from './renewals.ts';

const MAX_FAILURES = 5;
const origin = { ipAddress: null, userAgent: null, frontEnd: 'default-app' };
const right = { proof: 'right' } as const;
const wrong = { proof: 'wrong' } as const;
const kinds = { passkeys: false, authenticator: true, trustedDeviceDays: 0, requireForPermissions: false };

describe('a caller who authenticates again', () => {
  let test: TestService;
  let accounts: TestAccounts;
  let reauthentication: Reauthentication;
  let person: TestAccount;
  let owner: TestOwner;
  let heard: Occurrence[];
  let isEnrolled = true;

  /** A second factor whose outcome is given. */
  const factor: AuthenticationMethod<Outcome, Identified & { outcome: Outcome }, Outcome> = {
    name: 'test',
    amr: 'otp',
    action: { name: 'test', description: '' },
    wrong: factorErrors.invalid,
    isEnrolled: async () => isEnrolled,
    kind: 'authenticator',
    find: async (outcome, _, account) => ({ account, subject: '', outcome }),
    verify: async ({ outcome }) => outcome,
    redeem: async (_, outcome) => outcome,
  };

  before(async () => {
    test = await startTestService('sqlite');
    accounts = await createTestAccounts(test);
    const renewTokens = createRenewals(test.service).renew;
    reauthentication = createReauthentication({ ...test.service, renewTokens });
    test.service.secondFactors.register(factor);
    await test.set('Latchkey.Factors', kinds);
    test.service.events.subscribe((occurrence) => heard.push(occurrence));
  });
  after(() => test.close());
  beforeEach(async () => {
    isEnrolled = true;
    person = await accounts.add();
    owner = await accounts.signIn(person);
    heard = [];
  });

  const caller = (by = owner) => ({ owner: by, token: by.token, origin });
  const byFactor = (outcome: Outcome, by = owner, method = factor) =>
    reauthentication.byFactor(caller(by), method, outcome);
  const invalid = { name: 'AuthError', reason: 'factor.invalid', status: 400 };
  const entries = () =>
    heard.map(({ action, outcome, reason, user, details }) => [action.name, outcome, reason, user, details]);
  const user = () => ({ id: person.id, name: person.userName });
  const isCurrent = async (token: string) => {
    try {
      return (await test.service.sessions.check(token)).sessionId === owner.sessionId;
    } catch {
      return false;
    }
  };

  it('by password gets a token of the same level, with a new time, in place of the old one', async () => {
    test.clock.advance(10);
    const { accessToken } = await reauthentication.byPassword(caller(), USER_PASSWORD);
    const { amr, acr, auth_time } = claimsOf(accessToken);
    assert.deepEqual([amr, acr, auth_time], [['pwd'], 'aal1', Math.floor(test.clock.now() / 1000)]);
    assert.deepEqual([await isCurrent(accessToken), await isCurrent(owner.token)], [true, false]);
    assert.deepEqual(entries(), [['signIn.reauthenticated', 'success', undefined, user(), { method: 'password' }]]);
  });

  it('gets one token in place of the old one, whatever else exchanges that one meanwhile', async () => {
    const revoked = { name: 'AuthError', reason: 'token.revoked', status: 401 };
    const ways = [() => byFactor(right), () => reauthentication.byPassword(caller(), USER_PASSWORD)];
    const answers = await Promise.allSettled(ways.map((way) => way()));
    const tokens = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value.accessToken : []));
    assert.equal(tokens.length, 1);
    for (const way of ways) await assert.rejects(way(), revoked);
    assert.equal(await isCurrent(tokens[0] ?? ''), true);
  });

  it('by a factor gets a token of the higher level', async () => {
    test.clock.advance(10);
    const { accessToken } = await byFactor(right);
    const { amr, acr, auth_time } = claimsOf(accessToken);
    assert.deepEqual([amr, acr, auth_time], [['pwd', 'otp', 'mfa'], 'aal2', Math.floor(test.clock.now() / 1000)]);
    assert.deepEqual([await isCurrent(accessToken), await isCurrent(owner.token)], [true, false]);
    assert.deepEqual(entries(), [['signIn.reauthenticated', 'success', undefined, user(), { method: 'test' }]]);
  });

  it('used a passkey only if the factor says so', async () => {
    const usedAt = async () =>
      (await test.service.sessions.listOpen(person.id)).map(({ passkeyUsedAt }) => passkeyUsedAt);
    const { accessToken } = await byFactor(right);
    assert.deepEqual(await usedAt(), [null]);
    const { accessToken: renewed } = await byFactor(
      { ...right, amr: ['user'], passkeyId: 'key' },
      { ...owner, token: accessToken },
    );
    assert.deepEqual(await usedAt(), [test.clock.now()]);
    assert.deepEqual(claimsOf(renewed).amr, ['pwd', 'otp', 'mfa', 'user']);
  });

  it('is locked by wrong factors, at a status that keeps the client signed in', async () => {
    for (let turn = 1; turn < MAX_FAILURES; turn += 1) await assert.rejects(byFactor(wrong), invalid);
    const locked = { reason: 'signIn.lockedOut', status: 400 };
    await assert.rejects(byFactor(wrong), locked);
    await assert.rejects(byFactor(right), locked);
    const refused = (reason: string) => ['signIn.reauthenticated', 'refused', reason, user(), { method: 'test' }];
    assert.deepEqual(entries()[0], refused('factor.invalid'));
    assert.deepEqual(
      [...(await test.service.lockouts.readLocks([factorsSubject(person.id)])).keys()],
      [factorsSubject(person.id)],
    );
    assert.equal(await isCurrent(owner.token), true);
  });

  it('is not counted for a proof that was not compared, and for a factor that the account lacks', async () => {
    for (let turn = 0; turn <= MAX_FAILURES; turn += 1) {
      await assert.rejects(byFactor({ proof: 'unchecked' }), invalid);
      isEnrolled = false;
      await assert.rejects(byFactor(right), invalid);
      isEnrolled = true;
    }
    assert.equal((await test.service.lockouts.readLocks([factorsSubject(person.id)])).size, 0);
    assert.equal(claimsOf((await byFactor(right)).accessToken).acr, 'aal2');
  });

  it('may take ten seconds at a provider, and a wrong proof that takes as long counts', async () => {
    const slow: typeof factor = {
      ...factor,
      find: async (outcome, _, account) => {
        test.clock.advance(10);
        return { account, subject: '', outcome };
      },
    };
    const { accessToken } = await reauthentication.byFirstFactor(caller(), slow, right);
    const tries = caller({ ...owner, token: accessToken });
    for (let turn = 1; turn < MAX_FAILURES; turn += 1) {
      await assert.rejects(reauthentication.byFirstFactor(tries, slow, wrong), invalid);
    }
    const locked = { reason: 'signIn.lockedOut', status: 400 };
    await assert.rejects(reauthentication.byFirstFactor(tries, slow, wrong), locked);
  });

  const byFirst = (method: typeof factor, by = owner) => reauthentication.byFirstFactor(caller(by), method, right);
  /** Fails as often as locks an account. @returns whether it is locked. */
  async function isLockedBy(fail: () => Promise<unknown>, error: object) {
    for (let turn = 1; turn < MAX_FAILURES; turn += 1) await assert.rejects(fail(), error);
    return fail().then(
      () => assert.fail('it was no failure'),
      ({ reason }) => reason === 'signIn.lockedOut',
    );
  }

  it('by a first factor counts one of another account, and one that says itself that it is wrong', async () => {
    const other = (await test.service.accounts.find((await accounts.add()).id)) ?? assert.fail();
    const stolen = { ...factor, find: async (given: Outcome) => factor.find(given, origin, other) };
    assert.equal(await isLockedBy(() => byFirst(stolen), invalid), true);
    person = await accounts.add();
    owner = await accounts.signIn(person);
    const refusing: typeof factor = { ...factor, verify: () => Promise.reject(factorErrors.invalid()) };
    assert.equal(await isLockedBy(() => byFirst(refusing), invalid), true);
  });

  it('by a first factor counts none that could not be tried, that took too long, or whose caller may not act', async () => {
    const disabled: typeof factor = { ...factor, verify: () => Promise.reject(factorErrors.disabled()) };
    const broken: typeof factor = { ...factor, verify: () => Promise.reject(new Error('broken')) };
    const lasting = (seconds: number): typeof factor => ({
      ...factor,
      async verify({ outcome }) {
        test.clock.advance(seconds);
        return outcome;
      },
    });
    const mayNot = { ...owner, authorize: () => Promise.reject(factorErrors.enrollmentRequired()) };
    for (const [fail, error] of [
      [() => byFirst(disabled), { reason: 'factor.disabled' }],
      [() => byFirst(broken), /broken/],
      [() => byFirst(lasting(20)), { reason: 'service.unavailable' }],
      [() => byFirst(factor, mayNot), { reason: 'factor.enrollmentRequired' }],
    ] as const) {
      assert.equal(await isLockedBy(fail, error as object), false);
    }
    assert.ok(await byFirst(lasting(19.999)));
  });

  it('is refused by a factor that the settings switch off', async () => {
    // The administrator who changes the setting is asked for no factor.
    isEnrolled = false;
    await test.set('Latchkey.Factors', { ...kinds, authenticator: false });
    isEnrolled = true;
    await assert.rejects(byFactor(right), { reason: 'factor.disabled', status: 400 });
    const { kind: _, ...always } = factor;
    test.service.secondFactors.register(always);
    assert.ok(await byFactor(right, owner, always));
    test.service.secondFactors.register(factor);
    isEnrolled = false;
    await test.set('Latchkey.Factors', kinds);
  });

  it('proves nothing for another account', async () => {
    const other = (await test.service.accounts.find((await accounts.add()).id)) ?? assert.fail();
    const stolen = { ...factor, find: async (given: Outcome) => factor.find(given, origin, other) };
    const none = { ...factor, find: async () => undefined };
    const unknown = { ...factor, find: async (given: Outcome) => factor.find(given, origin) };
    for (const method of [stolen, none, unknown]) await assert.rejects(byFactor(right, owner, method), invalid);
    await assert.rejects(byFactor(right, { ...owner, accountId: 0 }), { reason: 'account.notFound', status: 404 });
  });

  it('gets no token for a session that has ended, or for a deactivated account', async () => {
    const { accounts: store, database } = test.service;
    const revoked = { reason: 'token.revoked', status: 401 };
    await store.setActive(database.sql, person.id, false);
    await assert.rejects(byFactor(right), revoked);
    await store.setActive(database.sql, person.id, true);
    assert.deepEqual(entries(), []);
    await assert.rejects(
      byFactor(wrong, {
        ...owner,
        authorize: async () => {
          throw factorErrors.enrollmentRequired();
        },
      }),
      {
        reason: 'factor.enrollmentRequired',
      },
    );
  });
});
