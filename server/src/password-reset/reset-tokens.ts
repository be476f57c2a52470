// Reset tokens: a right proof of any method yields one, and it sets one new password of one account.
import { addSeconds, type Clock } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { Tx } from '../storage/database.ts';
import { ResetMethod } from './method.ts';
import type { ResolvedRecipient } from './recipient-resolver.ts';
import type { ResetStore, StoredReset } from './store.ts';

/** Lifetime of a token, in seconds. */
const TOKEN_SECONDS = 600;
const TOKEN_BYTES = 32;
const CLEANUP_BATCH = 500;

/** The account of a link or token. A new password invalidates both. */
type Holder = { accountId: number; passwordVersion: number };

/**
 * The account of a link, and the address that it went to. A new address invalidates the link. The link of an invitation is
 * no link that the owner has requested, and the other way round.
 */
export type LinkHolder = Holder & { address: string; isInvitation?: true };

/** A valid link or token: its account, and the method of the reset. */
export type HeldReset = Holder & { method: ResetMethod };

export interface ResetTokens {
  /** Issues the secret of a link, and revokes the account's older links. Without a holder the secret never works. */
  issueLink(tx: Tx, holder: LinkHolder | null, ttlSeconds: number): Promise<string>;
  /** Uses up the secret of a link if it was issued for exactly this holder. Otherwise the link stays valid. */
  takeLink(tx: Tx, secret: string, holder: LinkHolder | null): Promise<HeldReset | undefined>;
  /** Issues a token of 256 random bits. */
  issue(tx: Tx, holder: Holder, method: ResetMethod): Promise<string>;
  /** Finds the account of a valid token. */
  find(token: string, tx?: Tx): Promise<HeldReset | undefined>;
  /** Uses up a valid token. One of several parallel calls gets it. */
  take(tx: Tx, token: string): Promise<HeldReset | undefined>;
  /** Revokes all links and tokens of an account. */
  revokeOfAccount(tx: Tx, accountId: number): Promise<void>;
  /** Revokes all links and tokens of a method. */
  revokeOfMethod(tx: Tx, method: ResetMethod): Promise<void>;
  /** Deletes one batch of expired links and tokens. */
  deleteExpired(): Promise<void>;
}

/** Returns the account and address of a link, if there is a recipient. */
export const toLinkHolder = ({ account, recipient }: ResolvedRecipient): LinkHolder | null =>
  account && recipient
    ? { accountId: account.id, passwordVersion: account.credential.version, address: recipient.address }
    : null;

export function createResetTokens(deps: {
  store: ResetStore;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): ResetTokens {
  const { store, secrets, clock, random } = deps;
  const macOf = (secret: string) => secrets.mac('reset-token', secret);
  const linkMacOf = (secret: string, holder: LinkHolder | null) =>
    macOf(
      [
        secret,
        holder?.accountId,
        holder?.passwordVersion,
        holder?.address,
        ...(holder?.isInvitation ? ['invitation'] : []),
      ].join('\n'),
    );
  const makeSecret = () => random.bytes(TOKEN_BYTES).toString('base64url');

  async function add(
    tx: Tx,
    reset: Pick<StoredReset, 'mac' | 'kind' | 'method'>,
    holder: Holder | null,
    ttlSeconds: number,
  ) {
    await store.add(tx.sql, {
      ...reset,
      accountId: holder?.accountId ?? null,
      passwordVersion: holder?.passwordVersion ?? 0,
      expiresAt: addSeconds(clock.now(), ttlSeconds),
    });
  }

  const toHeld = (reset: StoredReset | undefined): HeldReset | undefined => {
    if (!reset || reset.accountId === null) return undefined;
    const { accountId, passwordVersion, method } = reset;
    return { accountId, passwordVersion, method };
  };

  return {
    async issueLink(tx, holder, ttlSeconds) {
      const secret = makeSecret();
      const link = { mac: linkMacOf(secret, holder), kind: 'link', method: ResetMethod.emailLink } as const;
      await store.deleteOfAccount(tx.sql, holder?.accountId ?? 0, 'link');
      await add(tx, link, holder, ttlSeconds);
      return secret;
    },
    takeLink: async (tx, secret, holder) =>
      toHeld(await store.take(tx.sql, 'link', linkMacOf(secret, holder), clock.now())),
    async issue(tx, holder, method) {
      const secret = makeSecret();
      await add(tx, { mac: macOf(secret), kind: 'token', method }, holder, TOKEN_SECONDS);
      return secret;
    },
    find: async (token, tx) => toHeld(await store.find('token', macOf(token), clock.now(), tx?.sql)),
    take: async (tx, token) => toHeld(await store.take(tx.sql, 'token', macOf(token), clock.now())),
    revokeOfAccount: (tx, accountId) => store.deleteOfAccount(tx.sql, accountId),
    revokeOfMethod: (tx, method) => store.deleteOfMethod(tx.sql, method),
    deleteExpired: () => store.deleteExpired(clock.now(), CLEANUP_BATCH),
  };
}
