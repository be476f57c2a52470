// The feed against a simple model of sessions: after any history, and from any cursor on, what a reader has read makes it refuse
// exactly the tokens that are revoked.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { createManualClock } from '../../test/support/clock.ts';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import { exchange } from '../../test/support/exchange.ts';
import { createFeedReader, type FeedReader } from '../../test/support/feed-reader.ts';
import { claimsOf, headerOf } from '../../test/support/forge.ts';
import { nextSecond, toNumericDate } from '../foundation/clock.ts';
import { systemRandom } from '../foundation/random.ts';
import { createSecrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Database, Tx } from '../storage/database.ts';
import {
  createKeyRing,
  createKeyStore,
  createRevocations,
  createSessionStore,
  createSessions,
} from '../tokens/index.ts';
import { createRevocationFeed } from './feed.ts';
import { createRevocationStore } from './store.sql.ts';

const HOUR = 3600;
const lifetimes = { accessTokenLifetime: 2 * HOUR, sessionLifetime: 9 * HOUR, audience: 'everybody' };
// The session service reads no other setting.
const settings = { read: () => lifetimes } as unknown as SettingReader;
const origin = { ipAddress: '192.0.2.1', userAgent: null, frontEnd: 'desk' };

type ModelSession = {
  account: number;
  isEnded: boolean;
  mustChange: boolean;
  mustEnroll: boolean;
  hasTwoFactors: boolean;
  passkeyId: string | undefined;
  current: string;
};
type ModelToken = { text: string; sid: string; nbf: number; exp: number; iat: number; wasRestricted: boolean };

const isRestricted = ({ mustChange, mustEnroll }: ModelSession) => mustChange || mustEnroll;

/** The service, the model beside it, and readers at different places. */
function createWorld(database: Database) {
  const clock = createManualClock();
  const random = systemRandom;
  const secrets = createSecrets('a secret of at least thirty-two characters', random);
  const revocations = createRevocations();
  const store = createRevocationStore(database);
  const onError = (error: unknown) => assert.fail(String(error));
  const feed = createRevocationFeed({ store, revocations, clock, random, onError });
  const keys = createKeyRing({
    database,
    store: createKeyStore(),
    revocations,
    record: async () => {},
    secrets,
    clock,
    random,
  });
  const sessions = createSessions({
    store: createSessionStore(database),
    keys,
    revocations,
    settings,
    issuer: 'https://login.example.com',
    clock,
    random,
  });
  const model = {
    sessions: new Map<string, ModelSession>(),
    tokens: [] as ModelToken[],
    lostKeys: new Set<unknown>(),
    issuedBefore: 0,
  };
  const newReader = () =>
    createFeedReader((cursor) =>
      feed.read(cursor).catch((error) => {
        assert.equal(error.reason, 'feed.cursorGone');
        return undefined;
      }),
    );
  const readers = [newReader(), newReader()];
  const run = <Result>(work: (tx: Tx) => Promise<Result>) => database.transaction(work);

  function keep(text: string, session: ModelSession) {
    const { sid, nbf, exp, iat } = claimsOf(text);
    session.current = text;
    model.sessions.set(String(sid), session);
    model.tokens.push({
      text,
      sid: String(sid),
      nbf: Number(nbf),
      exp: Number(exp),
      iat: Number(iat),
      wasRestricted: isRestricted(session),
    });
  }
  /** The current tokens of restricted sessions stay refused until they are exchanged. */
  function mark() {
    for (const token of model.tokens) {
      const session = model.sessions.get(token.sid);
      if (session?.current === token.text && isRestricted(session)) token.wasRestricted = true;
    }
  }
  function judge({ text, sid, wasRestricted }: ModelToken): 'revoked' | 'valid' {
    const session = model.sessions.get(sid);
    const isCurrent = session && !session.isEnded && session.current === text;
    return isCurrent && !wasRestricted && !model.lostKeys.has(headerOf(text).kid) ? 'valid' : 'revoked';
  }
  const isExpired = ({ exp }: ModelToken) => exp * 1000 <= clock.now();
  /** Whether the service accepts the token's times and signature. A clock that is set back may be too far before `nbf`. */
  const isUsable = (token: ModelToken) =>
    !isExpired(token) && token.nbf * 1000 <= clock.now() && !model.lostKeys.has(headerOf(token.text).kid);

  async function check(reader: FeedReader) {
    await reader.catchUp();
    for (const token of model.tokens) {
      if (isExpired(token)) continue;
      const isRefused = reader.refuses(token.text);
      // A clock that is set back issues tokens that the end of all sessions covers.
      if (judge(token) === 'valid')
        assert.ok(!isRefused || token.iat < model.issuedBefore, 'a valid token is accepted');
      else assert.ok(isRefused, 'a revoked token is refused');
    }
  }

  const operations: Record<string, (which: number, flag: boolean) => Promise<unknown>> = {
    async open(which, flag) {
      const session = {
        account: which % 2,
        isEnded: false,
        mustChange: flag && which > 4,
        mustEnroll: flag,
        hasTwoFactors: which > 5,
        passkeyId: which % 3 === 0 ? `${which}` : undefined,
        current: '',
      };
      const start = {
        amr: session.hasTwoFactors ? ['pwd', 'mfa'] : ['pwd'],
        mustChangePassword: session.mustChange,
        mustEnroll: session.mustEnroll,
        passkeyId: session.passkeyId,
        origin,
      };
      keep((await run((tx) => sessions.open(tx, subjectOf(session.account), start))).accessToken, session);
    },
    async exchange(which, flag) {
      const token = model.tokens.at(-1 - which);
      const session = token && model.sessions.get(token.sid);
      if (!token || !session || !isUsable(token)) return;
      const verified = await sessions.verify(token.text);
      const find = async (id: number) => ({ ...subjectOf(id), mustEnroll: flag });
      const proof = { amr: ['otp'] };
      const attempt = run((tx) => exchange(tx, sessions, verified, find, which % 3 === 0 ? proof : undefined));
      const issued = await attempt.catch(() => undefined);
      assert.equal(issued !== undefined, !session.isEnded && session.current === token.text);
      if (issued) keep(issued.accessToken, Object.assign(session, { mustEnroll: flag }));
    },
    async signOff(which) {
      const token = model.tokens.at(-1 - which);
      const session = token && model.sessions.get(token.sid);
      if (!token || !session || !isUsable(token)) return;
      await run(async (tx) => sessions.signOff(tx, await sessions.verify(token.text)));
      session.isEnded = true;
    },
    async endOfAccount(which, flag) {
      const [kept] = [...model.sessions].filter(([, { account }]) => flag && account === which % 2).at(-1) ?? [];
      await run((tx) => sessions.endOfAccount(tx, which % 2, kept));
      for (const [id, one] of model.sessions) if (one.account === which % 2 && id !== kept) one.isEnded = true;
    },
    async requirePasswordChange(which, flag) {
      await run((tx) => sessions.requirePasswordChange(tx, which % 2, flag));
      for (const one of model.sessions.values()) if (one.account === which % 2) one.mustChange = flag && !one.isEnded;
    },
    async endEnrollment(which) {
      const [id, session] = [...model.sessions].at(-1 - which) ?? [];
      if (id === undefined || !session || session.isEnded) return;
      await run((tx) => sessions.endEnrollment(tx, session.account, id));
      session.mustEnroll = false;
      for (const one of model.sessions.values()) {
        const isWeak = one.mustEnroll || !one.hasTwoFactors;
        if (one !== session && one.account === session.account && isWeak) one.isEnded = true;
      }
    },
    async restrictToEnrollment(which) {
      await run((tx) => sessions.restrictToEnrollment(tx, [which % 2]));
      for (const one of model.sessions.values()) if (one.account === which % 2 && !one.isEnded) one.mustEnroll = true;
    },
    async endOpenedByPasskey(which, flag) {
      const passkeyId = flag ? `${which}` : undefined;
      const account = which % 2;
      await run((tx) => sessions.endOpenedByPasskey(tx, account, passkeyId === undefined ? {} : { passkeyId }));
      for (const one of model.sessions.values()) {
        const isOpened = flag ? one.passkeyId === passkeyId : one.passkeyId !== undefined;
        if (one.account === account && isOpened) one.isEnded = true;
      }
    },
    async endAll() {
      await run(sessions.endAll);
      const instant = nextSecond(clock.now());
      model.issuedBefore = Math.max(model.issuedBefore, toNumericDate(instant));
      for (const one of model.sessions.values()) one.isEnded = true;
      clock.advance(1);
    },
    async rotate(_which, flag) {
      await keys.rotate({ compromised: flag });
      if (flag) for (const { text } of model.tokens) model.lostKeys.add(headerOf(text).kid);
    },
    async move(which, flag) {
      clock.advance([1, 30, HOUR, 2 * HOUR][which % 4] as number);
      if (flag) clock.set(-30);
    },
    async cleanUp() {
      for (const job of [feed.deleteExpired, sessions.deleteExpired]) await job();
    },
    check: (which) => check(readers[which % 2] as FeedReader),
  };
  return {
    operations,
    mark,
    checkAll: async () => {
      for (const reader of [...readers, newReader()]) await check(reader);
    },
    load: async () => {
      await feed.load();
      await keys.load();
    },
  };
}

