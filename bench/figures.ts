// The figures of calls: what is measured, against what, and the targets.
import { type Contestant, hashing, latencyBeside, throughput } from './contestants.ts';
import { DIRECTUS_REFRESH } from './directus.ts';
import { ACCOUNTS, PASSWORD, paths, signIns } from './latchkey.ts';
import { bearers, type Call, CONNECTIONS, get, type Load, post, refreshes } from './load.ts';
import { betterAuthPaths, betterAuthSignIns } from './peers.ts';
import { pocketBasePaths, pocketBaseSignIns } from './pocketbase.ts';
import type { Figure } from './report.ts';
import { countTurns, type Turn, totalSeconds } from './rounds.ts';
import { memoryUse, ready } from './starts.ts';

const LIVE_TOKENS = 10_000;
const PACE = 500;

/**
 * About as many new tokens as a contestant checks in a second: a round takes as long as others do. Each connection has
 * as many as it sends requests, or it would repeat some.
 */
const NEW_PER_SECOND = 440 * CONNECTIONS;

/** The tokens that warm up: more than the service remembers verdicts for, so that each check verifies a signature. */
const WARM_UP_TOKENS = 30_000;

const cookieCalls = (cookies: readonly string[]): Call[] => cookies.map((cookie) => ({ headers: { cookie } }));

const signIn: Figure = {
  name: 'sign-in',
  title: 'Sign-in',
  unit: 'per second',
  about: `${CONNECTIONS} connections, ${ACCOUNTS} accounts in rotation, none twice at once: all of the work, limits, lockout, audit and session. Hashes decide this figure: compare the lines with the same argon2id. better-auth's own scrypt and PocketBase's bcrypt of cost 10 are other hashes with other parameters.`,
  rounds: 'hashes',
  contestants: 5,
  async open(arena) {
    const { driver, withPeers } = arena;
    const { server, passwordHash } = await arena.startLatchkey(0);
    const argon2 = await arena.startArgon2(passwordHash);
    const contestants = [
      throughput('Latchkey', {
        server,
        driver,
        load: ({ seconds }) => post(server.url + paths.authenticate, signIns, seconds),
      }),
      hashing('bare argon2id verification, same parameters and threads', argon2, { ratio: { atLeast: 0.95 } }),
    ];
    if (!withPeers) return contestants;
    for (const argon2Hash of [passwordHash, null]) {
      const { server: peer } = await arena.startBetterAuth(
        arena.betterAuth({ sessions: 0, argon2Hash, cookieCache: false }),
      );
      const calls = betterAuthSignIns(ACCOUNTS, PASSWORD);
      contestants.push(
        throughput(argon2Hash ? 'better-auth, same argon2id' : 'better-auth, its own scrypt', {
          server: peer,
          driver,
          load: ({ seconds }) => post(peer.url + betterAuthPaths.signIn, calls, seconds),
          compared: argon2Hash ? { ratio: { atLeast: 1.15 } } : 'shown',
        }),
      );
    }
    const pocketBase = await arena.startPocketBase();
    if (!pocketBase) return contestants;
    const { server: peer, users } = pocketBase;
    const calls = pocketBaseSignIns(users.length, PASSWORD);
    const load = ({ seconds }: Turn) => post(peer.url + pocketBasePaths.signIn, calls, seconds);
    const name = 'PocketBase, its own bcrypt';
    return [...contestants, throughput(name, { server: peer, driver: peer.driver, load, compared: 'shown' })];
  },
};

const tokenCheck: Figure = {
  name: 'token-check',
  title: 'Token check',
  unit: 'per second',
  about: `GetCurrentLoginInfo, ${LIVE_TOKENS} live tokens in rotation, ${CONNECTIONS} connections. better-auth answers its session check. PocketBase has no sessions: it answers the account's own record by its id, which is the cheapest call with a token, and uses all cores.`,
  rounds: 'calls',
  contestants: 5,
  async open(arena) {
    const { driver, withPeers } = arena;
    const { server, ...prepared } = await arena.startLatchkey(LIVE_TOKENS);
    const fastify = await arena.startFastify(server, prepared);
    const calls = bearers(prepared.tokens);
    const contestants = [
      throughput('Latchkey', {
        server,
        driver,
        load: ({ seconds }) => get(server.url + paths.currentLogin, calls, seconds),
      }),
      throughput('bare Fastify, a constant of the same size', {
        server: fastify,
        driver,
        load: ({ seconds }) => get(`${fastify.url}/constant`, calls, seconds),
        compared: { ratio: { atLeast: 0.5 } },
      }),
    ];
    if (!withPeers) return contestants;
    for (const cookieCache of [false, true]) {
      const options = { sessions: LIVE_TOKENS, argon2Hash: prepared.passwordHash, cookieCache };
      const { server: peer, cookies } = await arena.startBetterAuth(arena.betterAuth(options));
      contestants.push(
        throughput(cookieCache ? 'better-auth, cookie cache' : 'better-auth', {
          server: peer,
          driver,
          load: ({ seconds }) => get(peer.url + betterAuthPaths.session, cookieCalls(cookies), seconds),
          compared: cookieCache ? 'shown' : { ratio: { atLeast: 20 } },
        }),
      );
    }
    const pocketBase = await arena.startPocketBase();
    if (!pocketBase) return contestants;
    const { server: peer, users } = pocketBase;
    const reads = users.flatMap(({ id, token }) =>
      bearers([token]).map((call) => ({ ...call, path: pocketBasePaths.record(id) })),
    );
    const load = ({ seconds }: Turn) => get(peer.url, reads, seconds);
    return [...contestants, throughput('PocketBase', { server: peer, driver: peer.driver, load, compared: 'shown' })];
  },
};

