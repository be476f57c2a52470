// One-time secrets: the secret of a mailed link, and the token that a right proof yields. Each works once, for one account.
import { addSeconds, type Clock, type Instant } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { Tx } from '../storage/database.ts';
import type { SecretStore } from './store.secrets.sql.ts';

const SECRET_BYTES = 32;
/** In characters. Anything shorter is a typed code. */
export const LINK_SECRET_LENGTH = 43;
/** Lifetime of a token, in seconds. */
const TOKEN_SECONDS = 600;
const REMOVAL_BATCH = 500;

/**
 * The account of a link, the address that it went to, and its purpose: the link is valid for no other. A new password or
 * address invalidates the link.
 */
export type LinkHolder = {
  readonly accountId: number;
  readonly passwordVersion: number;
  readonly address: string;
  readonly purpose: 'reset' | 'invitation';
};

/** A link to issue. Without a holder it never works. */
export type LinkRequest = { readonly method: number; readonly holder: LinkHolder | null };

/** The account of a token, and the method that proved it. A new password invalidates the token. */
export type TokenHolder = { readonly accountId: number; readonly passwordVersion: number; readonly method: number };

/** A journey numbers its methods. What is issued for a method can be revoked together. */
export interface OneTimeSecrets {
  /**
   * Issues the secret of a link, and revokes the account's older links of the same method, for any purpose: a reset link
   * and an invitation have one method, so they replace each other.
   */
  issueLink(tx: Tx, link: LinkRequest, ttlSeconds: number): Promise<string>;
  /** Whether `takeLink` would take the secret. Locks nothing, and takes as long without a holder. */
  isLink(secret: string, holder: LinkHolder | null): Promise<boolean>;
  /** Uses up the secret of a link if it was issued for exactly this holder. Otherwise it stays valid. @returns whether it was. */
  takeLink(tx: Tx, secret: string, holder: LinkHolder | null): Promise<boolean>;
  /** Finds the time until which an account has a link. A new password invalidates links, and so does {@link revokeOfAccount}. */
  findLinkEnd(of: Pick<LinkHolder, 'accountId' | 'passwordVersion'>): Promise<Instant | undefined>;
  /** Issues a token, which is valid for ten minutes. */
  issueToken(tx: Tx, holder: TokenHolder): Promise<string>;
  /** Finds the holder of a valid token. */
  findToken(token: string, tx?: Tx): Promise<TokenHolder | undefined>;
  /** Uses up a token. @returns whether it was valid. One of several parallel calls gets it. */
  takeToken(tx: Tx, token: string): Promise<boolean>;
  /** Revokes all links and tokens of an account. */
  revokeOfAccount(tx: Tx, accountId: number): Promise<void>;
  /** Revokes all links and tokens of a method. */
  revokeOfMethod(tx: Tx, method: number): Promise<void>;
  /** Cleanup job: deletes one batch of expired links and tokens. */
  deleteExpired(): Promise<void>;
}

export function createOneTimeSecrets(deps: {
  store: SecretStore;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): OneTimeSecrets {
  const { store, secrets, clock, random } = deps;

  const generate = () => random.bytes(SECRET_BYTES).toString('base64url');
  const macOf = (...bound: unknown[]) => secrets.mac('reset-token', bound.join('\n'));

  /** The purpose of a reset adds nothing, as in the links that were mailed before links had a purpose. */
  function macOfLink(secret: string, holder: LinkHolder | null) {
    const { accountId, passwordVersion, address, purpose = 'reset' } = holder ?? {};
    return macOf(secret, accountId, passwordVersion, address, ...(purpose === 'reset' ? [] : [purpose]));
  }

  return {
    async issueLink(tx, { method, holder }, ttlSeconds) {
      const secret = generate();
      const { accountId = null, passwordVersion = 0 } = holder ?? {};
      // Mutation: `accountId ?? 0` becomes `accountId`. No account has the id null either.
      await store.deleteLinksOfAccount(tx.sql, accountId ?? 0, method);
      const expiresAt = addSeconds(clock.now(), ttlSeconds);
      const mac = macOfLink(secret, holder);
      await store.add(tx.sql, { mac, kind: 'link', method, accountId, passwordVersion, expiresAt });
      return secret;
    },

    async isLink(secret, holder) {
      return (await store.hasLink(macOfLink(secret, holder), clock.now())) && holder !== null;
    },

    async takeLink(tx, secret, holder) {
      return (await store.take(tx.sql, 'link', macOfLink(secret, holder), clock.now())) && holder !== null;
    },

    findLinkEnd: (of) => store.findLinkEnd(of, clock.now()),

    async issueToken(tx, holder) {
      const token = generate();
      const expiresAt = addSeconds(clock.now(), TOKEN_SECONDS);
      await store.add(tx.sql, { ...holder, mac: macOf(token), kind: 'token', expiresAt });
      return token;
    },

    findToken: (token, tx) => store.findToken(macOf(token), clock.now(), tx?.sql),
    takeToken: (tx, token) => store.take(tx.sql, 'token', macOf(token), clock.now()),
    revokeOfAccount: (tx, accountId) => store.deleteOfAccount(tx.sql, accountId),
    revokeOfMethod: (tx, method) => store.deleteOfMethod(tx.sql, method),
    deleteExpired: () => store.deleteExpired(clock.now(), REMOVAL_BATCH),
  };
}
