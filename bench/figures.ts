// The figures: what is measured, against what, and the targets.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena } from './arena.ts';
import type { Server } from './children.ts';
import { type Contestant, hashing, latencyBeside, memory, readiness, throughput } from './contestants.ts';
import { DIRECTUS_REFRESH } from './directus.ts';
import { ACCOUNTS, PASSWORD, paths, signInOf } from './latchkey.ts';
import { bearers, type Call, CONNECTIONS, type Load, posts, refreshes } from './load.ts';
import { betterAuthPaths, betterAuthSignInOf } from './peers.ts';
import { installPocketBase, startPocketBase } from './pocketbase.ts';

export type Figure = {
  /** The NAME in `npm run bench -- NAME`. */
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  /** The exact measurement. */
  readonly about: string;
  /** Starts the contestants; the first is the service. */
  open(arena: Arena): Promise<Contestant[]>;
};

const LIVE_TOKENS = 10_000;
const ONCE_PER_ROUND = 20_000;
const PACE = 500;

const numbers = Array.from({ length: ACCOUNTS }, (_, n) => n);
const signIns = posts(numbers.map(signInOf));
const betterAuthSignIns = posts(numbers.map((n) => betterAuthSignInOf(n, PASSWORD)));
const cookieCalls = (cookies: readonly string[]): Call[] => cookies.map((cookie) => ({ headers: { cookie } }));

const post = (url: string, calls: readonly Call[], seconds: number): Load => ({
  url,
  method: 'POST',
  calls,
  connections: CONNECTIONS,
  seconds,
});
const get = (url: string, calls: readonly Call[], seconds: number): Load => ({
  ...post(url, calls, seconds),
  method: 'GET',
});

const signIn: Figure = {
  name: 'sign-in',
  title: 'Sign-in',
  unit: 'per second',
  about: `${CONNECTIONS} connections, ${ACCOUNTS} accounts in rotation, none twice at once: all of the work, limits, lockout, audit and session.`,
  async open(arena) {
    const { driver, seconds, withPeers } = arena;
    const { server, passwordHash } = await arena.startLatchkey(0);
    const argon2 = await arena.startArgon2(passwordHash);
    const contestants = [
      throughput('Latchkey', { server, driver, load: () => post(server.url + paths.authenticate, signIns, seconds) }),
      hashing('bare argon2id verification, same parameters and threads', argon2, seconds, { atLeast: 0.9 }),
    ];
    if (!withPeers) return contestants;
    for (const argon2Hash of [passwordHash, null]) {
      const peer = await arena.startBetterAuth(arena.betterAuth({ sessions: 0, argon2Hash, cookieCache: false }));
      const load = () => post(peer.server.url + betterAuthPaths.signIn, betterAuthSignIns, seconds);
      const name = argon2Hash ? 'better-auth, same argon2id' : 'better-auth, its own scrypt';
      contestants.push(throughput(name, { server: peer.server, driver, load, ratio: 'shown' }));
    }
    return contestants;
  },
};

const tokenCheck: Figure = {
  name: 'token-check',
  title: 'Token check',
  unit: 'per second',
  about: `GetCurrentLoginInfo, ${LIVE_TOKENS} live tokens in rotation, ${CONNECTIONS} connections; the peer answers its session check.`,
  async open(arena) {
    const { driver, seconds, withPeers } = arena;
    const { server, ...prepared } = await arena.startLatchkey(LIVE_TOKENS);
    const fastify = await arena.startFastify(server, prepared);
    const calls = bearers(prepared.tokens);
    const contestants = [
      throughput('Latchkey', { server, driver, load: () => get(server.url + paths.currentLogin, calls, seconds) }),
      throughput('bare Fastify, a constant of the same size', {
        server: fastify,
        driver,
        load: () => get(`${fastify.url}/constant`, calls, seconds),
        ratio: { atLeast: 0.45 },
      }),
    ];
    if (!withPeers) return contestants;
    for (const cookieCache of [false, true]) {
      const options = { sessions: LIVE_TOKENS, argon2Hash: prepared.passwordHash, cookieCache };
      const { server: peer, cookies } = await arena.startBetterAuth(arena.betterAuth(options));
      const load = () => get(peer.url + betterAuthPaths.session, cookieCalls(cookies), seconds);
      const name = cookieCache ? 'better-auth, cookie cache' : 'better-auth';
      contestants.push(
        throughput(name, { server: peer, driver, load, ratio: cookieCache ? 'shown' : { atLeast: 12 } }),
      );
    }
    return contestants;
  },
};

const firstCheck: Figure = {
  name: 'first-check',
  title: 'Token check, every token for the first time',
  unit: 'per second',
  about: `GetCurrentLoginInfo, ${ONCE_PER_ROUND} tokens a round, each sent once and never before, ${CONNECTIONS} connections.`,
  async open(arena) {
    const { driver, rounds } = arena;
    const { server, ...prepared } = await arena.startLatchkey((rounds + 1) * ONCE_PER_ROUND + 1);
    const fastify = await arena.startFastify(server, prepared);
    const once = (url: string) => (round: number) => {
      const start = round * ONCE_PER_ROUND + 1;
      const calls = bearers(prepared.tokens.slice(start, start + ONCE_PER_ROUND));
      return { url, method: 'GET', calls, connections: CONNECTIONS, amount: ONCE_PER_ROUND } as const;
    };
    return [
      throughput('Latchkey', { server, driver, load: once(server.url + paths.currentLogin) }),
      throughput('bare Fastify and one ES256 verification', {
        server: fastify,
        driver,
        load: once(`${fastify.url}/verified`),
        ratio: { atLeast: 0.75 },
      }),
    ];
  },
};

