// The arena of one figure: starts the contestants, and stops and removes all of them at the end.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Argon2Options } from './baselines/argon2.ts';
import type { FastifyOptions } from './baselines/fastify.ts';
import type { RefreshOptions } from './baselines/refresh.ts';
import { type Driver, type HashingProgram, type Server, startDriver, startHashing, startServer } from './children.ts';
import { installDirectus, startDirectus } from './directus.ts';
import { ACCOUNTS, createLatchkey, type Latchkey, PASSWORD, paths } from './latchkey.ts';
import { type BetterAuthOptions, startBetterAuth } from './peers.ts';
import {
  installPocketBase,
  type PocketBase,
  type PocketBaseUser,
  startPocketBase,
  startPocketBaseWith,
} from './pocketbase.ts';
import type { Prepared } from './prepare.ts';
import type { Plan } from './rounds.ts';

/** How long to measure, and against what. */
export type Effort = { readonly plan: Plan; readonly withPeers: boolean };

export type Arena = Effort & {
  readonly driver: Driver;
  /** A data directory of the service, with this many valid tokens; no service runs on it yet. */
  prepare(tokens: number): Promise<Prepared & { latchkey: Latchkey }>;
  /** The service, running on such data. */
  startLatchkey(tokens: number): Promise<Prepared & { server: Server }>;
  /** Bare Fastify, with the service's answer to this token as its constant. */
  startFastify(service: Server, prepared: Prepared): Promise<Server>;
  /** Bare Fastify with this text as its constant. */
  startConstant(body: string): Promise<Server>;
  /** Bare verification of this stored form of the password. */
  startArgon2(hash: string): Promise<HashingProgram>;
  startRefreshLimit(token: string): Promise<Server>;
  /** Options for a better-auth with as many accounts as the service has. */
  betterAuth(options: Pick<BetterAuthOptions, 'sessions' | 'argon2Hash' | 'cookieCache'>): BetterAuthOptions;
  startBetterAuth(options: BetterAuthOptions): Promise<{ server: Server; cookies: string[] }>;
  /** A Directus with this many sessions; undefined, with a message, when it cannot be installed. */
  startDirectus(sessions: number): Promise<{ server: Server; refreshTokens: string[] } | undefined>;
  /** A PocketBase with accounts that are signed in; undefined, with a message, when it cannot run here. */
  startPocketBase(): Promise<{ server: PocketBase; users: PocketBaseUser[] } | undefined>;
  /** Starts a PocketBase repeatedly on one data directory with accounts; undefined as above. */
  pocketBaseStarter(): Promise<{ start: () => Promise<PocketBase>; users: number } | undefined>;
  /** The name of a new file or folder. */
  newFile(): string;
  /** Stops this when the figure is done. */
  keep<Stoppable extends { stop(): Promise<void> }>(stoppable: Stoppable): Stoppable;
  close(): Promise<void>;
};

/** Each costs two bcrypt hashes to prepare. */
const POCKETBASE_ACCOUNTS = 64;

export function createArena(effort: Effort): Arena {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder);
  const kept: { stop(): Promise<void> }[] = [];
  const keep: Arena['keep'] = (stoppable) => {
    kept.push(stoppable);
    return stoppable;
  };
  const latchkey = createLatchkey(join(folder, 'latchkey'));
  const baseline = (name: string) => join(import.meta.dirname, 'baselines', name);
  let databases = 0;
  const newFile = () => join(folder, `database-${++databases}`);

  return {
    ...effort,
    driver: keep(startDriver()),
    keep,
    newFile,
    async prepare(tokens) {
      return { latchkey, ...(await latchkey.prepare(tokens)) };
    },
    async startLatchkey(tokens) {
      const prepared = await latchkey.prepare(tokens);
      return { ...prepared, server: keep(await latchkey.start()) };
    },
    async startFastify({ url }, { tokens: [token = ''], passwordHash: hash }) {
      const current = await fetch(url + paths.currentLogin, { headers: { authorization: `Bearer ${token}` } });
      const keys = await fetch(url + paths.keys);
      const jwks = (await keys.json()) as FastifyOptions['jwks'];
      const options: FastifyOptions = { body: await current.text(), jwks, password: PASSWORD, hash };
      return keep(await startServer(baseline('fastify.ts'), options));
    },
    async startConstant(body) {
      return keep(await startServer(baseline('constant.ts'), body));
    },
    async startArgon2(hash) {
      const options: Argon2Options = { password: PASSWORD, hash };
      return keep(await startHashing(baseline('argon2.ts'), options));
    },
    async startRefreshLimit(token) {
      const options: RefreshOptions = { databaseFile: newFile(), token };
      return keep(await startServer(baseline('refresh.ts'), options));
    },
    betterAuth: (options) => ({ ...options, databaseFile: newFile(), accounts: ACCOUNTS, password: PASSWORD }),
    async startBetterAuth(options) {
      const server = keep(await startBetterAuth(options));
      return { server, cookies: server.ready.cookies };
    },
    async startDirectus(sessions) {
      if (!installDirectus()) return;
      const directus = await startDirectus(newFile(), sessions);
      keep(directus.server);
      return directus;
    },
    async startPocketBase() {
      if (!installPocketBase()) return;
      const pocketBase = await startPocketBaseWith(POCKETBASE_ACCOUNTS, { dataDir: newFile(), password: PASSWORD });
      keep(pocketBase.server);
      return pocketBase;
    },
    async pocketBaseStarter() {
      if (!installPocketBase()) return;
      const dataDir = newFile();
      const { server } = await startPocketBaseWith(POCKETBASE_ACCOUNTS, { dataDir, password: PASSWORD });
      await server.stop();
      return { start: () => startPocketBase(dataDir), users: POCKETBASE_ACCOUNTS };
    },
    async close() {
      for (const { stop } of kept.toReversed()) await stop();
      process.off('exit', removeFolder);
      removeFolder();
    },
  };
}
