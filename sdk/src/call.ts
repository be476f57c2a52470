// One call of the API: sends the request, and returns its result or throws its error.
import { methods, type Reason } from './calls.gen.ts';
import type { Calls } from './calls.ts';
import { suggestedMethod } from './suggested-method.ts';

type Facts = {
  readonly name: 'LatchkeyError';
  /** HTTP status, or 0 without a response. */
  readonly status: number;
  /** The stable name of the error; `network` without a response of the service. */
  readonly reason: Reason | 'network';
  readonly details: string;
  /** Which members of the input are wrong, and why. */
  readonly validationErrors: readonly { message: string; members: readonly string[] }[];
  /** Seconds to wait before the same call may succeed. */
  readonly retryAfter: number | undefined;
  readonly traceId: string | undefined;
};

/** A refused or failed call. */
export type LatchkeyError = Error & Facts;

/** Whether the error comes from a call, and has this reason if one is given. */
export function isLatchkeyError(error: unknown, reason?: LatchkeyError['reason']): error is LatchkeyError {
  return (
    error instanceof Error &&
    error.name === 'LatchkeyError' &&
    (reason === undefined || ('reason' in error && error.reason === reason))
  );
}

/** Returns the error of a call. Facts that are not known are those of a call without a response. */
export function createError(message: string, known: Partial<Facts> & { cause?: unknown }): LatchkeyError {
  const facts: Facts = {
    name: 'LatchkeyError',
    status: 0,
    reason: 'network',
    details: message,
    validationErrors: [],
    retryAfter: undefined,
    traceId: undefined,
    ...known,
  };
  return Object.assign(new Error(message), facts);
}

/** Calls that need the cookie of an application's request, also from another origin on the same site. */
const withCookie: readonly string[] = ['Authorization/Get', 'Authorization/Continue'];

/** The address of the service, the key of the front end, further headers, and the `fetch` to use. */
export type Transport = {
  readonly baseUrl: string;
  readonly frontEnd: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
};

/** What the service wraps results and errors in. */
export type Envelope<Result> = {
  readonly success: boolean;
  readonly result: Result;
  readonly error: (Omit<Facts, 'name' | 'status' | 'retryAfter'> & { readonly message: string }) | null;
};

/** Sends the request once. The signal ends the wait for the response. @throws LatchkeyError */
export async function send<Name extends keyof Calls>(
  { baseUrl, frontEnd, headers: further, fetch }: Transport,
  name: Name,
  input: Readonly<Record<string, unknown>>,
  token: string | undefined,
  signal: AbortSignal | null = null,
): Promise<Calls[Name]['result']> {
  const method = methods[name] ?? suggestedMethod(name);
  const hasBody = method === 'POST' || method === 'PUT';
  const path = `${baseUrl}/api/${name.startsWith('TokenAuth/') ? '' : 'services/app/'}${name}`;
  const headers = {
    ...further,
    ...(hasBody && { 'content-type': 'application/json' }),
    ...(frontEnd !== undefined && { 'sha-frontend-application': frontEnd }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  // The browser completes a sign-off even if the page closes meanwhile.
  const keepalive = name === 'TokenAuth/SignOff';
  const credentials = withCookie.includes(name) ? 'include' : 'same-origin';
  const url = hasBody ? path : `${path}${toQuery(input)}`;
  let response: Response;
  let json: unknown;
  try {
    response = await fetch(url, {
      method,
      headers,
      keepalive,
      credentials,
      signal,
      ...(hasBody && { body: JSON.stringify(input) }),
    });
    json = await response.json().catch(nullWithoutJson);
  } catch (error) {
    throw createError(explainFailure(url, error), { cause: error });
  }
  // Anything else than the envelope of the service has none of its members.
  const answer = json as Partial<Envelope<Calls[Name]['result']>> | null;
  // The result of a success is there.
  if (response.ok && answer?.success === true) return answer.result as Calls[Name]['result'];
  const { error } = answer ?? {};
  if (error?.reason === undefined)
    throw createError('The response does not come from Latchkey.', { status: response.status });
  const retryAfter = Number(response.headers.get('retry-after')) || undefined;
  const { reason, message, details, validationErrors, traceId } = error;
  throw createError(message, {
    status: response.status,
    reason,
    details,
    validationErrors: validationErrors ?? [],
    retryAfter,
    traceId,
  });
}

/** Returns null for a body that is no JSON. @throws what cut the body off. */
function nullWithoutJson(error: unknown): null {
  if (error instanceof SyntaxError) return null;
  throw error;
}

/** Browsers do not tell why a call to another origin failed: the service is away, or does not list the page's origin. */
function explainFailure(url: string, error: unknown): string {
  // Servers have neither, and their types do not know them.
  const { location, navigator } = globalThis as { location?: { origin: string }; navigator?: { onLine?: boolean } };
  const isElsewhere = location !== undefined && /^https?:/i.test(url) && !url.startsWith(`${location.origin}/`);
  if (!isElsewhere || !(error instanceof TypeError) || navigator?.onLine === false)
    return 'The service cannot be reached.';
  return `The service cannot be reached, or refuses calls from other origins (CORS). Add ${location.origin} to LATCHKEY_CORS_ORIGINS.`;
}

function toQuery(input: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(input).filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query && `?${query}`;
}
