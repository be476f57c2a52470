// The revocation feed: tells verifiers in other services which tokens they must refuse, though they have not expired.
import { addSeconds, type Clock, toIsoString, toNumericDate } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import type { Tx } from '../storage/database.ts';
import { MAX_TOKEN_LIFETIME_SECONDS, type Revocation, type Revocations } from '../tokens/index.ts';
import { feedErrors } from './errors.ts';
import { formatCursor, isSafe, type Position, parseCursor, type Snapshot, START, safePosition } from './position.ts';
import type { RevocationStore, RevokedTokens, StoredRevocation } from './store.ts';
import { type Batch, createTail, type Follower } from './tail.ts';

/** The generation above that of every token: all tokens of the session are revoked. */
const ALL_GENERATIONS = 2_147_483_647;

/** The most revocations of a page. */
const PAGE_SIZE = 1000;

/** Rows that the cleanup job looks at in one run. */
const CLEANUP_BATCH = 1000;

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

/** @property complete whether nothing more is there at the moment. */
export type FeedPage = { readonly items: readonly FeedItem[]; readonly next: string; readonly complete: boolean };

export interface RevocationFeed {
  /** Prepares the store. */
  load(): Promise<void>;
  /**
   * Returns the revocations after a cursor. Without one, all that still matter.
   * @throws AuthError `feed.cursorInvalid`, `feed.cursorGone`.
   */
  read(after: string): Promise<FeedPage>;
  /** Gives the follower all revocations that a `read` does not return which begins now. See `Tail.follow`. */
  follow(follower: Follower): Promise<() => void>;
  /** Returns a batch as a page. */
  toPage(batch: Batch): FeedPage;
  /** Ends all followers, because the service stops. */
  stop(): void;
  /** How many follow the feed. */
  followers(): number;
  /** Cleanup job: deletes revocations whose tokens have expired. */
  deleteExpired(): Promise<void>;
}

export function createRevocationFeed(deps: {
  store: RevocationStore;
  revocations: Revocations;
  clock: Clock;
  random: Random;
  onError: (error: unknown) => void;
}): RevocationFeed {
  const { store, revocations, clock, random, onError } = deps;
  const { readSnapshot, readSince } = store;
  const tail = createTail({ readSnapshot, readSince, clock, onError });
  const newEpoch = () => random.bytes(6).toString('hex');
  let cleanedTo = 0;

  revocations.subscribe(async (tx, revoked) => {
    for (const revocation of revoked) await record(tx, revocation);
    tx.afterCommit(tail.wake);
  });

  async function record(tx: Tx, revocation: Revocation) {
    const at = clock.now();
    const tokens = toTokens(revocation);
    if (!tokens) return;
    if (revocation.kind === 'all') await store.restart(tx.sql, newEpoch());
    const expiresAt = 'expiresAt' in revocation ? revocation.expiresAt : addSeconds(at, MAX_TOKEN_LIFETIME_SECONDS);
    await store.record(tx.sql, { tokens, at, expiresAt });
  }

  function readPosition(after: string, snapshot: Snapshot): Position {
    if (after === '') return START;
    const cursor = parseCursor(after);
    if (!cursor) throw feedErrors.cursorInvalid();
    if (cursor.epoch !== snapshot.epoch) throw feedErrors.cursorGone();
    return cursor;
  }

  return {
    load: () => store.begin(newEpoch()),

    async read(after) {
      const snapshot = await readSnapshot();
      const position = readPosition(after, snapshot);
      const found = await store.readAfter(position, PAGE_SIZE, clock.now());
      const items = toItems(found, snapshot);
      const complete = found.length < PAGE_SIZE;
      const end = items.at(-1)?.cursor ?? (after || formatCursor({ ...snapshot, ...safePosition(snapshot) }));
      return { items, next: end, complete };
    },

    follow: tail.follow,
    toPage({ revocations: found, snapshot }) {
      const items = toItems(found, snapshot);
      const next = items.at(-1)?.cursor ?? formatCursor({ ...snapshot, ...safePosition(snapshot) });
      return { items, next, complete: true };
    },
    stop: tail.stop,
    followers: () => tail.followers,
    async deleteExpired() {
      cleanedTo = await store.deleteExpired(cleanedTo, CLEANUP_BATCH, clock.now());
    },
  };
}

/** Returns what a revocation revokes for verifiers. An account's sessions are revoked one by one. */
function toTokens(revocation: Revocation): RevokedTokens | undefined {
  switch (revocation.kind) {
    case 'superseded':
      return { sessionId: revocation.sessionId, generation: revocation.generation };
    case 'session':
      return { sessionId: revocation.sessionId, generation: ALL_GENERATIONS };
    case 'key':
      return { keyId: revocation.kid };
    case 'all':
      return { issuedBefore: revocation.issuedBefore };
    case 'account':
      return undefined;
  }
}

/**
 * Returns the items of revocations that are in their order. A revocation of a transaction that others may still precede is
 * delivered, but its cursor stays before them, so that nobody who goes on from there misses one.
 */
function toItems(found: readonly StoredRevocation[], snapshot: Snapshot): FeedItem[] {
  const safe = safePosition(snapshot);
  return found.map(({ position, at, expiresAt, tokens }) => ({
    cursor: formatCursor({ epoch: snapshot.epoch, ...(isSafe(position, snapshot) ? position : safe) }),
    at: toIsoString(at),
    expiresAt: toIsoString(expiresAt),
    ...toMembers(tokens),
  }));
}

function toMembers(tokens: RevokedTokens) {
  if ('sessionId' in tokens) return { sid: tokens.sessionId, generation: tokens.generation };
  return 'keyId' in tokens ? tokens : { issuedBefore: toNumericDate(tokens.issuedBefore) };
}
