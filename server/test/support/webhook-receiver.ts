// A real receiver of webhooks for tests: keeps the requests it gets, and answers as it is told.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';

export type ReceivedEvent = {
  readonly url: string;
  readonly headers: Record<string, string>;
  /** Unparsed. */
  readonly body: string;
};

export interface WebhookReceiver {
  readonly url: string;
  readonly received: readonly ReceivedEvent[];
  /** From now on answers like this. Default: status 204. */
  answer(how: (response: ServerResponse) => unknown): void;
  /** Resolves when it has received so many requests. */
  reached(count: number): Promise<void>;
  /** Returns what it has received since the last call. */
  take(): ReceivedEvent[];
  stop(): Promise<void>;
}

const accept = (response: ServerResponse) => response.writeHead(204).end();

/** Starts on its own port on this machine. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedEvent[] = [];
  const waiting = new Set<{ count: number; resolve: () => void }>();
  let how: (response: ServerResponse) => unknown = accept;
  let taken = 0;
  const flatten = (headers: IncomingHttpHeaders) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const server = createServer(async (request, response) => {
    const body = await readText(request);
    received.push({ url: request.url ?? '', headers: flatten(request.headers), body });
    for (const { count, resolve } of waiting) if (received.length >= count) resolve();
    how(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    received,
    answer(next) {
      how = next;
    },
    reached: (count) =>
      new Promise((resolve) => {
        waiting.add({ count, resolve });
        if (received.length >= count) resolve();
      }),
    take() {
      const since = received.slice(taken);
      taken = received.length;
      return since;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
