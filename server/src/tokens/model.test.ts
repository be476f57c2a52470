// Sessions against a simple model: random sequences of calls, clock steps, restarts and new keys.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { ManualClock } from '../../test/support/clock.ts';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import { exchange } from '../../test/support/exchange.ts';
import { altered, claimsOf } from '../../test/support/forge.ts';
import { prepareSessions, SESSION_ISSUER } from '../../test/support/sessions.ts';
import { toIsoString } from '../foundation/clock.ts';
import { AuthError } from '../foundation/errors.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { IssuedToken, TokenSubject } from './access-tokens.ts';
import type { KeyRing } from './keys.ts';
import type { Sessions } from './sessions.ts';

const lifetimes = { accessTokenLifetime: 400, sessionLifetime: 1000, audience: 'everybody' };
const frontEnd = 'desk';
const userAgentOf = (account: number) => (account % 2 ? 'x'.repeat(300) : null);
const originOf = (account: number) => ({ ipAddress: '192.0.2.1', userAgent: userAgentOf(account), frontEnd });
const amr = ['otp'];
const subjectOf = (id: number): TokenSubject => ({
  id,
  userName: `user${id}`,
  fullName: `User ${id}`,
  email: id % 2 ? `user${id}@example.com` : null,
  roles: ['Reader'],
});

type ModelSession = {
  account: number;
  opened: number;
  ends: number;
  mustChange: boolean;
  /** How often its token was exchanged. */
  generation: number;
  isEnded: boolean;
  current: string;
};
type ModelToken = { text: string; session: ModelSession; sid: string; exp: number; nbf: number };
type Model = { sessions: Map<string, ModelSession>; tokens: ModelToken[]; refused: Set<string>; lost: Set<string> };
type Real = {
  readonly database: Database;
  readonly clock: ManualClock;
  readonly keys: KeyRing;
  readonly restart: () => Sessions;
  sessions: Sessions;
  isActive: boolean;
};
type Command = fc.AsyncCommand<Model, Real>;

const seconds = (now: number) => Math.floor(now / 1000);
const reasonOf = async (work: () => unknown) => {
  try {
    await work();
    return 'fine';
  } catch (error) {
    assert.ok(error instanceof AuthError, String(error));
    return error.reason;
  }
};
const inTransaction = <Result>({ database }: Real, work: (tx: Tx) => Promise<Result>) => database.transaction(work);
const isOpen = ({ isEnded, ends }: ModelSession, now: number) => !isEnded && now < ends;

/** Returns what the model expects for a token before the service looks at its session. */
function judge(model: Model, { text, exp, nbf }: ModelToken, now: number) {
  if (model.lost.has(text)) return 'token.invalid';
  if (now >= exp * 1000) model.refused.add(text);
  if (model.refused.has(text)) return 'token.expired';
  return seconds(now) < nbf ? 'token.invalid' : 'fine';
}

function expectIssued(model: Model, real: Real, session: ModelSession, issued: IssuedToken) {
  const iat = seconds(real.clock.now());
  const exp = Math.min(iat + lifetimes.accessTokenLifetime, seconds(session.ends));
  const { email, ...subject } = subjectOf(session.account);
  const { jti, sid, ...claims } = claimsOf(issued.accessToken);
  assert.deepEqual(claims, {
    iss: SESSION_ISSUER,
    aud: lifetimes.audience,
    sub: String(session.account),
    gen: session.generation,
    iat,
    nbf: iat - 30,
    exp,
    auth_time: seconds(session.opened),
    amr,
    acr: 'aal1',
    client_id: frontEnd,
    preferred_username: subject.userName,
    name: subject.fullName,
    ...(email !== null && { email }),
    roles: subject.roles,
  });
  assert.notEqual(jti, sid);
  assert.equal(issued.expireInSeconds, Math.max(1, exp - iat));
  assert.equal(issued.expireOn, toIsoString((exp * 1000) as Parameters<typeof toIsoString>[0]));
  session.current = issued.accessToken;
  model.tokens.push({ text: issued.accessToken, session, sid: String(sid), exp, nbf: iat - 30 });
  return String(sid);
}

