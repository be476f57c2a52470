// Challenges: sign-ins whose first factor was right, and that wait for a second one.
import type { Account, AccountStore } from '../accounts/index.ts';
import { factorErrors } from '../factors/index.ts';
import { addSeconds, type Clock } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { Lockouts } from '../lockout/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { Refusal } from './attempts.ts';
import { lockedOut } from './declarations.ts';
import type { LoginFlow, LoginFlowStore } from './store.sql.ts';

/** Lifetime of a challenge, in seconds. */
const CHALLENGE_SECONDS = 300;
const CHALLENGE_BYTES = 32;
const CLEANUP_BATCH = 500;

export interface Challenges {
  /** Stores a sign-in. @returns the challenge token: 256 random bits, of which a keyed hash is stored. */
  issue(tx: Tx, flow: Omit<LoginFlow, 'mac' | 'expiresAt'>): Promise<string>;
  /** Finds the sign-in of a token, and its account. */
  find(token: string): Promise<{ flow: LoginFlow; account: Account } | undefined>;
  /**
   * Locks the account first: of parallel answers, the second finds the sign-in complete.
   * @returns the account, or a refusal: `factor.challengeInvalid`, `signIn.lockedOut`.
   */
  lock(tx: Tx, flow: LoginFlow): Promise<Account | Refusal>;
  /** Uses up the challenge. @returns `true` to exactly one of several parallel calls. */
  take(tx: Tx, flow: LoginFlow): Promise<boolean>;
  /** Deletes one batch of expired challenges. */
  deleteExpired(): Promise<void>;
}

export function createChallenges(deps: {
  accounts: AccountStore;
  lockouts: Lockouts;
  database: Database;
  flows: LoginFlowStore;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): Challenges {
  const { accounts, lockouts, database, flows, secrets, clock, random } = deps;
  const macOf = (token: string) => secrets.mac('login-flow', token);
  return {
    async issue(tx, flow) {
      const token = random.bytes(CHALLENGE_BYTES).toString('base64url');
      const expiresAt = addSeconds(clock.now(), CHALLENGE_SECONDS);
      await flows.add(tx.sql, { ...flow, mac: macOf(token), expiresAt });
      return token;
    },

    async find(token) {
      const flow = await flows.find(database.sql, macOf(token), clock.now());
      const account = flow && (await accounts.find(flow.accountId));
      return account && { flow, account };
    },

    async lock(tx, { mac, accountId, lockoutSubject, passwordVersion }) {
      const account = await accounts.findForUpdate(tx.sql, accountId);
      const isOpen = account && (await flows.find(tx.sql, mac, clock.now()));
      // A proof must not be used up for a sign-in that a change of the account has ended.
      const isCurrent = isOpen && (await accounts.findCredential(accountId, tx.sql))?.version === passwordVersion;
      if (!isCurrent) return new Refusal(factorErrors.challengeInvalid());
      const until = await lockouts.findLock(tx, lockoutSubject);
      return until === null ? account : new Refusal(lockedOut(until, clock.now()));
    },

    take: (tx, { mac }) => flows.take(tx.sql, mac, clock.now()),

    deleteExpired: () => flows.deleteExpired(clock.now(), CLEANUP_BATCH),
  };
}
