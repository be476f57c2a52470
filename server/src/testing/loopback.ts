// The loopback rule of a test server: it answers requests to names of this machine, and no others.
import type { IncomingHttpHeaders, Server } from 'node:http';
import { isLoopbackHost } from '../foundation/secure-url.ts';

/** 421: the request was sent to a server that does not answer for its name (RFC 9110, 15.5.20). */
const MISDIRECTED = 421;

const REFUSAL = 'A test server answers only requests to names of this machine, such as localhost.\n';

/**
 * Refuses every request with the name of another machine before anything else looks at it. It comes from a proxy that publishes
 * the server, or from a page whose name was rebound to this machine. A proxy may send its own name, and the other one beside it.
 */
export function answerLoopbackOnly(server: Server): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (!namesOf(request.headers).every(isLoopback)) return void response.writeHead(MISDIRECTED).end(REFUSAL);
    for (const listener of listeners) Reflect.apply(listener, server, [request, response]);
  });
}

/** Returns the hosts that a request was for, here and at the proxies before (RFC 7239, 5.3). */
function namesOf({ host = '', 'x-forwarded-host': forwardedHost = [], forwarded = '' }: IncomingHttpHeaders): string[] {
  const given = [forwardedHost].flat().flatMap((names) => names.split(','));
  const standard = [...forwarded.matchAll(/(?:^|[;,\s])host="?([^";,\s]*)/gi)].map(([, name = '']) => name);
  return [host, ...given, ...standard];
}

/** `host` is a name with or without a port, and nothing else. */
const isLoopback = (host: string) => isLoopbackHost(host.trim().toLowerCase().replace(/:\d*$/, ''));
