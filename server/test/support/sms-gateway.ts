// A real SMS gateway for tests: keeps the messages it receives, and fails on demand.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createInbox } from './mail-server.ts';
import { findFreePort } from './ports.ts';

export type ReceivedSms = {
  to: string;
  text: string;
  id: string;
  headers: IncomingHttpHeaders;
  /** Unparsed. */
  body: string;
};

export interface SmsGateway {
  readonly port: number;
  /** The value for LATCHKEY_SMS_URL. */
  readonly url: string;
  /** The messages it accepted, hung on, or dropped. */
  readonly messages: readonly ReceivedSms[];
  /** The next message, or the first that this has not returned yet. */
  next(): Promise<ReceivedSms>;
  /**
   * From now on, after it has read a message: answers with this status (a 3xx redirects to a path that would
   * accept the message), never answers, or drops the connection.
   * @returns `reached` resolves when it has done so for the first time.
   */
  fail(how: number | 'hang' | 'drop'): { reached: Promise<void> };
  /** Works normally again. */
  recover(): void;
  /** Drops all connections, and accepts no more. */
  stop(): Promise<void>;
  /** Accepts connections again, on the same port; received messages stay. */
  start(): Promise<void>;
}

/** Starts on its own port on 127.0.0.1. */
export async function startSmsGateway(): Promise<SmsGateway> {
  const inbox = createInbox<ReceivedSms>();
  let fault: { how: number | 'hang' | 'drop'; onReached: () => void } | undefined;
  const port = await findFreePort();

  const server = createServer(async (request, response) => {
    const body = await readText(request).catch(() => undefined);
    if (body === undefined) return;
    const { how = 200, onReached } = (request.url === '/send' && fault) || {};
    if (typeof how === 'string' || how < 300) {
      inbox.add({ ...JSON.parse(body || '{}'), headers: request.headers, body });
    }
    if (how === 'drop') request.socket.resetAndDestroy();
    if (typeof how === 'number')
      response.writeHead(how, { location: '/elsewhere' }).end('{"words":"that nobody reads"}');
    onReached?.();
  });

  async function start() {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }

  await start();
  return {
    port,
    url: `http://127.0.0.1:${port}/send`,
    messages: inbox.messages,
    next: inbox.next,
    fail(how) {
      const { promise: reached, resolve: onReached } = Promise.withResolvers<void>();
      fault = { how, onReached };
      return { reached };
    },
    recover() {
      fault = undefined;
    },
    async stop() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      // By then, clients in this process have noticed.
      await nextTurn();
    },
    start,
  };
}
