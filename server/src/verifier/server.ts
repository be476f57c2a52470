// The server of the verifier process: answers reverse proxies as forward-auth does, from memory.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Claims, TokenRejected, type Verifier, verifyHeader } from 'latchkey-sdk/verify';
import {
  announcesBody,
  findUnmetDemand,
  hasSeveralAuthorizations,
  type Identity,
  identityHeaders,
  readDemands,
} from '../contract/forward-auth.ts';
import { foldCase } from '../foundation/case-folding.ts';
import { AuthError } from '../foundation/errors.ts';

const REQUEST_TIMEOUT_MS = 10_000;

/** Longer than proxies keep idle connections, so that the proxy closes them and not a request is lost. */
const KEEP_ALIVE_MS = 120_000;

/** Proxies pass all headers of the original request on, the cookies included. */
const MAX_HEADER_BYTES = 65_536;

type Answer = { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: object };

export type VerifierServerDeps = {
  readonly verifier: Verifier;
  /** Why the process is not ready for callers, though it could verify. */
  readonly findUnreadyReason: () => string | undefined;
};

/** Returns the server. It does not listen yet. */
export function createVerifierServer(deps: VerifierServerDeps): Server {
  const options = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  return createServer(options, (request, response) => {
    void answer(request, deps).then((given) => send(request, response, given));
  });
}

async function answer(request: IncomingMessage, { verifier, findUnreadyReason }: VerifierServerDeps): Promise<Answer> {
  const [path = ''] = (request.url ?? '').split('?');
  // Envoy adds the path of the original request, and accepts no other status than 200.
  if (path === '/verify') return verify(request, verifier, 204);
  if (path.startsWith('/verify/')) return verify(request, verifier, 200);
  if (path === '/health/live') return { status: 200, body: { status: 'ok' } };
  if (path === '/health/ready') {
    const obstacle =
      findUnreadyReason() ?? (verifier.isStale ? 'The verifier does not hear from the service.' : undefined);
    if (obstacle === undefined) return { status: 200, body: { status: 'ok' } };
    return { status: 503, body: { status: 'unavailable', reason: obstacle } };
  }
  return refusal(404, 'not_found', 'The verifier has /verify, /health/ready and /health/live.');
}

async function verify(request: IncomingMessage, verifier: Verifier, status: number): Promise<Answer> {
  try {
    const demands = readDemands(request.url ?? '');
    if (hasSeveralAuthorizations(request.rawHeaders)) throw new TokenRejected('invalid', 'The request has two tokens.');
    const claims = await verifyHeader(verifier, request.headers.authorization);
    if (claims.auth_time === 0)
      throw new TokenRejected('invalid', 'The application acts for itself, and for no person.');
    const identity = toIdentity(claims);
    const unmet = findUnmetDemand(identity, demands, isIn);
    if (unmet === 'role') return refusal(403, 'insufficient_scope', 'The caller lacks the role.');
    if (unmet === 'level') {
      const message = 'This address needs a second factor. Authenticate again with one.';
      const challenge = `Bearer error="insufficient_user_authentication", error_description="${message}", acr_values="aal2"`;
      return refusal(401, 'insufficient_user_authentication', message, { 'www-authenticate': challenge });
    }
    return { status, headers: identityHeaders(identity) };
  } catch (error) {
    if (error instanceof TokenRejected) {
      const word = error.reason === 'stale' ? 'temporarily_unavailable' : 'invalid_token';
      return refusal(error.status, word, error.message, error.headers);
    }
    if (error instanceof AuthError) return refusal(error.status, 'invalid_request', error.details);
    return refusal(500, 'server_error', 'The verifier failed.');
  }
}

const isIn = (role: string, roles: readonly string[]) => roles.some((one) => foldCase(one) === foldCase(role));

function toIdentity({ sub, preferred_username, name, email = '', roles, acr = 'aal1' }: Claims): Identity {
  return { id: sub, userName: preferred_username, name, email, roles, level: acr };
}

/** @param error a word of OAuth (RFC 6750, 3.1; RFC 6749, 4.1.2.1; RFC 9470, 3). */
function refusal(status: number, error: string, message: string, headers: Answer['headers'] = {}): Answer {
  return { status, headers, body: { error, error_description: message } };
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers = {}, body }: Answer): void {
  const text = body && JSON.stringify(body);
  response.writeHead(status, {
    'cache-control': 'no-store',
    ...headers,
    ...(text !== undefined && { 'content-type': 'application/json' }),
    ...(status !== 204 && { 'content-length': Buffer.byteLength(text ?? '') }),
    ...(announcesBody(request) && { connection: 'close' }),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}
