// Grants against a simple model: random sequences of approvals, exchanges, ends and clock steps, by two applications.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { ManualClock } from '../../test/support/clock.ts';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import { claimsOf } from '../../test/support/forge.ts';
import { prepareSessions } from '../../test/support/sessions.ts';
import { createAccountStore, newAccount } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Actor } from '../foundation/events.ts';
import type { NotifyOwner } from '../owner-notices/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { Revocation } from '../tokens/revocations.ts';
import type { Sessions } from '../tokens/sessions.ts';
import { CODE_SECONDS, GRACE_SECONDS, type Grant, ISSUE_SECONDS } from './grant.ts';
import { createGrants, type Given, type Grantee, type Grants } from './grants.ts';
import { createRefreshTokens } from './refresh-token.ts';
import { createGrantStore } from './store.sql.ts';

/** One of the clock's steps, so that sessions often expire at the very moment of a call. */
const SESSION_SECONDS = 300;
const lifetimes = { accessTokenLifetime: 400, sessionLifetime: SESSION_SECONDS, audience: 'everybody' };
const origin = { ipAddress: '192.0.2.1', userAgent: null, frontEnd: 'desk' };
const approval = { audience: 'api', nonce: null, codeChallenge: null, redirectUri: null };

const grantees: readonly [Grantee, Grantee] = [
  { id: 'app-0', name: 'Grafana', accessTokenLifetime: 200, mayRefresh: true },
  { id: 'app-1', name: 'Machine', accessTokenLifetime: 900, mayRefresh: false },
];

type ModelSession = {
  account: number;
  /** Its current token. One that a grant has of its own has none. */
  token: string;
  ends: number;
  isEnded: boolean;
  isRestricted: boolean;
  isOfGrant: boolean;
};
type ModelGrant = {
  readonly id: string;
  readonly by: Grantee;
  readonly isOffline: boolean;
  readonly code: string;
  session: ModelSession;
  /** The end of the code, and then of the session. */
  ends: number;
  endedAt: number | undefined;
  isRedeemed: boolean;
  refreshedAt: number;
  /** Refresh tokens, the current one last. */
  tokens: string[];
  /** Raised by each refresh, and by each restriction of its session. */
  generation: number;
  /** When the last of its access tokens expires. */
  latest: number;
};
type Model = { sessions: Map<string, ModelSession>; grants: ModelGrant[]; own: Grant[] };
/** What the service has told others since the last look. */
type Told = {
  revocations: Revocation[];
  actions: string[];
  /** The person whom the last action names. */
  person: Actor | undefined;
  /** Whose repetitions of it share an entry. */
  repeatedBy: string;
  notices: number;
  ended: string[];
};
type Real = {
  readonly database: Database;
  readonly clock: ManualClock;
  readonly accounts: readonly number[];
  readonly sessions: Sessions;
  readonly grants: Grants;
  readonly told: Told;
};
type Command = fc.AsyncCommand<Model, Real>;

const isUsable = ({ session }: ModelGrant, now: number) =>
  !session.isEnded && !session.isRestricted && now < session.ends;
const isOpen = ({ endedAt, ends }: ModelGrant, now: number) => endedAt === undefined && now < ends;

/** Ends grants in the model, and requires that the service has told so, once for each that had given tokens. */
function expectEnded(model: Model, { told, clock }: Real, ending: readonly ModelGrant[]) {
  const now = clock.now();
  for (const grant of ending) {
    grant.endedAt = now;
    grant.ends = now;
    if (grant.isRedeemed && grant.isOffline) grant.session.isEnded = true;
  }
  const due = ending.filter(({ isRedeemed }) => isRedeemed).map(({ id }) => id);
  const revoked = told.revocations.flatMap((one) => (one.kind === 'session' && one.isOfGrant ? one : []));
  assert.deepEqual(new Set(revoked.map(({ sessionId }) => sessionId)), new Set(due));
  assert.equal(revoked.length, due.length);
  assert.deepEqual(told.ended.toSorted(), due.toSorted());
  for (const { sessionId, expiresAt } of revoked) {
    const { latest, by } = model.grants.find(({ id }) => id === sessionId) ?? assert.fail();
    assert.ok(expiresAt >= Math.max(latest, now), 'a revocation is kept as long as what it revokes');
    const longest = now + (by.accessTokenLifetime + GRACE_SECONDS) * 1000;
    assert.ok(expiresAt <= Math.max(latest, longest), 'and not much longer');
  }
}

