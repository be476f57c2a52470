// The audit feed: all entries in the order of their chain, for collectors that must miss none.
import { type Clock, toIsoString } from '../foundation/clock.ts';
import { type Feed, type FeedItem, feedErrors } from '../foundation/feed.ts';
import { createTail, type Reading } from '../foundation/tail.ts';
import type { Link } from './chain.ts';
import type { Chainer } from './chainer.ts';
import type { ChainStore } from './store.chain.sql.ts';
import type { AuditEntry, AuditStore } from './store.sql.ts';

/** The most entries of a page. */
const PAGE_SIZE = 500;

/** The entry at the cursor, and those of a page. */
// Mutation: `1` becomes `2`. A page leaves out what is too much.
const READ_SIZE = PAGE_SIZE + 1;

/** What stands of a hash in a cursor. It tells two histories of a database apart. */
const SHORT_HASH = /^[\w-]{16}/;

/** An entry as administrators read it, its link in the chain, and the cursor after it. */
export type AuditFeedItem = FeedItem & Link & Omit<AuditEntry, 'at'> & { readonly at: string };

export type AuditFeed = Feed<AuditFeedItem>;

export function createAuditFeed(deps: {
  store: AuditStore;
  chainStore: ChainStore;
  chainer: Chainer;
  clock: Clock;
  onError: (error: unknown) => void;
}): AuditFeed {
  const { store, chainStore, chainer, clock, onError } = deps;
  const tail = createTail({
    readEnd: async () => (await chainStore.readEnds()).head,
    readOn: readPage,
    clock,
    onError,
  });
  chainer.subscribe(tail.wake);

  /** Returns the page after a place, or `undefined` if entries after it were deleted, or the chain is another one. */
  async function readPage(after: Link | undefined): Promise<Reading<Link, AuditFeedItem> | undefined> {
    // While the entry at the cursor exists, none after it was deleted.
    const found = await store.readChained(after?.sequence ?? 1, READ_SIZE);
    const place = after ? found.findIndex((entry) => isSame(entry, after)) : -1;
    const start = after && place >= 0 ? after : (await chainStore.readEnds()).base;
    if (after && !isSame(start, after)) return undefined;
    const entries = found.slice(place + 1, place + 1 + PAGE_SIZE);
    const end = entries.at(-1) ?? start;
    const page = { items: entries.map(toItem), next: formatCursor(end), complete: entries.length < PAGE_SIZE };
    return { page, end: { sequence: end.sequence, hash: end.hash } };
  }

  return {
    async read(after) {
      const cursor = parseCursor(after);
      if (!cursor && after !== '') throw feedErrors.cursorInvalid();
      const reading = await readPage(cursor);
      if (!reading) throw feedErrors.cursorGone();
      return reading.page;
    },
    follow: tail.follow,
    stop: tail.stop,
    state: tail.state,
  };
}

/** Empty for what somebody has put in the place of a hash: the cursor must lead on. */
const shorten = (hash: string) => SHORT_HASH.exec(hash)?.[0] ?? '';

/** Returns the cursor of a reader that has read all entries up to this one. */
export const formatCursor = ({ sequence, hash }: Link) => `${sequence}-${shorten(hash)}`;

/** Reads a cursor, or returns `undefined` if the text is none. Its hash is short, or empty before the first entry. */
export function parseCursor(text: string): Link | undefined {
  const [, sequence, hash = ''] = /^(0|[1-9]\d{0,14})-([\w-]{16})?$/.exec(text) ?? [];
  return sequence === undefined ? undefined : { sequence: Number(sequence), hash };
}

const isSame = (link: Link | undefined, cursor: Link) =>
  link?.sequence === cursor.sequence && shorten(link.hash) === shorten(cursor.hash);

const toItem = (entry: AuditEntry & Link): AuditFeedItem => ({
  cursor: formatCursor(entry),
  ...entry,
  at: toIsoString(entry.at),
});