const refresh: Figure = {
  name: 'refresh',
  title: 'Refresh, durable',
  unit: 'per second',
  about: `${CONNECTIONS} sessions at once, each refreshing the token it has just been given; the peer's are all of one account.`,
  async open(arena) {
    const { driver, rounds, seconds } = arena;
    const { server, tokens } = await arena.startLatchkey((rounds + 1) * CONNECTIONS);
    const limit = await arena.startRefreshLimit(tokens[0] ?? '');
    // Requests of the previous round are still under way when it ends: the next one begins with other sessions.
    const ofRound = (all: readonly string[], round: number) =>
      all.slice(round * CONNECTIONS, (round + 1) * CONNECTIONS);
    const load = (url: string) => (round: number) => {
      return { ...post(url, bearers(ofRound(tokens, round)), seconds), follows: 'bearer' } as const;
    };
    const contestants = [
      throughput('Latchkey', { server, driver, load: load(server.url + paths.refresh) }),
      throughput('Fastify, one verification, one signature, one durable commit', {
        server: limit,
        driver,
        load: load(`${limit.url}/refresh`),
        ratio: { atLeast: 0.6 },
      }),
    ];
    const directus = await arena.startDirectus((rounds + 1) * CONNECTIONS);
    if (!directus) return contestants;
    const { server: peer, refreshTokens } = directus;
    const peerLoad = (round: number): Load => {
      const calls = refreshes(ofRound(refreshTokens, round));
      return { ...post(peer.url + DIRECTUS_REFRESH, calls, seconds), follows: 'body' };
    };
    return [...contestants, throughput('Directus', { server: peer, driver, load: peerLoad, ratio: { atLeast: 12 } })];
  },
};

const besideSignIn: Figure = {
  name: 'check-beside-sign-in',
  title: 'Token check while sign-in is saturated',
  unit: 'ms, 99th percentile',
  about: `GetCurrentLoginInfo ${PACE} times a second, evenly spaced, while ${CONNECTIONS} more connections sign in as fast as they can.`,
  async open(arena) {
    const { driver, seconds } = arena;
    const { server, ...prepared } = await arena.startLatchkey(LIVE_TOKENS);
    const fastify = await arena.startFastify(server, prepared);
    const calls = bearers(prepared.tokens);
    const load = (url: string): Load => ({ ...get(url, calls, seconds), rate: PACE });
    return [
      latencyBeside('Latchkey', {
        server,
        driver,
        load: load(server.url + paths.currentLogin),
        background: post(server.url + paths.authenticate, signIns, seconds + 1),
      }),
      latencyBeside('bare Fastify beside the same hashing', {
        server: fastify,
        driver,
        load: load(`${fastify.url}/constant`),
        background: post(`${fastify.url}/hash`, signIns, seconds + 1),
        ratio: { atMost: 4 },
      }),
    ];
  },
};

const memoryUse: Figure = {
  name: 'memory',
  title: 'Memory',
  unit: 'MB resident',
  about: `Freshly started: the most in the first two seconds without a request, and while ${CONNECTIONS} connections sign in. PocketBase is one program in Go, without accounts: what a service without a JavaScript engine takes.`,
  async open(arena) {
    const { driver, seconds, withPeers } = arena;
    const { latchkey, passwordHash } = await arena.prepare(LIVE_TOKENS);
    const idle = () => sleep(2000);
    const signingIn = (path: string, calls: readonly Call[]) => (server: Server) =>
      driver.drive(post(server.url + path, calls, seconds));
    const { start } = latchkey;
    const contestants = [
      memory('Latchkey, idle', { start, work: idle, target: { atMost: 105 } }),
      memory('Latchkey, signing in', { start, work: signingIn(paths.authenticate, signIns), target: { atMost: 170 } }),
    ];
    if (!withPeers) return contestants;
    const startPeer = await peerStarter(arena, passwordHash);
    const peerSigningIn = signingIn(betterAuthPaths.signIn, betterAuthSignIns);
    contestants.push(
      memory('better-auth, idle', { start: startPeer, work: idle }),
      memory('better-auth, signing in, same argon2id', { start: startPeer, work: peerSigningIn }),
    );
    if (!installPocketBase()) return contestants;
    const dataDir = arena.newFile();
    return [...contestants, memory('PocketBase, idle', { start: () => startPocketBase(dataDir), work: idle })];
  },
};

const ready: Figure = {
  name: 'ready',
  title: 'Ready after start',
  unit: 'seconds',
  about: `From the start of the process to its first answer, with ${ACCOUNTS} accounts and ${LIVE_TOKENS} open sessions. Node has its modules compiled from the start before. PocketBase has no accounts.`,
  async open(arena) {
    const { latchkey, passwordHash } = await arena.prepare(LIVE_TOKENS);
    const contestants = [readiness('Latchkey', latchkey.start, { atMost: 0.35 })];
    if (!arena.withPeers) return contestants;
    contestants.push(readiness('better-auth', await peerStarter(arena, passwordHash)));
    if (!installPocketBase()) return contestants;
    const dataDir = arena.newFile();
    return [...contestants, readiness('PocketBase', () => startPocketBase(dataDir))];
  },
};

/** Starts a better-auth repeatedly on one database, which is created and filled here. */
async function peerStarter(arena: Arena, argon2Hash: string): Promise<() => Promise<Server>> {
  const options = arena.betterAuth({ sessions: 0, argon2Hash, cookieCache: false });
  const start = async () => (await arena.startBetterAuth(options)).server;
  await (await start()).stop();
  return start;
}

/** In the order of the page. */
export const figures: readonly Figure[] = [signIn, tokenCheck, firstCheck, refresh, besideSignIn, memoryUse, ready];
