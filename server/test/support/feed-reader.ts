// A reader of the revocation feed that keeps in memory what it has read, and refuses tokens by that alone.
import assert from 'node:assert/strict';
import type { FeedItem, FeedPage } from '../../src/revocation-feed/index.ts';
import { claimsOf } from './forge.ts';
import type { TestService } from './service.ts';

export interface FeedReader {
  /** Reads all pages after its cursor. After a 410 it begins again, and keeps what it knows. */
  catchUp(): Promise<FeedItem[]>;
  take(item: FeedItem): void;
  /** Whether the feed has revoked the token. */
  refuses(token: string): boolean;
  readonly cursor: string;
}

/** @param read returns the page after a cursor, or `undefined` if the cursor has lost its meaning. */
export function createFeedReader(read: (after: string) => Promise<FeedPage | undefined>, start = ''): FeedReader {
  const generations = new Map<string, number>();
  const keys = new Set<string>();
  let issuedBefore = 0;
  let cursor = start;

  const reader: FeedReader = {
    async catchUp() {
      const items: FeedItem[] = [];
      for (;;) {
        const page = await read(cursor);
        cursor = page?.next ?? '';
        items.push(...(page?.items ?? []));
        page?.items.forEach(reader.take);
        if (page?.complete) return items;
      }
    },
    take({ sid, generation = 0, keyId, issuedBefore: instant = 0 }) {
      if (sid !== undefined) generations.set(sid, Math.max(generations.get(sid) ?? 0, generation));
      if (keyId !== undefined) keys.add(keyId);
      issuedBefore = Math.max(issuedBefore, instant);
    },
    refuses(token) {
      const { sid, gen, iat } = claimsOf(token);
      const [header = ''] = token.split('.');
      const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
      return keys.has(kid) || Number(iat) < issuedBefore || Number(gen) < (generations.get(String(sid)) ?? 0);
    },
    get cursor() {
      return cursor;
    },
  };
  return reader;
}

/** Returns a reader of a service in this process. It has read all that is there. */
export async function followFeed({ service: { feed } }: TestService): Promise<FeedReader> {
  const reader = createFeedReader((after) =>
    feed.read(after).catch((error) => {
      assert.equal(error.reason, 'feed.cursorGone');
      return undefined;
    }),
  );
  await reader.catchUp();
  return reader;
}