const open = (account: number, mustChange: boolean): Command => ({
  check: () => true,
  toString: () => `open ${account} ${mustChange}`,
  async run(model, real) {
    const now = real.clock.now();
    const sign = { amr, mustChangePassword: mustChange, origin: originOf(account) } as const;
    const issued = await inTransaction(real, (tx) => real.sessions.open(tx, subjectOf(account), sign));
    const ends = now + lifetimes.sessionLifetime * 1000;
    const session = { account, opened: now, ends, mustChange, generation: 0, isEnded: false, current: '' };
    model.sessions.set(expectIssued(model, real, session, issued), session);
  },
});

/** Makes a command on one token. `which` counts from the newest. */
const onToken = (
  name: string,
  which: number,
  act: (model: Model, real: Real, token: ModelToken, now: number) => Promise<void>,
): Command => ({
  check: ({ tokens }) => tokens.length > 0,
  toString: () => `${name} ${which}`,
  run: (model, real) =>
    act(model, real, model.tokens.at(-1 - (which % model.tokens.length)) as ModelToken, real.clock.now()),
});

const check = (which: number) =>
  onToken('check', which, async (model, real, token, now) => {
    const verdict = judge(model, token, now);
    const { session, text, sid } = token;
    const isCurrent = model.sessions.has(sid) && isOpen(session, now) && session.current === text;
    const due = verdict !== 'fine' ? verdict : isCurrent ? 'fine' : 'token.revoked';
    assert.equal(await reasonOf(() => real.sessions.check(text)), due);
    if (due !== 'fine') return;
    const { account: accountId, mustChange: mustChangePassword } = session;
    const caller = { accountId, sessionId: sid, mustChangePassword, mustEnroll: false };
    assert.deepEqual(await real.sessions.check(text), caller);
    const forged = altered(text);
    assert.equal(await reasonOf(() => real.sessions.verify(forged)), 'token.invalid');
  });

const refresh = (which: number) =>
  onToken('refresh', which, async (model, real, token, now) => {
    const verdict = judge(model, token, now);
    const { session, text, sid } = token;
    const isCurrent = model.sessions.has(sid) && isOpen(session, now) && session.current === text && real.isActive;
    const due = verdict !== 'fine' ? verdict : isCurrent ? 'fine' : 'token.revoked';
    let issued: IssuedToken | undefined;
    const reason = await reasonOf(async () => {
      const verified = await real.sessions.verify(text);
      issued = await inTransaction(real, (tx) =>
        exchange(tx, real.sessions, verified, async (id) => (real.isActive ? subjectOf(id) : undefined)),
      );
    });
    assert.equal(reason, due);
    if (!issued) return;
    session.generation += 1;
    expectIssued(model, real, session, issued);
  });

const signOff = (which: number) =>
  onToken('signOff', which, async (model, real, token, now) => {
    const verdict = judge(model, token, now);
    assert.equal(await reasonOf(() => real.sessions.verify(token.text)), verdict);
    if (verdict !== 'fine') return;
    const wasOpen = model.sessions.has(token.sid) && isOpen(token.session, now);
    const ended = await inTransaction(real, async (tx) =>
      real.sessions.signOff(tx, await real.sessions.verify(token.text)),
    );
    assert.equal(ended, wasOpen ? token.session.account : undefined);
    if (wasOpen) token.session.isEnded = true;
  });

const end = (which: number, account: number) =>
  onToken(`end of ${account}`, which, async (model, real, { session, sid }, now) => {
    const isMine = model.sessions.has(sid) && isOpen(session, now) && session.account === account;
    const reason = await reasonOf(() => inTransaction(real, (tx) => real.sessions.end(tx, account, sid)));
    assert.equal(reason, isMine ? 'fine' : 'session.notFound');
    if (isMine) session.isEnded = true;
  });

const endOfAccount = (which: number, keep: boolean) =>
  onToken(`endOfAccount, keep ${keep}`, which, async (model, real, { session: { account }, sid }) => {
    const due = [...model.sessions].filter(
      ([id, one]) => one.account === account && !one.isEnded && !(keep && id === sid),
    );
    const except = keep ? [sid] : [];
    assert.equal(await inTransaction(real, (tx) => real.sessions.endOfAccount(tx, account, ...except)), due.length);
    for (const [, one] of due) one.isEnded = true;
  });

