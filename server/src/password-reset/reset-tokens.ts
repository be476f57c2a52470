// Reset tokens: a right proof of any method yields one, and it sets one new password of one account.
import { addSeconds, type Clock } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { SecretStore, StoredSecret } from '../proofs/index.ts';
import type { Tx } from '../storage/database.ts';
import type { ResetMethod } from './method.ts';

/** Lifetime of a token, in seconds. */
const TOKEN_SECONDS = 600;
const TOKEN_BYTES = 32;

/** The account of a token. A new password invalidates the token. */
type Holder = { readonly accountId: number; readonly passwordVersion: number };

/** What a token allows: a new password for this account. `method` is how the token was obtained. */
export type ResetGrant = Holder & { readonly method: ResetMethod };

export interface ResetTokens {
  /** Issues a token of 256 random bits. */
  issue(tx: Tx, holder: Holder, method: ResetMethod): Promise<string>;
  /** Finds the grant of a valid token. */
  find(token: string, tx?: Tx): Promise<ResetGrant | undefined>;
  /** Uses up a valid token. One of several parallel calls gets it. */
  take(tx: Tx, token: string): Promise<ResetGrant | undefined>;
  /** Revokes all links and tokens of an account. */
  revokeOfAccount(tx: Tx, accountId: number): Promise<void>;
  /** Revokes all links and tokens of a method. */
  revokeOfMethod(tx: Tx, method: ResetMethod): Promise<void>;
}

export function createResetTokens(deps: {
  secretStore: SecretStore;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): ResetTokens {
  const { secretStore: store, secrets, clock, random } = deps;
  const macOf = (token: string) => secrets.mac('reset-token', token);

  const toGrant = (stored: StoredSecret | undefined): ResetGrant | undefined => {
    if (!stored || stored.accountId === null) return undefined;
    const { accountId, passwordVersion, method } = stored;
    return { accountId, passwordVersion, method };
  };

  return {
    async issue(tx, holder, method) {
      const token = random.bytes(TOKEN_BYTES).toString('base64url');
      const expiresAt = addSeconds(clock.now(), TOKEN_SECONDS);
      await store.add(tx.sql, { ...holder, method, mac: macOf(token), kind: 'token', expiresAt });
      return token;
    },
    find: async (token, tx) => toGrant(await store.find('token', macOf(token), clock.now(), tx?.sql)),
    take: async (tx, token) => toGrant(await store.take(tx.sql, 'token', macOf(token), clock.now())),
    revokeOfAccount: (tx, accountId) => store.deleteOfAccount(tx.sql, accountId),
    revokeOfMethod: (tx, method) => store.deleteOfMethod(tx.sql, method),
  };
}