function forget({ told }: Real) {
  told.revocations.length = 0;
  told.actions.length = 0;
  told.ended.length = 0;
  told.notices = 0;
}

/** What a machine has by itself. */
const ofNobody = { accountId: null, sessionId: null, endedAt: null, generation: 0 };

const command = (name: string, run: (model: Model, real: Real, now: number) => Promise<void>): Command => ({
  check: () => true,
  toString: () => name,
  async run(model, real) {
    forget(real);
    await run(model, real, real.clock.now());
  },
});

/** Returns a refresh token of a grant, and what it is now. @param back how many tokens came after it */
function present({ tokens, refreshedAt }: ModelGrant, back: number, now: number) {
  const later = Math.min(back, tokens.length - 1);
  const isCurrent = later === 0;
  const isRepeated = later === 1 && now < refreshedAt + GRACE_SECONDS * 1000;
  return { token: tokens.at(-1 - later), isCurrent, isRepeated };
}

/** Takes what machines have from the model, and from what the service has told. */
function dropOwn(model: Model, { told }: Real, isOver: (own: Grant) => boolean) {
  for (const { id } of model.own.filter(isOver)) {
    assert.ok(told.ended.includes(id), 'what a machine has ends too');
    told.ended = told.ended.filter((one) => one !== id);
    told.revocations = told.revocations.filter((one) => one.kind !== 'session' || one.sessionId !== id);
  }
  model.own = model.own.filter((own) => !isOver(own));
}

/** Makes a command on one grant. `which` counts from the newest. */
const onGrant = (
  name: string,
  which: number,
  run: (model: Model, real: Real, grant: ModelGrant, now: number) => Promise<void>,
): Command => ({
  ...command(`${name} ${which}`, (model, real, now) =>
    run(model, real, model.grants.at(-1 - (which % model.grants.length)) as ModelGrant, now),
  ),
  check: ({ grants }) => grants.length > 0,
});

const inTransaction = <Result>({ database }: Real, work: (tx: Tx) => Promise<Result>) => database.transaction(work);

const toSubject = (id: number) => ({ id, userName: 'ann', fullName: 'Ann', email: null, roles: [] });

const signIn = (place: number) =>
  command(`sign in ${place}`, async (model, real, now) => {
    const account = real.accounts[place] as number;
    const start = { amr: ['pwd'], mustChangePassword: false, origin };
    const { accessToken } = await inTransaction(real, (tx) => real.sessions.open(tx, toSubject(account), start));
    const session = {
      account,
      token: accessToken,
      ends: now + SESSION_SECONDS * 1000,
      isEnded: false,
      isRestricted: false,
      isOfGrant: false,
    };
    model.sessions.set(String(claimsOf(accessToken).sid), session);
  });

const findOpen = ({ sessions }: Model, which: number, now: number) => {
  const open = [...sessions].filter(([, one]) => !one.isOfGrant && !one.isEnded && now < one.ends);
  return open.at(-1 - (which % open.length)) ?? [];
};

/** What applications have goes on when the person's own token is refreshed. */
const renew = (which: number): Command => ({
  ...command(`renew ${which}`, async (model, real, now) => {
    const [, session] = findOpen(model, which, now);
    if (session === undefined) return;
    const token = await real.sessions.verify(session.token);
    const [issued] = await inTransaction(real, async (tx) => {
      const [swapped] = await real.sessions.swap(tx, [token]);
      const subject = toSubject(session.account);
      return swapped ? real.sessions.issue(tx, [{ ...swapped, subject, mustEnroll: false }]) : [];
    });
    session.token = issued?.accessToken ?? assert.fail('its token is the current one');
    expectEnded(model, real, []);
    // While the session is restricted, its grants may have no tokens either.
    const due = model.grants.filter(
      (one) => session.isRestricted && one.session === session && one.isRedeemed && one.endedAt === undefined,
    );
    for (const grant of due) grant.generation += 1;
    const told = real.told.revocations.map((one) => (one.kind === 'superseded' ? one.sessionId : one.kind));
    assert.deepEqual(told.toSorted(), [String(claimsOf(session.token).sid), ...due.map(({ id }) => id)].toSorted());
  }),
  check: ({ sessions }) => sessions.size > 0,
});

