// Adapters: the session of a request in Express and in Fastify, and the responses of signing in and out.
import type { Parts, SessionRequest, Sessions, SignedIn } from './interface.ts';

/** A request of Express or Fastify. The adapters set `signedIn`. */
type ServerRequest = {
  readonly url: string;
  /** The path as it arrived, where Express has routed the request. */
  readonly originalUrl?: string;
  readonly protocol: string;
  readonly ip?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  signedIn?: SignedIn | null;
};

/** A response of Express. */
type Response = {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  appendHeader(name: string, value: string): unknown;
  end(): unknown;
};

/** A reply of Fastify. */
type Reply = { code(status: number): unknown; header(name: string, value: string): unknown; send(): unknown };

/** Returns a request of Express or Fastify as sessions take it. */
export function toSessionRequest(request: ServerRequest): SessionRequest {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of [value ?? []].flat()) if (!name.startsWith(':')) headers.append(name, one);
  }
  return { headers, url: toUrl(request.protocol, headers, request.originalUrl ?? request.url), ip: request.ip };
}

/** Returns the address that a browser has asked for. Programs may send headers of which none can be made. */
export function toUrl(protocol: string, headers: Headers, path: string): string {
  const url = `${protocol}://${headers.get('host') ?? 'localhost'}${path}`;
  return URL.canParse(url) ? url : 'https://unknown.invalid/';
}

/** Asks for the session of a request. @throws Error with the status of the answer, which both frameworks send. */
async function ask(sessions: Sessions, request: ServerRequest): Promise<SignedIn | null> {
  try {
    return await sessions.auth(toSessionRequest(request));
  } catch (cause) {
    // Options are wrong, for example: another try fails like this one.
    if (cause instanceof TypeError) throw cause;
    // The status of a failed call is of that call, as of one that reached another server.
    const error = new Error('Nobody can tell now whether the session is open.', { cause });
    throw Object.assign(error, { status: 503, headers: { 'retry-after': '1' } });
  }
}

/**
 * Returns middleware for Express that sets `request.signedIn` to the session, or to null, and the cookie of a refreshed token.
 * If nobody can tell, it passes an error on whose `status` is 503, and whose `cause` says why.
 */
export function expressSessions(
  sessions: Sessions,
): (request: ServerRequest, response: Response, next: (error?: unknown) => void) => Promise<void> {
  return async (request, response, next) => {
    try {
      request.signedIn = await ask(sessions, request);
      if (request.signedIn) setHeaders(response, request.signedIn.headers);
    } catch (error) {
      return next(error);
    }
    next();
  };
}

/** Sends what `signIn`, `callback` or `signOut` has returned, in Express. */
export function expressSend(response: Response, { status, headers }: Parts): void {
  response.statusCode = status;
  setHeaders(response, headers);
  response.end();
}

/** Cookies come beside those of the application. All else, such as the rule for caches, replaces what it has set. */
function setHeaders(response: Response, headers: Headers) {
  for (const [name, value] of headers) response[name === 'set-cookie' ? 'appendHeader' : 'setHeader'](name, value);
}

/**
 * Returns a hook for Fastify, for `onRequest`, that sets `request.signedIn` and the cookie of a refreshed token. If nobody can tell,
 * it throws an error whose `status` is 503, and whose `cause` says why.
 */
export function fastifySessions(sessions: Sessions): (request: ServerRequest, reply: Reply) => Promise<void> {
  return async (request, reply) => {
    request.signedIn = await ask(sessions, request);
    for (const [name, value] of request.signedIn?.headers ?? []) reply.header(name, value);
  };
}

/** Sends what `signIn`, `callback` or `signOut` has returned, in Fastify. */
export function fastifySend(reply: Reply, { status, headers }: Parts): unknown {
  reply.code(status);
  for (const [name, value] of headers) reply.header(name, value);
  return reply.send();
}
