// The call of a feed: pages, long polls and streams.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Clock } from '../foundation/clock.ts';
import type { Feed, FeedItem } from '../foundation/feed.ts';
import type { FeedPage } from '../foundation/tail.ts';
import { createStreams, type KeyInUse } from './feed-stream.ts';
import { createQueryReader } from './input.ts';
import type { Endpoints } from './route.ts';

const readQuery = createQueryReader(
  Type.Object({
    after: Type.Optional(Type.String({ maxLength: 6000, 'x-text': 'exact' })),
    wait: Type.Optional(Type.Integer({ minimum: 0, maximum: 25 })),
  }),
);

/** A page of fewer bytes is not worth compressing. */
const MIN_GZIP_BYTES = 2000;

const compress = promisify(gzip);

export type FeedDeps = {
  readonly feed: Feed<FeedItem>;
  /** Returns after the request's service key was found. @throws AuthError */
  readonly authenticate: (key: string | undefined) => Promise<KeyInUse>;
  readonly clock: Clock;
};

/** Declares the call of a feed, for callers with a service key. */
export function feedEndpoint(path: `/api/${string}`, { feed, authenticate, clock }: FeedDeps): Endpoints {
  return (app: FastifyInstance, { readServiceKey }) => {
    const stream = createStreams({ feed, clock });
    app.get(path, { exposeHeadRoute: false }, async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const key = await authenticate(readServiceKey(request));
      const { after = '', wait = 0 } = readQuery(request.query);
      if (wantsStream(request)) return stream(reply, key, request.headers['last-event-id']?.toString() || after);
      return sendPage(request, reply, wait === 0 ? await feed.read(after) : await poll(reply, key, after, wait * 1000));
    });
    app.addHook('preClose', async () => feed.stop());
  };

  /** Returns the page after the cursor. If nothing is there, waits for the next item, as long as the key is in use. */
  async function poll(
    { raw }: FastifyReply,
    key: KeyInUse,
    after: string,
    milliseconds: number,
  ): Promise<FeedPage<FeedItem>> {
    const { promise, resolve } = Promise.withResolvers<FeedPage<FeedItem> | undefined>();
    const giveUp = () => resolve(undefined);
    const leave = await feed.follow({ next: ({ page }) => page.items.length > 0 && resolve(page), end: giveUp });
    let stopWatching = () => {};
    const stopWaiting = clock.every(milliseconds, giveUp);
    try {
      const page = await feed.read(after);
      if (page.items.length > 0) return page;
      stopWatching = await key.whenWithdrawn(giveUp);
      raw.once('close', giveUp);
      // The client may have left before this service listened for that.
      if (raw.destroyed) return page;
      return (await promise) ?? page;
    } finally {
      leave();
      stopWaiting();
      stopWatching();
    }
  }
}

const wantsStream = ({ headers }: FastifyRequest) => /\btext\/event-stream\b/i.test(headers.accept ?? '');

/** Whether the client accepts gzip (RFC 9110, 12.5.3). */
const acceptsGzip = ({ headers }: FastifyRequest) =>
  /(^|,)\s*gzip\s*(;\s*q=(1|0\.\d*[1-9]\d*)[^,]*)?(,|$)/i.test(String(headers['accept-encoding'] ?? ''));

async function sendPage(request: FastifyRequest, reply: FastifyReply, page: FeedPage<FeedItem>) {
  const text = JSON.stringify(page);
  reply.type('application/json; charset=utf-8');
  if (text.length < MIN_GZIP_BYTES || !acceptsGzip(request)) return reply.send(text);
  return reply.header('content-encoding', 'gzip').send(await compress(text, { level: 1 }));
}
