// Reset tokens: what every way to a new password ends in, good for one new password of one account.
import { addSeconds, type Clock } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { Tx } from '../storage/database.ts';
import { ResetMethod } from './method.ts';
import type { ResolvedRecipient } from './recipient-resolver.ts';
import type { ResetStore, StoredReset } from './store.ts';

/** How long a token may be used, in seconds. */
const TOKEN_SECONDS = 600;
const TOKEN_BYTES = 32;
const REMOVAL_BATCH = 500;

/** For whom a link or token is: the account, as long as its password is still the one of that version. */
type Holder = { accountId: number; passwordVersion: number };

/** For whom a link is: also only as long as this is where the account is reached. */
type LinkHolder = Holder & { address: string };

/** What was taken or found: its holder, and the way by which it came to be. */
export type HeldReset = Holder & { method: ResetMethod };

export interface ResetTokens {
  /** Makes a link's secret, which takes the place of the account's older ones; for nobody, one that never works. */
  issueLink(tx: Tx, holder: LinkHolder | null, ttlSeconds: number): Promise<string>;
  /** Takes a link's secret, once, if it was made for exactly this holder; for every other it stays as it is. */
  takeLink(tx: Tx, secret: string, holder: LinkHolder | null): Promise<HeldReset | undefined>;
  /** Makes a token of 256 bits for who has proven to be the holder. */
  issue(tx: Tx, holder: Holder, method: ResetMethod): Promise<string>;
  /** Whose token it is, if it can still be used. */
  find(token: string): Promise<HeldReset | undefined>;
  /** Takes a token, once. */
  take(tx: Tx, token: string): Promise<HeldReset | undefined>;
  /** Ends everything that an account has out, or that came by a method that was switched off. */
  revokeOfAccount(tx: Tx, accountId: number): Promise<void>;
  revokeOfMethod(tx: Tx, method: ResetMethod): Promise<void>;
  /** One batch of housekeeping. */
  deleteExpired(): Promise<void>;
}

/** The account that the mailed link resets. */
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
    macOf([secret, holder?.accountId, holder?.passwordVersion, holder?.address].join('\n'));
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
    find: async (token) => toHeld(await store.find('token', macOf(token), clock.now())),
    take: async (tx, token) => toHeld(await store.take(tx.sql, 'token', macOf(token), clock.now())),
    revokeOfAccount: (tx, accountId) => store.deleteOfAccount(tx.sql, accountId),
    revokeOfMethod: (tx, method) => store.deleteOfMethod(tx.sql, method),
    deleteExpired: () => store.deleteExpired(clock.now(), REMOVAL_BATCH),
  };
}
