// Sessions: the cache of verified signatures, and revocations by clocks that differ or are set.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../../test/support/clock.ts';
import { beside, openTestDatabase } from '../../test/support/databases.ts';
import { exchange } from '../../test/support/exchange.ts';
import { claimsOf } from '../../test/support/forge.ts';
import { addSeconds } from '../foundation/clock.ts';
import { systemRandom } from '../foundation/random.ts';
import { createSecrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { createKeyRing, type KeyRing } from './keys.ts';
import { createRevocations, type Revocation } from './revocations.ts';
import type { Session } from './session.ts';
import { createSessions } from './sessions.ts';
import { createKeyStore } from './store.keys.sql.ts';
import { createSessionStore } from './store.sql.ts';

const settings = { read: () => ({ accessTokenLifetime: 400, sessionLifetime: 1000, audience: 'all' }) };
const subject = { id: 7, userName: 'thandi', fullName: 'Thandi', email: null, roles: [] };
const origin = { ipAddress: null, userAgent: null, frontEnd: 'desk' };

/** Creates sessions with a cache of two generations of two tokens, and counts the verified signatures. */
async function open(engine: 'sqlite' | 'postgres' = 'sqlite') {
  const [database, clock, random] = [await openTestDatabase(engine), createManualClock(), systemRandom];
  const secrets = createSecrets('a secret of at least thirty-two characters', random);
  const revocations = createRevocations();
  const keyDeps = { database, store: createKeyStore(), revocations };
  const ring = createKeyRing({ ...keyDeps, record: async () => {}, secrets, clock, random });
  await ring.load();
  let verified = 0;
  let isWithdrawn = false;
  const find: KeyRing['find'] = (header) => {
    verified += 1;
    return isWithdrawn ? undefined : ring.find(header);
  };
  const withdrawKey = () => {
    isWithdrawn = true;
  };
  const sessions = createSessions({
    store: createSessionStore(database),
    keys: { ...ring, find },
    revocations,
    settings: settings as unknown as SettingReader,
    issuer: 'https://login.example.com',
    clock,
    random,
    generation: 2,
  });
  const issue = async () => {
    const sign = { amr: ['pwd'], mustChangePassword: false, origin } as const;
    return (await database.transaction((tx) => sessions.open(tx, subject, sign))).accessToken;
  };
  const countVerified = async (tokens: string[]) => {
    const counts: number[] = [];
    for (const token of tokens) {
      const before = verified;
      await sessions.verify(token);
      counts.push(verified > before ? 1 : 0);
    }
    return counts;
  };
  return { database, clock, revocations, ring, sessions, issue, countVerified, withdrawKey };
}

describe('a verified signature', () => {
  it('is cached for the latest tokens, and verified again for others', async () => {
    const { database, issue, countVerified } = await open();
    const [first, second, third] = [await issue(), await issue(), await issue()];
    assert.deepEqual(await countVerified([first, second, third]), [0, 0, 0]);
    const [fourth, fifth] = [await issue(), await issue()];
    assert.deepEqual(await countVerified([fifth, fourth, first, second]), [0, 0, 1, 1]);
    assert.deepEqual(await countVerified([first, second, third]), [0, 0, 1]);
    await database.close();
  });

  it('leaves the cache with its key, in either generation', async () => {
    const { database, ring, sessions, issue } = await open();
    const tokens = [await issue(), await issue(), await issue()];
    for (const token of tokens) await sessions.verify(token);
    await ring.rotate({ compromised: true });
    for (const token of tokens) await assert.rejects(sessions.verify(token), { reason: 'token.invalid' });
    await database.close();
  });

  it('does not count if its key was withdrawn meanwhile', async () => {
    const { database, sessions, issue, withdrawKey } = await open();
    const [forgotten = ''] = [await issue(), await issue(), await issue(), await issue(), await issue()];
    const verification = sessions.verify(forgotten);
    withdrawKey();
    await assert.rejects(verification, { reason: 'token.invalid' });
    await database.close();
  });
});

describe('a session', () => {
  /** `revokedBy` returns what a transaction revokes, without times, in no order. `restricted`: superseded by a restriction. */
  async function openObserved() {
    const opened = await open();
    const { database, revocations } = opened;
    const recorded: Revocation[] = [];
    revocations.subscribe(async (_tx, revoked) => void recorded.push(...revoked));
    const revokedBy = async (act: Parameters<typeof database.transaction>[0]) => {
      recorded.length = 0;
      await database.transaction(act);
      const kindOf = (one: Revocation) => ('isRestriction' in one && one.isRestriction ? 'restricted' : one.kind);
      return recorded.map((one) => [kindOf(one), 'generation' in one ? one.generation : undefined]);
    };
    return { ...opened, revokedBy };
  }
  const unrestricted = { amr: ['pwd'], mustChangePassword: false, origin } as const;

  it('is opened for an application with the authentication of another, and a token of its own time', async () => {
    const { database, clock, sessions } = await open();
    const from = { ...origin, userAgent: 'x'.repeat(300), frontEnd: 'shop' };
    const { signedIn, opened, found } = await database.transaction(async (tx) => {
      const start = { amr: ['pwd', 'otp', 'mfa'], mustChangePassword: false, origin };
      const { accessToken } = await sessions.open(tx, subject, start);
      const signedIn = await sessions.findOpen(tx, String(claimsOf(accessToken).sid));
      assert.ok(signedIn);
      clock.advance(5);
      const opened = await sessions.openForApplication(tx, signedIn, 'shop-web', from);
      return { signedIn, opened, found: await sessions.findOpen(tx, opened.id) };
    });
    const now = clock.now();
    assert.deepEqual(found, opened);
    assert.deepEqual(opened, {
      ...signedIn,
      id: opened.id,
      applicationId: 'shop-web',
      frontEnd: 'shop',
      userAgent: 'x'.repeat(256),
      signedInAt: now,
      expiresAt: addSeconds(now, 1000),
      generation: 0,
      tokensExpireAt: now,
    });
    assert.notEqual(opened.id, signedIn.id);
    await database.close();
  });

  it('revokes what a restricted token would open elsewhere, from the start and while the restriction lasts', async () => {
    const { database, sessions, revokedBy } = await openObserved();
    const opening = (more: object) => revokedBy((tx) => sessions.open(tx, subject, { ...unrestricted, ...more }));
    assert.deepEqual(await opening({}), []);
    assert.deepEqual(await opening({ mustChangePassword: true }), [['restricted', 1]]);
    assert.deepEqual(await opening({ mustEnroll: true }), [['restricted', 1]]);

    let token = await database.transaction((tx) => sessions.open(tx, subject, unrestricted));
    const refreshing = async (mustEnroll: boolean) => {
      const verified = await sessions.verify(token.accessToken);
      return revokedBy(async (tx) => {
        token = await exchange(tx, sessions, verified, async () => ({ ...subject, mustEnroll }));
      });
    };
    const mustEnroll = async () => (await sessions.check(token.accessToken)).mustEnroll;
    assert.deepEqual(await refreshing(true), [['restricted', 2]]);
    assert.equal(await mustEnroll(), true);
    assert.deepEqual(await refreshing(false), [['superseded', 2]]);
    assert.equal(await mustEnroll(), false);

    const revoked = await revokedBy((tx) => sessions.requirePasswordChange(tx, subject.id, true));
    assert.ok(revoked.some(([kind, generation]) => kind === 'restricted' && generation === 3));
    assert.deepEqual(await revokedBy((tx) => sessions.requirePasswordChange(tx, subject.id, false)), []);
    await database.close();
  });

  it('ends with its account, names each token that ends, and tells its listeners', async () => {
    const { database, sessions, revocations, issue, revokedBy } = await openObserved();
    const heard: unknown[] = [];
    revocations.whenSessionsEnd(async (_tx, whose) => void heard.push(whose));
    await issue();
    await issue();
    const revoked = await revokedBy((tx) => sessions.endOfAccount(tx, subject.id));
    assert.deepEqual(
      revoked.map(([kind]) => kind),
      ['session', 'session'],
    );
    await database.transaction(sessions.endAll);
    assert.deepEqual(heard, [subject.id, 'all']);
    await database.close();
  });

  it('remembers when and how its owner signed in again', async () => {
    const { database, clock, sessions } = await openObserved();
    const again = async (accessToken: string, sign: { amr: ('pwd' | 'mfa' | 'pop')[]; passkeyId?: string }) => {
      const verified = await sessions.verify(accessToken);
      const renewed = await database.transaction((tx) => exchange(tx, sessions, verified, async () => subject, sign));
      const stored = await database.transaction((tx) => sessions.requireOpen(tx, verified.sessionId));
      return { ...renewed, stored, claims: await sessions.readClaims(renewed.accessToken) };
    };
    const { accessToken } = await database.transaction((tx) => sessions.open(tx, subject, unrestricted));
    const signedInAt = clock.now();
    assert.equal((await sessions.readClaims(accessToken)).acr, 'aal1');
    clock.advance(5);
    const second = await again(accessToken, { amr: ['pwd', 'mfa'] });
    assert.deepEqual([second.stored.amr, second.stored.passkeyUsedAt], [['pwd', 'mfa'], null]);
    assert.equal(second.stored.factorUsedAt, clock.now());
    assert.deepEqual([second.stored.signedInAt, second.stored.authenticatedAt], [signedInAt, clock.now()]);
    assert.deepEqual([second.claims.acr, second.claims.amr], ['aal2', ['pwd', 'mfa']]);
    assert.equal(second.claims.auth_time, Math.floor(clock.now() / 1000));
    const third = await again(second.accessToken, { amr: ['pop', 'mfa'], passkeyId: 'key' });
    const usedAt = clock.now();
    const uses = ({ passkeyUsedAt, factorUsedAt, passkeyId }: Session) => [passkeyUsedAt, factorUsedAt, passkeyId];
    assert.deepEqual(uses(third.stored), [usedAt, usedAt, null], 'the passkey has not opened the session');
    clock.advance(5);
    assert.deepEqual(uses((await again(third.accessToken, { amr: ['pwd'] })).stored), [usedAt, usedAt, null]);
    await database.close();
  });

  it('remembers the passkey that opened it, and a second factor of its sign-in', async () => {
    const { database, clock, sessions } = await openObserved();
    const now = clock.now();
    const starts = [
      [{}, [null, null, null]],
      [{ passkeyId: 'key' }, [now, null, 'key']],
      [{ amr: ['pwd', 'otp', 'mfa'] }, [null, now, null]],
    ] as const;
    for (const [start, expected] of starts) {
      const opening = { ...unrestricted, ...start };
      const { accessToken } = await database.transaction((tx) => sessions.open(tx, subject, opening));
      const { sessionId } = await sessions.verify(accessToken);
      const stored = await database.transaction((tx) => sessions.requireOpen(tx, sessionId));
      assert.deepEqual([stored.passkeyUsedAt, stored.factorUsedAt, stored.passkeyId], expected);
    }
    await database.close();
  });

  it('has no token that outlives it', async () => {
    const { database, clock, sessions } = await openObserved();
    const { accessToken } = await database.transaction((tx) => sessions.open(tx, subject, unrestricted));
    const end = Math.floor(clock.now() / 1000) + 1000;
    clock.advance(390);
    const first = await database.transaction(async (tx) =>
      exchange(tx, sessions, await sessions.verify(accessToken), async () => subject),
    );
    clock.advance(390);
    const { accessToken: last } = await database.transaction(async (tx) =>
      exchange(tx, sessions, await sessions.verify(first.accessToken), async () => subject),
    );
    assert.equal((await sessions.readClaims(last)).exp, end);
    await database.close();
  });

  it('knows when its last token expires, also if the token is signed late', async () => {
    const { database, clock, sessions } = await openObserved();
    const opened = await database.transaction((tx) => sessions.open(tx, subject, unrestricted));
    const verified = await sessions.verify(opened.accessToken);
    const requireOpen = () => database.transaction((tx) => sessions.requireOpen(tx, verified.sessionId));
    assert.equal((await requireOpen()).tokensExpireAt, clock.now() + 460_000);
    const { accessToken } = await database.transaction((tx) =>
      exchange(tx, sessions, verified, async () => {
        clock.advance(100);
        return subject;
      }),
    );
    const { exp } = await sessions.verify(accessToken);
    assert.equal(exp, Math.floor((await requireOpen()).tokensExpireAt / 1000));
    await database.close();
  });

  it('is no longer restricted once a factor is enrolled, and ends the others with one factor', async () => {
    const { database, sessions, revokedBy } = await openObserved();
    const opening = (start: object) =>
      database.transaction((tx) => sessions.open(tx, subject, { ...unrestricted, ...start }));
    const [mine, restricted, single, strong] = [
      await opening({ mustEnroll: true }),
      await opening({ mustEnroll: true }),
      await opening({}),
      await opening({ amr: ['pwd', 'mfa', 'otp'] }),
    ];
    const { sessionId } = await sessions.verify(mine.accessToken);
    const revoked = await revokedBy((tx) => sessions.endEnrollment(tx, subject.id, sessionId));
    assert.deepEqual(revoked, [
      ['session', undefined],
      ['session', undefined],
    ]);
    assert.equal((await sessions.check(mine.accessToken)).mustEnroll, false);
    assert.equal((await sessions.check(strong.accessToken)).accountId, subject.id);
    for (const { accessToken } of [restricted, single]) {
      await assert.rejects(sessions.check(accessToken), { reason: 'token.revoked' });
    }
    await database.close();
  });

  it('is restricted with the others of its account, and revoked for other services', async () => {
    const { database, sessions, revokedBy } = await openObserved();
    const opening = (start: object) =>
      database.transaction((tx) => sessions.open(tx, subject, { ...unrestricted, ...start }));
    const { accessToken } = await opening({});
    await opening({ mustEnroll: true });
    const restrict = (ids: number[]) => revokedBy((tx) => sessions.restrictToEnrollment(tx, ids));
    assert.deepEqual(await restrict([]), []);
    assert.deepEqual(await restrict([subject.id + 1]), []);
    assert.deepEqual(await restrict([subject.id]), [['restricted', 1]]);
    assert.equal((await sessions.check(accessToken)).mustEnroll, true);
    await database.close();
  });

  it('ends with the passkey that opened it', async () => {
    const { database, sessions, revokedBy } = await openObserved();
    const opening = async (passkeyId?: string) => {
      const start = { ...unrestricted, passkeyId };
      return (await database.transaction((tx) => sessions.open(tx, subject, start))).accessToken;
    };
    const [mine, removed, another, none] = [
      await opening('key'),
      await opening('key'),
      await opening('other'),
      await opening(),
    ];
    const { sessionId: except } = await sessions.verify(mine);
    const end = (which?: object) => revokedBy((tx) => sessions.endOpenedByPasskey(tx, subject.id, which));
    const areOpen = () =>
      Promise.all(
        [mine, removed, another, none].map((token) =>
          sessions.check(token).then(
            () => true,
            () => false,
          ),
        ),
      );
    assert.deepEqual(await end({ passkeyId: 'key', except }), [['session', undefined]]);
    assert.deepEqual(await areOpen(), [true, false, true, true]);
    assert.equal((await end()).length, 2);
    assert.deepEqual(await areOpen(), [false, false, false, true]);
    await database.close();
  });

  it('counts while it is open', async () => {
    const { database, clock, sessions, issue } = await open();
    await issue();
    await issue();
    assert.equal(await sessions.countOpen(10), 2);
    assert.equal(await sessions.countOpen(1), 1);
    clock.advance(1000);
    assert.equal(await sessions.countOpen(10), 0);
    await database.close();
  });

  it('gives no claims of a token with the signature of another one', async () => {
    const { database, sessions, issue } = await openObserved();
    const [header, payload] = (await issue()).split('.');
    const [, , signature] = (await issue()).split('.');
    const forged = [header, payload, signature].join('.');
    await assert.rejects(sessions.readClaims(forged), { reason: 'token.invalid' });
    await database.close();
  });
});

describe('a revocation', () => {
  it('of nothing is told to no listener', async () => {
    const { database, revocations } = await open();
    revocations.subscribe(async () => assert.fail('A listener was told.'));
    await database.transaction((tx) => revocations.record(tx, []));
    await database.close();
  });

  it('by the end of all sessions names a token of a clock that is ahead, and crossed a second while it issued', async () => {
    const { database, clock, revocations, sessions, issue } = await open();
    const recorded: Revocation[] = [];
    revocations.subscribe(async (_tx, revoked) => void recorded.push(...revoked));
    const verified = await sessions.verify(await issue());
    clock.advance(1 - (clock.now() % 1000) / 1000);
    clock.advance(0.9);
    const { accessToken } = await database.transaction((tx) =>
      exchange(tx, sessions, verified, async () => {
        clock.advance(0.2);
        return subject;
      }),
    );
    clock.set(-0.3);
    await database.transaction(sessions.endAll);
    const { iat, sid } = await sessions.readClaims(accessToken);
    const isNamed = recorded.some((one) => one.kind === 'session' && one.sessionId === sid);
    const isCovered = recorded.some((one) => one.kind === 'all' && iat * 1000 < one.issuedBefore);
    assert.ok(isNamed || isCovered, 'verifiers learn that the token is dead');
    await database.close();
  });

  it('by the end of all sessions names those of the last ten seconds, and lasts into the next second', async () => {
    const { database, clock, revocations, sessions, issue } = await open();
    const sidOf = async (token: string) => (await sessions.verify(token)).sessionId;
    clock.advance(1 - (clock.now() % 1000) / 1000);
    await issue();
    clock.advance(1);
    const named = await sidOf(await issue());
    clock.advance(9);
    const recorded: Revocation[] = [];
    revocations.subscribe(async (_tx, revoked) => void recorded.push(...revoked));
    const slept: number[] = [];
    Object.assign(clock, { sleep: async (milliseconds: number) => void slept.push(milliseconds) });
    const startedAt = clock.now();
    assert.equal(await database.transaction(sessions.endAll), 2);
    const [all, ...sessionsNamed] = recorded;
    assert.deepEqual([all?.kind, all?.kind === 'all' && all.issuedBefore], ['all', startedAt + 1000]);
    assert.deepEqual(
      sessionsNamed.map((one) => one.kind === 'session' && one.sessionId),
      [named],
    );
    assert.deepEqual(slept, [1000]);
    await database.close();
  });

  it('by the end of all sessions lets nobody sign in before it has ended', async () => {
    const { database, clock, sessions, issue } = await open('postgres');
    const order: string[] = [];
    let signIn: Promise<unknown> | undefined;
    const sleep = async () => {
      signIn = issue().then(() => order.push('signed in'));
      for (let turn = 0; turn < 20; turn += 1) await sessions.countOpen(1);
      order.push('ended');
    };
    Object.assign(clock, { sleep: () => beside(sleep) });
    await database.transaction(sessions.endAll);
    await signIn;
    assert.deepEqual(order, ['ended', 'signed in']);
    await database.close();
  });

  it('lasts as long as the tokens, though the clock was ahead when the session ended', async () => {
    const { database, clock, revocations, sessions, issue } = await open();
    const token = await sessions.verify(await issue());
    let lasts = 0;
    revocations.subscribe(async (_tx, [revoked]) => {
      if (revoked?.kind === 'session') lasts = (revoked.expiresAt - clock.now()) / 1000;
    });
    const lives = token.exp - clock.now() / 1000;
    clock.set(350);
    await database.transaction((tx) => sessions.signOff(tx, token));
    assert.ok(lasts >= lives, `${lasts} s, and the token lives for ${lives} s`);
    await database.close();
  });
});
