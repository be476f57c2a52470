// The feed as the verifier reads it: all revocations in pages, then new ones in a stream, and again after each interruption.
import { createParser } from 'eventsource-parser';
import { type Freshness, parseBeat } from './freshness.ts';
import { type Service, ServiceFailure } from './service.ts';
import { type System, sleep } from './system.ts';

const PATH = '/api/revocations';

/** The service sends a beat every two seconds. A stream without one for this long, in milliseconds, is given up. */
const SILENCE_MS = 4000;

/** How often the verifier looks whether a stream is silent. */
const LOOK_MS = 250;

/** A stream is replaced after this long, in milliseconds, before clocks drift apart. */
const RENEWAL_MS = 300_000;

/** The longest pause before the first and before a later attempt to connect again, in milliseconds. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1000;

/** A line of the stream is about 200 characters long. */
const MAX_LINE = 65_536;

export type FeedDeps = {
  readonly service: Service;
  readonly system: System;
  readonly freshness: Freshness;
  /** Fetches what a stream is useless without. It runs for each connection. */
  readonly prepare: () => Promise<void>;
  /** Takes each item of the feed, in order. */
  readonly onItem: (item: unknown) => void;
  /** Hears of each stream when it has given all revocations up to its start. */
  readonly onCurrent: () => void;
  /** Hears of each interruption and each failed attempt. */
  readonly onFailure: (error: unknown) => void;
};

/** Follows the feed until the service is closed. */
export async function followFeed(deps: FeedDeps): Promise<void> {
  const { service, system, freshness, prepare, onItem, onCurrent, onFailure } = deps;
  let cursor = '';
  let failures = 0;

  async function readPages() {
    for (;;) {
      const page = await service.readJson(`${PATH}?after=${encodeURIComponent(cursor)}`);
      const { items, next, complete } = readPage(page);
      for (const item of items) onItem(item);
      cursor = next;
      if (complete) return;
    }
  }

  async function followStream() {
    const start = freshness.start();
    const silent = new AbortController();
    let isCurrent = false;
    let heardAt = start.elapsed;
    const isSilent = () => (isCurrent ? freshness.age() : system.elapsed() - heardAt) > SILENCE_MS;
    let stopLooking = () => {};
    const look = () => {
      if (isSilent()) silent.abort(new Error('The service was silent for four seconds.'));
      else stopLooking = system.after(LOOK_MS, look);
    };
    const parser = createParser({
      maxBufferSize: MAX_LINE,
      onEvent({ id, data }) {
        onItem(JSON.parse(data));
        if (id !== undefined) cursor = id;
      },
      onComment(comment) {
        const beat = parseBeat(comment);
        if (!beat) return;
        freshness.take(beat, start);
        failures = 0;
        if (!isCurrent) onCurrent();
        isCurrent = true;
      },
    });
    look();
    try {
      const signal = AbortSignal.any([silent.signal, service.closing]);
      const headers = { accept: 'text/event-stream', 'last-event-id': cursor };
      const { body } = await service.request(PATH, { headers, signal });
      const decoder = new TextDecoder();
      const reader = body?.getReader();
      while (system.elapsed() - start.elapsed < RENEWAL_MS) {
        const { done, value } = (await reader?.read()) ?? { done: true };
        if (done) throw new Error('The service ended the stream.');
        heardAt = system.elapsed();
        parser.feed(decoder.decode(value, { stream: true }));
      }
    } finally {
      stopLooking();
      silent.abort();
    }
  }

  while (!service.closing.aborted) {
    try {
      await Promise.all([readPages(), prepare()]);
      await followStream();
      continue;
    } catch (error) {
      // The cursor has lost its meaning, for example after a restore. What is known of revoked tokens stays known.
      if (error instanceof ServiceFailure && error.status === 410) cursor = '';
      if (!service.closing.aborted) onFailure(error);
    }
    const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
    failures += 1;
    await sleep(system, longest * system.random(), service.closing);
  }
}

function readPage(page: unknown): { items: readonly unknown[]; next: string; complete: boolean } {
  if (typeof page === 'object' && page !== null && 'items' in page && 'next' in page && 'complete' in page) {
    const { items, next, complete } = page;
    const isPage = Array.isArray(items) && typeof next === 'string' && typeof complete === 'boolean';
    if (isPage) return { items, next, complete };
  }
  throw new Error('The service sent no page of revocations.');
}