const subjectOf = (id: number) => ({ id, userName: `user${id}`, fullName: 'User', email: null, roles: [] });

const frequent = ['open', 'exchange', 'exchange', 'exchange', 'check', 'signOff'];
const rare = [
  'endOfAccount',
  'requirePasswordChange',
  'endEnrollment',
  'restrictToEnrollment',
  'endOpenedByPasskey',
  'endAll',
  'rotate',
  'move',
  'cleanUp',
];
const steps = fc.array(fc.tuple(fc.constantFrom(...frequent, ...rare), fc.nat(7), fc.boolean()), {
  maxLength: 50,
  size: 'max',
});

/** A clock that was ahead has issued the last token, so that its time is after the end of all sessions. */
const aheadOfTheEnd: [string, number, boolean][] = [
  ['open', 0, false],
  ['move', 2, false],
  ['exchange', 0, false],
  ['move', 0, true],
  ['endAll', 0, false],
];

for (const engine of engines) {
  describe(`what readers of the feed refuse on ${engine}`, () => {
    let database: Database;
    before(async () => {
      database = await openTestDatabase(engine);
    });
    after(() => database.close());

    it('is what was revoked, after any sequence, at any cursor', async () => {
      const property = fc.asyncProperty(steps, async (sequence) => {
        for (const table of ['session', 'revocation', 'signing_key'] as const)
          await database.sql.deleteFrom(table).execute();
        const world = createWorld(database);
        await world.load();
        for (const [name, which, flag] of sequence) {
          await world.operations[name]?.(which, flag);
          world.mark();
        }
        await world.checkAll();
      });
      await fc.assert(property, { numRuns: engine === 'sqlite' ? 150 : 40, examples: [[aheadOfTheEnd]] });
    });
  });
}