const approve = (which: number, by: Grantee, isOffline: boolean): Command => ({
  ...command(`approve ${which} ${by.name} ${isOffline}`, async (model, real, now) => {
    const [sid, session] = findOpen(model, which, now);
    if (sid === undefined || session === undefined) return;
    const scopes = isOffline ? ['openid', 'offline_access'] : ['openid'];
    const { grant, code } = await inTransaction(real, async (tx) =>
      real.grants.approve(tx, by, await real.sessions.requireOpen(tx, sid), { ...approval, scopes }, origin),
    );
    const times = { ends: now + CODE_SECONDS * 1000, endedAt: undefined, refreshedAt: now, latest: now };
    model.grants.push({
      id: grant.id,
      by,
      isOffline,
      code,
      session,
      ...times,
      isRedeemed: false,
      tokens: [],
      generation: 0,
    });
    assert.deepEqual([real.told.actions, real.told.person?.id], [['grant.given'], session.account]);
    assert.equal(real.told.repeatedBy, String(session.account));
    assert.match(real.told.person?.name ?? '', /^(ann|bob)$/);
  }),
  check: ({ sessions, grants }) => sessions.size > 0 && grants.length < 30,
});

/** Requires that a code or token that came again has ended the grant, and that its person is told. */
function expectReplayed(model: Model, real: Real, grant: ModelGrant) {
  const isOver = grant.endedAt !== undefined;
  expectEnded(model, real, isOver ? [] : [grant]);
  assert.deepEqual(real.told.actions, isOver ? [] : ['grant.replayed']);
  assert.equal(real.told.notices, isOver ? 0 : 1);
}

const redeem = (which: number) =>
  onGrant('redeem', which, async (model, real, grant, now) => {
    const given = await inTransaction(real, async (tx) => {
      const found = (await real.grants.findByCode(tx, grant.code)) ?? assert.fail();
      return real.grants.redeem(tx, grant.by, found, origin);
    });
    if (grant.isRedeemed) {
      assert.equal(given, undefined);
      return expectReplayed(model, real, grant);
    }
    assert.equal(given !== undefined, isOpen(grant, now) && isUsable(grant, now));
    expectEnded(model, real, []);
    if (!given) return assert.deepEqual(real.told.actions, []);
    assert.deepEqual(real.told.actions, ['grant.redeemed']);
    assert.equal(given.refreshToken !== null, grant.by.mayRefresh);
    assert.equal(given.grant.generation, 0);
    if (grant.isOffline) {
      const { account } = grant.session;
      grant.session = {
        account,
        token: '',
        ends: now + SESSION_SECONDS * 1000,
        isEnded: false,
        isRestricted: false,
        isOfGrant: true,
      };
      model.sessions.set(String(given.grant.sessionId), grant.session);
    }
    assert.equal(model.sessions.get(String(given.grant.sessionId)), grant.session);
    grant.isRedeemed = true;
    grant.ends = grant.session.ends;
    grant.refreshedAt = now;
    grant.latest = Math.min(now + grant.by.accessTokenLifetime * 1000, grant.ends);
    assert.deepEqual([given.grant.expiresAt, given.grant.tokensExpireAt], [grant.ends, grant.latest]);
    if (given.refreshToken !== null) grant.tokens.push(given.refreshToken);
  });

/** @param back how many tokens came after the one that is shown */
const refresh = (which: number, back: number, by: Grantee): Command => {
  const name = `refresh by ${by.name}, ${back} back,`;
  return onGrant(name, which, async (model, real, grant, now) => {
    const { token, isCurrent, isRepeated } = present(grant, back, now);
    if (token === undefined) return;
    const given = await inTransaction(real, (tx) => real.grants.refresh(tx, by, token, origin));
    if (by === grant.by && grant.endedAt === undefined && !isCurrent && !isRepeated) {
      assert.equal(given, undefined);
      return expectReplayed(model, real, grant);
    }
    assert.equal(given !== undefined, by === grant.by && isOpen(grant, now) && isUsable(grant, now));
    expectEnded(model, real, []);
    assert.deepEqual(real.told.actions, []);
    if (given) expectRefreshed(grant, given, { isCurrent, now });
  });
};

