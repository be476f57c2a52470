// The figures of starts: how much memory a contestant takes once it is started, and how soon it answers.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena } from './arena.ts';
import type { Driver, Server } from './children.ts';
import { type Contestant, memory, readiness } from './contestants.ts';
import { ACCOUNTS, PASSWORD, paths, signIns } from './latchkey.ts';
import { type Call, CONNECTIONS, post } from './load.ts';
import { betterAuthPaths, betterAuthSignIns } from './peers.ts';
import { pocketBasePaths, pocketBaseSignIns } from './pocketbase.ts';
import type { Figure } from './report.ts';

const SESSIONS = 10_000;

const idle = () => sleep(2000, {});

export const memoryUse: Figure = {
  name: 'memory',
  title: 'Memory',
  unit: 'MB resident',
  about: `Freshly started: the most in the first two seconds without a request, and while ${CONNECTIONS} connections sign in throughout the round. PocketBase is one program in Go, without a JavaScript engine; its hash is bcrypt, which needs no memory.`,
  rounds: 'memory',
  // Three take their whole rounds, and three only two seconds of each.
  contestants: 4,
  async open(arena) {
    const { latchkey, passwordHash } = await arena.prepare(SESSIONS);
    const signingIn =
      (path: string, calls: readonly Call[]) => (server: Server & { driver?: Driver }, seconds: number) =>
        (server.driver ?? arena.driver).drive(post(server.url + path, calls, seconds));
    const { start } = latchkey;
    const contestants: Contestant[] = [
      memory('Latchkey, idle', { start, work: idle, target: { atMost: 100 } }),
      memory('Latchkey, signing in', { start, work: signingIn(paths.authenticate, signIns), target: { atMost: 180 } }),
    ];
    if (!arena.withPeers) return contestants;
    const startPeer = await peerStarter(arena, passwordHash);
    const peerSigningIn = signingIn(betterAuthPaths.signIn, betterAuthSignIns(ACCOUNTS, PASSWORD));
    contestants.push(
      memory('better-auth, idle', { start: startPeer, work: idle }),
      memory('better-auth, signing in, same argon2id', { start: startPeer, work: peerSigningIn }),
    );
    const pocketBase = await arena.pocketBaseStarter();
    if (!pocketBase) return contestants;
    const { start: startPocketBase, users } = pocketBase;
    const pocketBaseSigningIn = signingIn(pocketBasePaths.signIn, pocketBaseSignIns(users, PASSWORD));
    return [
      ...contestants,
      memory('PocketBase, idle', { start: startPocketBase, work: idle }),
      memory('PocketBase, signing in, bcrypt', { start: startPocketBase, work: pocketBaseSigningIn }),
    ];
  },
};

export const ready: Figure = {
  name: 'ready',
  title: 'Ready after start',
  unit: 'seconds',
  about: `From the start of the process to its first answer, with ${ACCOUNTS} accounts and ${SESSIONS} open sessions. Node has its modules compiled from the start before. PocketBase has fewer accounts, and no sessions.`,
  rounds: 'starts',
  contestants: 3,
  async open(arena) {
    const { latchkey, passwordHash } = await arena.prepare(SESSIONS);
    const contestants = [readiness('Latchkey', latchkey.start, { atMost: 0.3 })];
    if (!arena.withPeers) return contestants;
    contestants.push(readiness('better-auth', await peerStarter(arena, passwordHash)));
    const pocketBase = await arena.pocketBaseStarter();
    return pocketBase ? [...contestants, readiness('PocketBase', pocketBase.start)] : contestants;
  },
};

/** Starts a better-auth repeatedly on one database, which is created and filled here. */
async function peerStarter(arena: Arena, argon2Hash: string): Promise<() => Promise<Server>> {
  const options = arena.betterAuth({ sessions: 0, argon2Hash, cookieCache: false });
  const start = async () => (await arena.startBetterAuth(options)).server;
  await (await start()).stop();
  return start;
}
