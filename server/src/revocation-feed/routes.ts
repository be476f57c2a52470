// The call of the revocation feed: pages, long polls and server-sent events (WHATWG HTML, 9.2).
import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { Clock } from '../foundation/clock.ts';
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

/** A stream shows at least this often that nothing was missed, in milliseconds. */
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

  /** Sends all revocations after the cursor, and each new one, until the listener leaves or is too slow. */
  async function stream(reply: FastifyReply, key: AuthenticatedKey, after: string) {
    const { raw } = reply;
    let waiting: string[] | undefined = [];
    let sentAt = clock.elapsed();
    const send = (text: string) => {
      sentAt = clock.elapsed();
      if (raw.writableLength > MAX_BACKLOG_BYTES) raw.destroy();
      else raw.write(text);
    };
    const leave = await feed.follow({
      next(batch) {
        if (batch.revocations.length > 0) {
          const text = textOf(feed.toPage(batch).items);
          if (waiting) waiting.push(text);
          else send(text);
        } else if (!waiting && clock.elapsed() - sentAt >= BEAT_MS) send(':\n\n');
      },
      end: () => raw.end(),
    });
    finished(raw, leave);
    try {
      finished(raw, await key.whenWithdrawn(() => raw.destroy()));
      let page = await feed.read(after);
      reply.hijack();
      raw.writeHead(200, { ...headersOf(reply), 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
      while (!raw.destroyed) {
        await write(raw, textOf(page.items) || ':\n\n');
        if (page.complete) break;
        page = await feed.read(page.next);
      }
      for (const text of waiting) send(text);
      waiting = undefined;
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
