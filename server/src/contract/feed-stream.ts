// The streams of a feed: server-sent events (WHATWG HTML, 9.2), to many listeners in bounded memory.
import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { type Clock, toInstant, toIsoString } from '../foundation/clock.ts';
import { serviceErrors } from '../foundation/errors.ts';
import type { Feed, FeedItem } from '../foundation/feed.ts';
import type { Batch, FeedPage } from '../foundation/tail.ts';

/**
 * How often a stream has a beat, in milliseconds: the comment `: ELAPSED TIME`. All items up to ELAPSED milliseconds after
 * the request arrived were sent before it, by a clock that is never set. TIME is the service's time at that moment.
 */
const BEAT_MS = 2000;

/** A listener that has not taken this many bytes is dropped. It resumes by its last cursor. */
const MAX_BACKLOG_BYTES = 1_048_576;

/** So many listeners at once get the items before their request. Each of them holds a page in memory. */
const MAX_CATCHING_UP = 100;

/** A listener that takes longer for them is dropped, in milliseconds. */
const MAX_CATCH_UP_MS = 60_000;

/** The key that a request was authenticated with. */
export type KeyInUse = {
  /** Calls `end` when the key is withdrawn. @returns a function that stops watching. */
  whenWithdrawn(end: () => void): Promise<() => void>;
};

/**
 * Sends all items after the cursor, and each new one, until the listener leaves or is too slow, or its key is
 * withdrawn.
 */
type Stream = (reply: FastifyReply, key: KeyInUse, after: string) => Promise<FastifyReply>;

export function createStreams({ feed, clock }: { feed: Feed<FeedItem>; clock: Clock }): Stream {
  const enter = createGate(MAX_CATCHING_UP);
  const formatShared = createSharedFormat();

  return async (reply, key, after) => {
    const { raw } = reply;
    const beganAt = clock.elapsed();
    let beatAt = beganAt;
    /** What arrives while the listener gets the items before. */
    let waiting: Batch<FeedItem>[] | undefined = [];
    let isOver = false;
    const isOpen = () => !raw.destroyed && !isOver;

    function send(data: Buffer | string) {
      if (!isOpen()) return;
      if (raw.writableLength > MAX_BACKLOG_BYTES) raw.destroy();
      else raw.write(data);
    }
    function beat(readAt: number) {
      beatAt = clock.elapsed();
      const time = toInstant(clock.now() - (beatAt - readAt));
      send(`: ${Math.floor(readAt - beganAt)} ${toIsoString(time)}\n\n`);
    }
    function pass({ page, readAt }: Batch<FeedItem>) {
      if (page.items.length > 0) send(formatShared(page));
      if (page.complete && clock.elapsed() - beatAt >= BEAT_MS) beat(readAt);
    }
    function next(batch: Batch<FeedItem>) {
      if (!waiting) return pass(batch);
      if (batch.page.items.length > 0) waiting.push(batch);
      if (clock.elapsed() - beganAt > MAX_CATCH_UP_MS) raw.destroy();
    }

    /** Sends the items before the request. @returns when the last page was read. */
    async function catchUp() {
      for (let cursor = after; ; ) {
        const readAt = clock.elapsed();
        // The page shows what has arrived by now.
        waiting = [];
        const page = await feed.read(cursor);
        if (!isOpen()) return readAt;
        if (!raw.headersSent) begin(reply);
        if (page.items.length > 0) await write(raw, format(page));
        if (page.complete) return readAt;
        cursor = page.next;
      }
    }

    function end() {
      isOver = true;
      if (raw.headersSent) raw.end();
    }

    const leave = await feed.follow({ next, end });
    finished(raw, leave);
    const exit = await enter();
    try {
      finished(raw, await key.whenWithdrawn(() => raw.destroy()));
      const readAt = await catchUp();
      if (!raw.headersSent) throw serviceErrors.unavailable({ retryAfterSeconds: 1 });
      const arrived = waiting;
      waiting = undefined;
      for (const batch of arrived) pass(batch);
      beat(readAt);
    } catch (error) {
      leave();
      if (!raw.headersSent) throw error;
      raw.destroy();
    } finally {
      exit();
    }
    return reply;
  };
}

function begin(reply: FastifyReply) {
  reply.hijack();
  reply.raw.writeHead(200, {
    ...Object.fromEntries(Object.entries(reply.getHeaders())),
    'content-type': 'text/event-stream',
    // nginx passes each event on at once.
    'x-accel-buffering': 'no',
    connection: 'close',
  });
  reply.raw.flushHeaders();
}

function format({ items }: FeedPage<FeedItem>): string {
  return items.map((item) => `id: ${item.cursor}\ndata: ${JSON.stringify(item)}\n\n`).join('');
}

/** Returns a function that formats a page once for all listeners. Their sockets share its bytes. */
function createSharedFormat(): (page: FeedPage<FeedItem>) => Buffer {
  let latest: { page: FeedPage<FeedItem>; bytes: Buffer } | undefined;
  return (page) => {
    if (latest?.page !== page) latest = { page, bytes: Buffer.from(format(page)) };
    return latest.bytes;
  };
}

/** Resolves when the listener has room for more, or has left. */
async function write(raw: ServerResponse, text: string): Promise<void> {
  if (raw.write(text) || raw.destroyed) return;
  await new Promise<void>((resolve) => {
    const events = ['drain', 'close'] as const;
    const done = () => {
      for (const event of events) raw.off(event, done);
      resolve();
    };
    for (const event of events) raw.on(event, done);
  });
}

/** Returns a function that waits for one of so many places, and returns the function that frees it. */
function createGate(places: number): () => Promise<() => void> {
  const queue: (() => void)[] = [];
  let free = places;
  const exit = () => {
    const next = queue.shift();
    if (next) next();
    else free += 1;
  };
  return async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => queue.push(resolve));
    return exit;
  };
}