const firstCheck: Figure = {
  name: 'first-check',
  title: 'Token check, every token for the first time',
  unit: 'per second',
  about: `GetCurrentLoginInfo, ${CONNECTIONS} connections. A round ends with its tokens, ${NEW_PER_SECOND} for each second that it has, and so sooner if they are checked faster. Each is sent once and never before. The warm-up repeats other ${WARM_UP_TOKENS} tokens, more than the service remembers.`,
  rounds: 'calls',
  contestants: 2,
  preparing: 60,
  async open(arena) {
    const { driver } = arena;
    const rounds = arena.plan.calls;
    const fresh = NEW_PER_SECOND * (totalSeconds(rounds) - rounds.warmUp);
    const { server, ...prepared } = await arena.startLatchkey(WARM_UP_TOKENS + fresh + 1);
    const fastify = await arena.startFastify(server, prepared);
    const once = (url: string) => {
      // The first token has been sent to learn the answer.
      let next = 1;
      const take = (count: number) => {
        const taken = prepared.tokens.slice(next, next + count);
        next += count;
        return bearers(taken);
      };
      return ({ kind, seconds }: Turn): Load => {
        if (kind === 'warm-up') return get(url, take(WARM_UP_TOKENS), seconds);
        const amount = NEW_PER_SECOND * seconds;
        return { ...get(url, take(amount), seconds), amount };
      };
    };
    return [
      throughput('Latchkey', { server, driver, load: once(server.url + paths.currentLogin) }),
      throughput('bare Fastify and one ES256 verification', {
        server: fastify,
        driver,
        load: once(`${fastify.url}/verified`),
        compared: { ratio: { atLeast: 1 } },
      }),
    ];
  },
};

const refresh: Figure = {
  name: 'refresh',
  title: 'Refresh, durable',
  unit: 'per second',
  about: `${CONNECTIONS} sessions at once, each refreshing the token it has just been given. Directus's are all of one account. PocketBase's refresh reads the account and signs a new token; it stores nothing, revokes nothing, and uses all cores: *CPU ratio* compares it.`,
  rounds: 'calls',
  contestants: 4,
  preparing: 40,
  async open(arena) {
    const { driver } = arena;
    const sessions = countTurns(arena.plan.calls) * CONNECTIONS;
    const { server, tokens } = await arena.startLatchkey(sessions);
    const limit = await arena.startRefreshLimit(tokens[0] ?? '');
    // Requests of the previous turn are still under way when it ends: the next one begins with other sessions.
    const ofTurn = (all: readonly string[], { number }: Turn) =>
      all.slice(number * CONNECTIONS, (number + 1) * CONNECTIONS);
    const load = (url: string) => (turn: Turn) => {
      return { ...post(url, bearers(ofTurn(tokens, turn)), turn.seconds), follows: 'result.accessToken' } as const;
    };
    const contestants: Contestant[] = [
      throughput('Latchkey', { server, driver, load: load(server.url + paths.refresh) }),
      throughput('Fastify, one verification, one signature, one durable commit', {
        server: limit,
        driver,
        load: load(`${limit.url}/refresh`),
        compared: { ratio: { atLeast: 1.6 } },
      }),
    ];
    const directus = arena.withPeers && (await arena.startDirectus(sessions));
    if (directus) {
      const { server: peer, refreshTokens } = directus;
      const peerLoad = (turn: Turn): Load => {
        const calls = refreshes(ofTurn(refreshTokens, turn));
        return { ...post(peer.url + DIRECTUS_REFRESH, calls, turn.seconds), follows: 'data.refresh_token' };
      };
      contestants.push(
        throughput('Directus', { server: peer, driver, load: peerLoad, compared: { ratio: { atLeast: 20 } } }),
      );
    }
    const pocketBase = arena.withPeers && (await arena.startPocketBase());
    if (pocketBase) {
      const { server: peer, users } = pocketBase;
      const calls = bearers(users.slice(0, CONNECTIONS).map(({ token }) => token));
      const peerLoad = ({ seconds }: Turn): Load => ({
        ...post(peer.url + pocketBasePaths.refresh, calls, seconds),
        follows: 'token',
      });
      const compared = { cpuRatio: { atLeast: 1.4 } };
      contestants.push(throughput('PocketBase', { server: peer, driver: peer.driver, load: peerLoad, compared }));
    }
    return contestants;
  },
};

const besideSignIn: Figure = {
  name: 'check-beside-sign-in',
  title: 'Token check while sign-in is saturated',
  unit: 'ms, 99th percentile',
  about: `GetCurrentLoginInfo ${PACE} times a second, evenly spaced, while ${CONNECTIONS} more connections sign in as fast as they can.`,
  rounds: 'hashes',
  contestants: 2,
  async open(arena) {
    const { driver } = arena;
    const { server, ...prepared } = await arena.startLatchkey(LIVE_TOKENS);
    const fastify = await arena.startFastify(server, prepared);
    const calls = bearers(prepared.tokens);
    const load = (url: string) => (seconds: number) => ({ ...get(url, calls, seconds), rate: PACE });
    return [
      latencyBeside('Latchkey', {
        server,
        driver,
        load: load(server.url + paths.currentLogin),
        background: (seconds) => post(server.url + paths.authenticate, signIns, seconds),
        target: { atMost: 15 },
      }),
      latencyBeside('bare Fastify beside the same hashing', {
        server: fastify,
        driver,
        load: load(`${fastify.url}/constant`),
        background: (seconds) => post(`${fastify.url}/hash`, signIns, seconds),
        compared: 'shown',
      }),
    ];
  },
};

/** In the order of the page. */
export const figures: readonly Figure[] = [signIn, tokenCheck, firstCheck, refresh, besideSignIn, memoryUse, ready];
