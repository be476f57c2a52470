// A listener of a feed: a request that is answered with server-sent events.
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import type { FeedItem as AnyItem } from '../../src/foundation/feed.ts';
import type { FeedItem } from '../../src/revocation-feed/index.ts';

export interface FeedStream<Item = FeedItem> {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** In the order of their arrival. */
  readonly items: readonly Item[];
  /** The id of the last event. */
  readonly lastId: string;
  /** The comments. */
  readonly beats: readonly string[];
  /** Resolves when this is true of the stream. It is judged at each arrival. Rejects when the stream ends before. */
  until(isTrue: () => boolean): Promise<void>;
  /** Resolves when the stream has ended. */
  readonly ended: Promise<unknown>;
  /** Stops reading. */
  pause(): void;
  resume(): void;
  close(): void;
}

const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });

/** Opens a stream. With another status than 200 it has no events. @param path of the feed. Default: revocations. */
export async function openFeedStream<Item extends AnyItem = FeedItem>(
  url: string,
  {
    key,
    cursor,
    query = '',
    path = '/api/revocations',
  }: { key: string; cursor?: string; query?: string; path?: string },
): Promise<FeedStream<Item>> {
  const headers = {
    accept: 'text/event-stream',
    authorization: `Bearer ${key}`,
    ...(cursor !== undefined && { 'last-event-id': cursor }),
  };
  const request = get(`${url}${path}${query}`, { agent, headers });
  const [response]: IncomingMessage[] = await once(request, 'response');
  if (!response) throw new Error('No response.');
  const items: Item[] = [];
  const beats: string[] = [];
  const waiting = new Set<() => void>();
  let lastId = '';
  let rest = '';
  let hasEnded = false;
  response.setEncoding('utf8').on('data', (chunk) => {
    const events = (rest + chunk).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const [, id = '', data] = /^id: (.*)\ndata: (.*)$/.exec(event) ?? [];
      if (data === undefined) beats.push(event);
      else {
        items.push(JSON.parse(data));
        lastId = id;
      }
    }
    for (const look of waiting) look();
  });
  response.on('error', () => {});
  const ended = new Promise((resolve) => response.once('close', resolve)).then(() => {
    hasEnded = true;
    for (const look of waiting) look();
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    items,
    beats,
    get lastId() {
      return lastId;
    },
    until: (isTrue) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!isTrue() && !hasEnded) return;
          waiting.delete(look);
          if (isTrue()) resolve();
          else reject(new Error('The stream has ended.'));
        };
        waiting.add(look);
        look();
      }),
    ended,
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void request.destroy(),
  };
}
