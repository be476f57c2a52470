// The loopback rule of a test server: it answers requests to names of this machine, and no others.
import type { Server } from 'node:http';
import { isLoopbackHost } from '../foundation/secure-url.ts';

/** 421: the request was sent to a server that does not answer for its name (RFC 9110, 15.5.20). */
const MISDIRECTED = 421;

const REFUSAL = 'A test server answers only requests to names of this machine, such as localhost.\n';

/**
 * Refuses every request with the name of another machine before anything else looks at it. It comes from a proxy that publishes
 * the server, or from a page whose name was rebound to this machine.
 */
export function answerLoopbackOnly(server: Server): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const hostname = URL.parse(`http://${request.headers.host}`)?.hostname ?? '';
    if (!isLoopbackHost(hostname)) return void response.writeHead(MISDIRECTED).end(REFUSAL);
    for (const listener of listeners) Reflect.apply(listener, server, [request, response]);
  });
}