function expectRefreshed(grant: ModelGrant, given: Given, { isCurrent, now }: { isCurrent: boolean; now: number }) {
  const { refreshToken } = given;
  assert.ok(refreshToken);
  if (isCurrent) {
    assert.ok(!grant.tokens.includes(refreshToken));
    grant.tokens.push(refreshToken);
    grant.refreshedAt = now;
    grant.generation += 1;
  } else assert.equal(refreshToken, grant.tokens.at(-1), 'the former token leads to the same next one');
  grant.latest = Math.max(grant.latest, now + grant.by.accessTokenLifetime * 1000);
  assert.equal(given.grant.generation, grant.generation);
  assert.equal(given.grant.tokensExpireAt, grant.latest);
}

const inspect = (which: number, back: number) =>
  onGrant(`inspect ${back}`, which, async (model, real, grant, now) => {
    const [isThere, isFree] = [grant.isRedeemed && isOpen(grant, now), isUsable(grant, now)];
    assert.equal((await real.grants.findOpen(grant.id)) !== undefined, isThere);
    assert.equal((await real.grants.findOpen(grant.id, 'usable')) !== undefined, isThere && isFree);
    const { token, isCurrent, isRepeated } = present(grant, back, now);
    if (token !== undefined) {
      const leads = isFree && (isCurrent || isRepeated);
      assert.equal((await real.grants.findByRefreshToken(token)) !== undefined, isThere);
      assert.equal((await real.grants.findByRefreshToken(token, 'usable')) !== undefined, isThere && leads);
    }
    const { account } = grant.session;
    const listed = await inTransaction(real, (tx) => real.grants.listOpen(tx, { accountIds: [account] }));
    const due = model.grants.filter((one) => one.session.account === account && one.endedAt === undefined);
    assert.deepEqual(listed.map(({ id }) => id).toSorted(), due.map(({ id }) => id).toSorted());
  });

const end = (which: number) =>
  onGrant('end', which, async (model, real, grant) => {
    const wasOpen = grant.endedAt === undefined;
    await inTransaction(real, async (tx) => {
      const found = (await real.grants.findById(tx, grant.id)) ?? assert.fail();
      await real.grants.endByRequest(tx, found, grant.by, origin);
    });
    const isTold = wasOpen && grant.isRedeemed;
    expectEnded(model, real, wasOpen ? [grant] : []);
    assert.deepEqual(real.told.actions, isTold ? ['grant.ended'] : []);
  });

const endSession = (which: number): Command => ({
  ...command(`end session ${which}`, async (model, real, now) => {
    const all = [...model.sessions];
    const [sid, session] = all.at(-1 - (which % all.length)) ?? assert.fail();
    if (session.isEnded || now >= session.ends) return;
    await inTransaction(real, (tx) => real.sessions.end(tx, session.account, sid));
    session.isEnded = true;
    const due = model.grants.filter((one) => one.session === session && one.endedAt === undefined);
    expectEnded(model, real, due);
  }),
  check: ({ sessions }) => sessions.size > 0,
});

const restrict = (place: number, isRestricted: boolean) =>
  command(`restrict ${place} ${isRestricted}`, async (model, real) => {
    const account = real.accounts[place] as number;
    await inTransaction(real, (tx) => real.sessions.requirePasswordChange(tx, account, isRestricted));
    for (const one of model.sessions.values()) {
      if (one.account === account && !one.isEnded) one.isRestricted = isRestricted;
    }
    expectEnded(model, real, []);
    const due = model.grants.filter(
      ({ session, isRedeemed, endedAt }) =>
        isRestricted && isRedeemed && endedAt === undefined && session.account === account && !session.isEnded,
    );
    for (const grant of due) grant.generation += 1;
    const ids = new Set(model.grants.map(({ id }) => id));
    const told = real.told.revocations.flatMap((one) =>
      one.kind === 'superseded' && ids.has(one.sessionId) ? [[one.sessionId, one.generation]] : [],
    );
    assert.deepEqual(new Map(told as [string, number][]), new Map(due.map(({ id, generation }) => [id, generation])));
    assert.equal(told.length, due.length);
  });

