// The call of the revocation feed: pages, long polls and server-sent events (WHATWG HTML, 9.2).
import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { type Clock, toIsoString } from '../foundation/clock.ts';
import type { Endpoints } from '../http/contract.ts';
import { createQueryReader } from '../http/input.ts';
import type { AuthenticatedKey } from '../service-keys/index.ts';
import type { FeedItem, FeedPage, RevocationFeed } from './feed.ts';

const readQuery = createQueryReader(
  Type.Object({
    after: Type.Optional(Type.String({ maxLength: 100 })),
    wait: Type.Optional(Type.Integer({ minimum: 0, maximum: 25 })),
  }),
);

/**
 * How often a stream has a beat, in milliseconds: the comment `: ELAPSED TIME`. All revocations up to ELAPSED milliseconds after
 * the request arrived were sent before it, by a clock that is never set. TIME is the service's time.
 */
const BEAT_MS = 2000;

/** A listener that has not taken this many bytes is dropped. It resumes by its last cursor. */
const MAX_BACKLOG_BYTES = 1_048_576;

export type FeedDeps = {
  readonly feed: RevocationFeed;
  /** Returns after the request's service key was found. @throws AuthError */
  readonly authenticate: (key: string | undefined) => Promise<AuthenticatedKey>;
  readonly clock: Clock;
};

export function feedEndpoints({ feed, authenticate, clock }: FeedDeps): Endpoints {
  return (app: FastifyInstance, { readServiceKey }) => {
    app.get('/api/revocations', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const key = await authenticate(readServiceKey(request));
      const { after = '', wait = 0 } = readQuery(request.query);
      const wantsStream = /\btext\/event-stream\b/.test(request.headers.accept ?? '');
      if (wantsStream) return stream(reply, key, String(request.headers['last-event-id'] ?? after));
      return wait === 0 ? feed.read(after) : poll(after, wait * 1000);
    });
    app.addHook('preClose', async () => feed.stop());
  };

  /** Returns the page after the cursor. If nothing is there, waits for the next revocation. */
  async function poll(after: string, milliseconds: number): Promise<FeedPage> {
    const { promise, resolve } = Promise.withResolvers<FeedPage | undefined>();
    const leave = await feed.follow({
      next: (batch) => batch.revocations.length > 0 && resolve(feed.toPage(batch)),
      end: () => resolve(undefined),
    });
    try {
      const page = await feed.read(after);
      if (page.items.length > 0) return page;
      void clock.sleep(milliseconds).then(() => resolve(undefined));
      return (await promise) ?? page;
    } finally {
      leave();
    }
  }

  /**
   * Sends all revocations after the cursor, and each new one, until the listener leaves or is too slow. A beat follows when all
   * are sent, and then at least every two seconds.
   */
  async function stream(reply: FastifyReply, key: AuthenticatedKey, after: string) {
    const { raw } = reply;
    const beganAt = clock.elapsed();
    let waiting: string[] | undefined = [];
    let beatAt = beganAt;
    const send = (text: string) => {
      if (raw.writableLength > MAX_BACKLOG_BYTES) raw.destroy();
      else raw.write(text);
    };
    const beat = (readAt: number) => {
      beatAt = clock.elapsed();
      send(`: ${Math.floor(readAt - beganAt)} ${toIsoString(clock.now())}\n\n`);
    };
    const leave = await feed.follow({
      next(batch) {
        if (batch.revocations.length > 0) {
          const text = textOf(feed.toPage(batch).items);
          if (waiting) waiting.push(text);
          else send(text);
        }
        if (!waiting && clock.elapsed() - beatAt >= BEAT_MS) beat(batch.readAt);
      },
      end: () => raw.end(),
    });
    finished(raw, leave);
    try {
      finished(raw, await key.whenWithdrawn(() => raw.destroy()));
      let readAt = clock.elapsed();
      let page = await feed.read(after);
      reply.hijack();
      raw.writeHead(200, { ...headersOf(reply), 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
      while (!raw.destroyed) {
        if (page.items.length > 0) await write(raw, textOf(page.items));
        if (page.complete) break;
        readAt = clock.elapsed();
        page = await feed.read(page.next);
      }
      for (const text of waiting) send(text);
      waiting = undefined;
      beat(readAt);
    } catch (error) {
      leave();
      if (!raw.headersSent) throw error;
      raw.destroy();
    }
    return reply;
  }
}

const headersOf = (reply: FastifyReply) => Object.fromEntries(Object.entries(reply.getHeaders()));

const textOf = (items: readonly FeedItem[]) =>
  items.map((item) => `id: ${item.cursor}\ndata: ${JSON.stringify(item)}\n\n`).join('');

/** Resolves when the listener has room for more, or has left. */
async function write(raw: ServerResponse, text: string): Promise<void> {
  if (raw.write(text) || raw.destroyed) return;
  await new Promise<void>((resolve) => {
    raw.once('drain', resolve);
    raw.once('close', resolve);
  });
}
