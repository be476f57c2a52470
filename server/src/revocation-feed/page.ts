// Pages of the feed, as verifiers read them.
import { toIsoString, toNumericDate } from '../foundation/clock.ts';
import type { FeedPage as PageOf } from '../foundation/tail.ts';
import { type Cursor, formatCursor } from './cursor.ts';
import type { RevokedTokens, StoredRevocation } from './store.sql.ts';

/** A revocation as verifiers read it. Exactly one of `sid` (with `generation`), `keyId` and `issuedBefore` is there. */
export type FeedItem = {
  /** Where to go on after this item. */
  readonly cursor: string;
  readonly at: string;
  /** All tokens that the item revokes have expired by then. */
  readonly expiresAt: string;
  readonly sid?: string;
  /** Tokens of the session whose claim `gen` is lower are revoked. */
  readonly generation?: number;
  /** Every token under this key is revoked. */
  readonly keyId?: string;
  /** Every token whose `iat` is lower is revoked, in seconds since 1970. */
  readonly issuedBefore?: number;
};

export type FeedPage = PageOf<FeedItem>;

/** An item lists at most this many running transactions in its cursor, because a page has many items. */
const MAX_RUNNING_OF_ITEM = 20;

export function toItem({ at, expiresAt, tokens }: StoredRevocation, end: Cursor): FeedItem {
  return {
    cursor: formatCursor(end, MAX_RUNNING_OF_ITEM),
    at: toIsoString(at),
    expiresAt: toIsoString(expiresAt),
    ...toMembers(tokens),
  };
}

function toMembers(tokens: RevokedTokens) {
  if ('sessionId' in tokens) return { sid: tokens.sessionId, generation: tokens.generation };
  return 'keyId' in tokens ? tokens : { issuedBefore: toNumericDate(tokens.issuedBefore) };
}