const endAll = (by: Grantee) =>
  command(`end all of ${by.name}`, async (model, real) => {
    await inTransaction(real, (tx) => real.grants.end(tx, { applicationId: by.id }));
    dropOwn(model, real, ({ applicationId }) => applicationId === by.id);
    expectEnded(
      model,
      real,
      model.grants.filter((one) => one.by === by && one.endedAt === undefined),
    );
  });

const grantOwn = (by: Grantee) =>
  command(`grant to ${by.name} itself`, async (model, real, now) => {
    const own = { scopes: ['orders'], audience: 'api' };
    const grant = await inTransaction(real, (tx) => real.grants.grantOwn(tx, by, own));
    const until = now + by.accessTokenLifetime * 1000;
    const known = model.own.find((one) => one.applicationId === by.id && one.expiresAt > until);
    if (known) assert.equal(grant.id, known.id);
    assert.ok(grant.tokensExpireAt >= until && grant.expiresAt > until);
    const { accountId, sessionId, endedAt, generation } = grant;
    assert.deepEqual({ accountId, sessionId, endedAt, generation }, ofNobody);
    if (!known) model.own.push(grant);
  });

const endOwn = command('a machine gives up what it has', async (model, real) => {
  const [grant, ...rest] = model.own;
  if (!grant) return;
  model.own = rest;
  await inTransaction(real, (tx) => real.grants.endByRequest(tx, grant, grantees[0], origin));
  const { revocations, actions, person, repeatedBy, ended } = real.told;
  assert.deepEqual([revocations.length, actions, person, ended], [1, ['grant.ended'], undefined, [grant.id]]);
  assert.equal(repeatedBy, grant.applicationId);
});

const loseKey = command('a key is lost', async (model, real, at) => {
  await inTransaction(real, real.sessions.endAll);
  for (const session of model.sessions.values()) session.isEnded = true;
  const now = real.clock.now();
  const ending = model.grants.filter(({ endedAt }) => endedAt === undefined);
  const recent = ending.filter((one) => one.isRedeemed && at < one.refreshedAt + ISSUE_SECONDS * 1000);
  for (const grant of ending) Object.assign(grant, { endedAt: now, ends: now });
  const named = [...model.own, ...recent].map(({ id }) => id);
  model.own = [];
  const ofGrants = real.told.revocations.flatMap((one) => (one.kind === 'session' && one.isOfGrant ? one : []));
  assert.deepEqual(
    ofGrants.map(({ sessionId }) => sessionId).toSorted(),
    named.toSorted(),
    'one revocation is about all other tokens',
  );
  const open = real.database.sql.selectFrom('application_grant').select('id').where('ended_at', 'is', null);
  assert.deepEqual(await open.execute(), []);
});

const maintain = command('maintain', async (model, real, now) => {
  await real.grants.maintain();
  // An exchange under way may still have them, and another node's clock may be behind.
  const settled = now - 60_000;
  dropOwn(model, real, ({ expiresAt }) => expiresAt <= settled);
  expectEnded(
    model,
    real,
    model.grants.filter((one) => one.endedAt === undefined && one.ends <= settled),
  );
  const isKept = ({ ends }: ModelGrant) => ends >= now - 3_600_000;
  const tokens = model.grants
    .filter((one) => !isKept(one))
    .flatMap(({ by, tokens: all }) => all.map((token) => ({ by, token })));
  model.grants = model.grants.filter(isKept);
  for (const { by, token } of tokens)
    assert.equal(await inTransaction(real, (tx) => real.grants.refresh(tx, by, token, origin)), undefined);
  const rows = await real.database.sql
    .selectFrom('application_grant')
    .select('id')
    .where('account_id', 'is not', null)
    .execute();
  assert.deepEqual(rows.map(({ id }) => id).toSorted(), model.grants.map(({ id }) => id).toSorted());
});

const others = [endOwn, loseKey, maintain];
const move = (by: number) => command(`move ${by}`, async (_model, { clock }) => clock.advance(by));

