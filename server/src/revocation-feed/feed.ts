// The revocation feed: tells verifiers in other services which tokens they must refuse, though they have not expired.
import { addSeconds, type Clock, type Instant, toInstant } from '../foundation/clock.ts';
import { type Feed, feedErrors } from '../foundation/feed.ts';
import type { Random } from '../foundation/random.ts';
import { createTail, type Reading } from '../foundation/tail.ts';
import { MAX_TOKEN_LIFETIME_SECONDS, type Revocation, type Revocations } from '../tokens/index.ts';
import {
  type Cursor,
  cursorAfter,
  cursorAt,
  formatCursor,
  isSameCursor,
  parseCursor,
  type Snapshot,
  START,
} from './cursor.ts';
import { type FeedItem, toItem } from './page.ts';
import type { RevocationStore, RevokedTokens } from './store.sql.ts';

/** The generation above that of every token: all tokens of the session are revoked. */
const ALL_GENERATIONS = 2_147_483_647;

/** The most revocations of a page. */
export const PAGE_SIZE = 1000;

/** Rows that the cleanup job looks at in one run. */
const CLEANUP_BATCH = 1000;

/** A clock that is set ahead by mistake, and set right within this time in milliseconds, deletes no revocation. */
const CLOCK_DOUBT_MS = 3_600_000;

/** Without a cursor, `read` returns all revocations that still matter. */
export interface RevocationFeed extends Feed<FeedItem> {
  /** Prepares the store. */
  load(): Promise<void>;
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
  const tail = createTail({
    readEnd: async () => cursorAt(await store.readSnapshot()),
    async readOn(cursor) {
      const snapshot = await store.readSnapshot();
      return cursor.epoch === snapshot.epoch ? readPage(cursor, snapshot) : undefined;
    },
    clock,
    onError,
  });
  // Mutation: `6` becomes `7`. One more random byte: cursors get two characters longer.
  const newEpoch = () => random.bytes(6).toString('hex');
  const readTrustedTime = createTrustedTime(clock);
  let cleanedTo = START;

  revocations.subscribe(async (tx, revoked) => {
    const at = clock.now();
    const rows = [];
    for (const revocation of revoked) {
      if (revocation.kind === 'all') await store.restart(tx.sql, newEpoch());
      const expiresAt = 'expiresAt' in revocation ? revocation.expiresAt : addSeconds(at, MAX_TOKEN_LIFETIME_SECONDS);
      rows.push({ tokens: toTokens(revocation), at, expiresAt });
    }
    await store.record(tx.sql, rows);
    tx.afterCommit(tail.wake);
  });

  async function readPage(cursor: Cursor, snapshot: Snapshot): Promise<Reading<Cursor, FeedItem>> {
    const end = cursorAt(snapshot);
    const found = isSameCursor(cursor, end) ? [] : await store.readAfter(cursor, PAGE_SIZE);
    const complete = found.length < PAGE_SIZE;
    const last = found.at(-1);
    // What comes last in a complete page may stand before what was read earlier.
    const reached = complete || !last ? end : cursorAfter(last.position, snapshot);
    const items = found.map((revocation) =>
      toItem(revocation, revocation === last ? reached : cursorAfter(revocation.position, snapshot)),
    );
    return { page: { items, next: formatCursor(reached), complete }, end: reached };
  }

  return {
    load: () => store.begin(newEpoch()),

    async read(after) {
      const cursor = parseCursor(after);
      if (!cursor && after !== '') throw feedErrors.cursorInvalid();
      const snapshot = await store.readSnapshot();
      if (cursor && !isOf(cursor, snapshot)) throw feedErrors.cursorGone();
      return (await readPage(cursor ?? { ...START, running: [], epoch: snapshot.epoch }, snapshot)).page;
    },

    follow: tail.follow,
    stop: tail.stop,
    state: tail.state,
    async deleteExpired() {
      const now = readTrustedTime();
      if (now !== undefined) cleanedTo = await store.deleteExpired(cleanedTo, CLEANUP_BATCH, now);
    },
  };
}

/** Whether the cursor is of this database, and of its epoch. */
function isOf(cursor: Cursor, { epoch, next }: Snapshot): boolean {
  return cursor.epoch === epoch && cursor.transactionId <= next;
}

/**
 * Returns a function that returns the time which the clock showed some time ago, if it was not ahead of the present time.
 * It returns `undefined` until then.
 */
function createTrustedTime(clock: Clock): () => Instant | undefined {
  let trusted: Instant | undefined;
  let candidate = { now: clock.now(), elapsed: clock.elapsed() };
  return () => {
    const present = { now: clock.now(), elapsed: clock.elapsed() };
    if (present.elapsed - candidate.elapsed >= CLOCK_DOUBT_MS) {
      trusted = candidate.now;
      candidate = present;
    }
    return trusted && toInstant(Math.min(trusted, present.now));
  };
}

/** Returns what a revocation revokes for verifiers. */
function toTokens(revocation: Revocation): RevokedTokens {
  switch (revocation.kind) {
    case 'superseded':
      return { sessionId: revocation.sessionId, generation: revocation.generation };
    case 'session':
      return { sessionId: revocation.sessionId, generation: ALL_GENERATIONS };
    case 'key':
      return { keyId: revocation.kid };
    case 'all':
      return { issuedBefore: revocation.issuedBefore };
  }
}
