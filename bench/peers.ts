// Peers: other products, installed into a separate folder and driven like the service.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installExactly } from '../server/test/support/own-packages.ts';
import { type Server, startServer } from './children.ts';
import { type Call, posts } from './load.ts';

const folder = join(import.meta.dirname, 'peers');

/** Installs the peers' lock file, once. @returns false, with a message, when that fails (offline). */
export function installPeers(): boolean {
  if (existsSync(join(folder, 'node_modules', '.package-lock.json'))) return true;
  process.stderr.write('Installing the peers …\n');
  const isInstalled = installExactly(folder);
  if (!isInstalled) process.stderr.write('The peers could not be installed: the figures go on without them.\n');
  return isInstalled;
}

/** The measured version of better-auth. */
export function peerVersion(): string {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies['better-auth'];
}

/** The configuration of a better-auth. */
export type BetterAuthOptions = {
  readonly databaseFile: string;
  readonly accounts: number;
  /** How many sessions to open; the answer holds a cookie for each. */
  readonly sessions: number;
  readonly password: string;
  /** A stored form of the password that names the parameters of hashing; null: its own default, scrypt. */
  readonly argon2Hash: string | null;
  readonly cookieCache: boolean;
};

export function startBetterAuth(
  options: BetterAuthOptions,
): Promise<Server & { ready: { port: number; cookies: string[] } }> {
  return startServer(join(folder, 'better-auth.mjs'), options);
}

/** Starts a better-auth with its OpenID provider, an application, and people who have signed in to it. */
export function startBetterAuthOpenid(options: {
  readonly databaseFile: string;
  readonly grants: number;
  readonly scope: string;
}): Promise<Server & { ready: { port: number; basic: string; refreshTokens: string[] } }> {
  return startServer(join(folder, 'better-auth-openid.mjs'), options);
}

/** The address of a better-auth. */
export const betterAuthPaths = { signIn: '/api/auth/sign-in/email', session: '/api/auth/get-session' };

/** A sign-in for each of its accounts. */
export const betterAuthSignIns = (accounts: number, password: string): Call[] =>
  posts(Array.from({ length: accounts }, (_, n) => ({ email: `user${n}@example.com`, password })));