const inspect = (which: number) =>
  onToken('inspect', which, async (model, real, { session, sid }, now) => {
    const isThere = model.sessions.has(sid) && isOpen(session, now);
    const reason = await reasonOf(() => inTransaction(real, (tx) => real.sessions.requireOpen(tx, sid)));
    assert.equal(reason, isThere ? 'fine' : 'token.revoked');
    const mine = [...model.sessions].filter(([, one]) => one.account === session.account && isOpen(one, now));
    const listed = await real.sessions.listOpen(session.account);
    assert.deepEqual(new Set(listed.map(({ id }) => id)), new Set(mine.map(([id]) => id)));
    const kept = userAgentOf(session.account)?.slice(0, 256) ?? null;
    assert.ok(listed.every(({ userAgent }) => userAgent === kept));
  });

const endRestriction = (which: number) =>
  onToken('endRestriction', which, async (model, real, { session: { account } }) => {
    await inTransaction(real, (tx) => real.sessions.requirePasswordChange(tx, account, false));
    for (const one of model.sessions.values()) if (one.account === account && !one.isEnded) one.mustChange = false;
  });

const plain = (name: string, run: (model: Model, real: Real) => Promise<void>): Command => ({
  check: () => true,
  toString: () => name,
  run,
});

const others = [
  plain('endAll', async (model, real) => {
    const due = [...model.sessions.values()].filter(({ isEnded }) => !isEnded);
    assert.equal(await inTransaction(real, real.sessions.endAll), due.length);
    for (const one of due) one.isEnded = true;
  }),
  plain('deleteExpired', async (model, real) => {
    await real.sessions.deleteExpired();
    for (const [id, { ends }] of model.sessions) if (ends < real.clock.now()) model.sessions.delete(id);
    const { length } = await real.database.sql.selectFrom('session').select('id').execute();
    assert.equal(length, model.sessions.size);
  }),
  plain('restart', async (model, real) => {
    model.refused.clear();
    real.sessions = real.restart();
  }),
  plain('(de)activate', async (_model, real) => {
    real.isActive = !real.isActive;
  }),
  plain('new key', async (model, real) => {
    await real.keys.rotate({ compromised: true });
    model.refused.clear();
    for (const { text } of model.tokens) model.lost.add(text);
  }),
  plain('next key', async (model, real) => {
    await real.keys.rotate({ compromised: false });
    model.refused.clear();
  }),
];
const move = (by: number) => plain(`move ${by}`, async (_model, { clock }) => clock.advance(by));

const which = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(9));
const commands = fc.commands(
  [
    fc.tuple(fc.constantFrom(7, 8), fc.boolean()).map(([account, mustChange]) => open(account, mustChange)),
    which.map(check),
    which.map(refresh),
    which.map(refresh),
    which.map(signOff),
    fc.tuple(which, fc.constantFrom(7, 8)).map(([n, account]) => end(n, account)),
    fc.tuple(which, fc.boolean()).map(([n, keep]) => endOfAccount(n, keep)),
    which.map(inspect),
    which.map(endRestriction),
    fc.constantFrom(...others),
    fc.constantFrom(1, 30, 200, 399, 400, 1000, -1, -30, -31, -400).map(move),
  ],
  { size: 'max', maxCommands: 40 },
);

for (const engine of engines) {
  describe(`any sequence of calls on sessions on ${engine}`, () => {
    let database: Database;
    before(async () => {
      database = await openTestDatabase(engine);
    });
    after(() => database.close());

    it('behaves as the model', async () => {
      const { clock, keys, start: restart } = await prepareSessions(database, lifetimes);
      const property = fc.asyncProperty(commands, async (sequence) => {
        await database.sql.deleteFrom('session').execute();
        await fc.asyncModelRun(
          () => ({
            model: { sessions: new Map(), tokens: [], refused: new Set<string>(), lost: new Set<string>() },
            real: { database, clock, keys, restart, sessions: restart(), isActive: true },
          }),
          sequence,
        );
      });
      await fc.assert(property, { numRuns: engine === 'sqlite' ? 150 : 40 });
    });
  });
}
