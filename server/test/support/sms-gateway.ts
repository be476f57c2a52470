// A real SMS gateway for tests: keeps what is POSTed to it, and fails when it is told to.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createInbox } from './mail-server.ts';

export type ReceivedSms = {
  to: string;
  text: string;
  id: string;
  headers: IncomingHttpHeaders;
  /** As it came. */
  body: string;
};

export interface SmsGateway {
  readonly port: number;
  /** What LATCHKEY_SMS_URL would say. */
  readonly url: string;
  /** What it has accepted, hung on, or dropped. */
  readonly messages: readonly ReceivedSms[];
  /** The next message, or the first that this was not called for yet. */
  next(): Promise<ReceivedSms>;
  /**
   * From now on, after it has read a message: answers with this status (of the 3xx it redirects to a path that would
   * accept the message), never answers, or drops the connection.
   * @returns `reached` resolves when it has done so for the first time.
   */
  fail(how: number | 'hang' | 'drop'): { reached: Promise<void> };
  /** From now on, it works again. */
  recover(): void;
  /** Drops all connections, and takes no more. */
  stop(): Promise<void>;
  /** Once more, on the same port; what it has received stays. */
  start(): Promise<void>;
}

/** Starts on a port of its own on 127.0.0.1. */
export async function startSmsGateway(): Promise<SmsGateway> {
  const inbox = createInbox<ReceivedSms>();
  let fault: { how: number | 'hang' | 'drop'; onReached: () => void } | undefined;
  let port = 0;

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
    port = (server.address() as { port: number }).port;
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
      // A client in this process has noticed by then.
      await nextTurn();
    },
    start,
  };
}