const which = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(5));
const back = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(2));
const grantee = fc.oneof({ weight: 3, arbitrary: fc.constant(grantees[0]) }, fc.constant(grantees[1]));
const refreshing = fc.tuple(which, back, grantee).map(([n, one, by]) => refresh(n, one, by));
const place = fc.nat(1);
const commands = fc.commands(
  [
    place.map(signIn),
    fc.tuple(which, grantee, fc.boolean()).map(([n, by, isOffline]) => approve(n, by, isOffline)),
    fc.tuple(which, grantee, fc.boolean()).map(([n, by, isOffline]) => approve(n, by, isOffline)),
    which.map(redeem),
    which.map(redeem),
    ...[refreshing, refreshing, refreshing, refreshing],
    fc.tuple(which, back).map(([n, one]) => inspect(n, one)),
    which.map(end),
    which.map(endSession),
    which.map(renew),
    fc.tuple(place, fc.boolean()).map(([one, isRestricted]) => restrict(one, isRestricted)),
    grantee.map(grantOwn),
    fc.oneof(grantee.map(endAll), fc.constantFrom(...others)),
    fc.constantFrom(1, 29, 30, 59, 60, 300, 3600, 3601, 90_000).map(move),
  ],
  { size: 'max', maxCommands: 60 },
);

const [grafana, machine] = grantees;
const redeemed = [signIn(0), approve(0, grafana, false), redeem(0)];
const refreshedLate = [...redeemed, move(100), refresh(0, 0, grafana)];

/** What random sequences seldom reach: ends long after the first token, and calls at the very end of a time. */
const examples = [
  [...refreshedLate, loseKey],
  [...refreshedLate, end(0)],
  [...refreshedLate, move(ISSUE_SECONDS), loseKey],
  [...refreshedLate, move(GRACE_SECONDS - 1), refresh(0, 1, grafana)],
  [...refreshedLate, move(GRACE_SECONDS), refresh(0, 1, grafana)],
  [...refreshedLate, move(GRACE_SECONDS), refresh(0, 1, machine)],
  [...refreshedLate, end(0), move(3601), maintain],
  [...redeemed.slice(0, 2), move(CODE_SECONDS), redeem(0)],
  [...redeemed, move(SESSION_SECONDS), inspect(0, 0), refresh(0, 0, grafana)],
].map((sequence): [Iterable<Command>] => [sequence]);

for (const engine of engines) {
  describe(`any sequence of calls on grants on ${engine}`, () => {
    let database: Database;
    before(async () => {
      database = await openTestDatabase(engine);
    });
    after(() => database.close());

    it('behaves as the model', async () => {
      const { clock, random, secrets, revocations, start } = await prepareSessions(database, lifetimes);
      const accounts = createAccountStore(database, random);
      const people: number[] = [];
      for (const name of ['ann', 'bob']) {
        const input = { ...newAccount(name, {}), passwordHash: null };
        people.push((await accounts.add(database.sql, input, clock.now())) ?? assert.fail());
      }
      const told: Told = { revocations: [], actions: [], person: undefined, repeatedBy: '', notices: 0, ended: [] };
      const sessions = start();
      const audit: Partial<AuditTrail> = {
        async recordRepeatable(actor, { action, user }) {
          told.actions.push(action.name);
          told.repeatedBy = actor;
          told.person = user;
        },
      };
      const notifyOwner: NotifyOwner = async () => {
        told.notices += 1;
      };
      const grants = createGrants({
        ...{ database, accounts, sessions, revocations, notifyOwner, secrets, clock, random },
        store: createGrantStore(database),
        refreshTokens: createRefreshTokens({ secrets, random }),
        audit: audit as AuditTrail,
      });
      grants.whenEnded(async (_tx, ended) => void told.ended.push(...ended.map(({ id }) => id)));
      revocations.subscribe(async (_tx, all) => void told.revocations.push(...all));
      const property = fc.asyncProperty(commands, async (sequence) => {
        await database.sql.deleteFrom('session').execute();
        await database.sql.deleteFrom('application_grant').execute();
        await fc.asyncModelRun(
          () => ({
            model: { sessions: new Map(), grants: [], own: [] },
            real: { database, clock, accounts: people, sessions, grants, told },
          }),
          sequence,
        );
      });
      await fc.assert(property, { numRuns: engine === 'sqlite' ? 400 : 40, examples });
    });
  });
}
