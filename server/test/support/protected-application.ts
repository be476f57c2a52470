// An application behind a proxy: it tells what reached it.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the application got it. */
export type Received = { readonly url: string; readonly headers: IncomingHttpHeaders; readonly bodyBytes: number };

export interface ProtectedApplication {
  readonly port: number;
  /** All requests so far, the oldest first. */
  readonly received: Received[];
  close(): Promise<void>;
}

/** Starts it on a port of its own on 127.0.0.1. It answers each request with 200. */
export async function startProtectedApplication(): Promise<ProtectedApplication> {
  const received: Received[] = [];
  const server = createServer(async (incoming, response) => {
    let bodyBytes = 0;
    for await (const chunk of incoming) bodyBytes += chunk.length;
    received.push({ url: incoming.url ?? '', headers: incoming.headers, bodyBytes });
    response.end('the application');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Names and values as they are sent. A list sends the header as often. */
export type SentHeaders = Record<string, string | readonly string[]>;
export type ProxyAnswer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };

/**
 * Sends a request as a client does. Unlike `fetch`, it may send any header.
 * @param body one part is sent with its length, several are sent in chunks.
 */
export async function sendTo(
  port: number,
  path: string,
  { headers = {}, method = 'GET', body = [] }: { headers?: SentHeaders; method?: string; body?: Buffer[] } = {},
): Promise<ProxyAnswer> {
  const lists = Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]);
  const sent = request({ host: '127.0.0.1', port, path, method, headers: Object.fromEntries(lists), agent: false });
  for (const part of body.slice(0, -1)) sent.write(part);
  sent.end(body.at(-1));
  const [answer] = await once(sent, 'response');
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += chunk;
  return { status: answer.statusCode, headers: answer.headers, text };
}
