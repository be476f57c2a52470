// One call of the API: the request, and what it comes to.
import { methods, type Reason } from './calls.gen.ts';
import type { Calls } from './calls.ts';

/** A refused or failed call. */
export type LatchkeyError = Error & {
  readonly name: 'LatchkeyError';
  /** HTTP status, or 0 when no answer came. */
  readonly status: number;
  /** The stable word of the error; `network` when no answer of the service came. */
  readonly reason: Reason | 'network';
  readonly details: string;
  /** Which members of the input are wrong, and why. */
  readonly validationErrors: readonly { message: string; members: readonly string[] }[];
  /** Seconds to wait before the same call may succeed. */
  readonly retryAfter: number | undefined;
  readonly traceId: string | undefined;
};

/** Whether this is what a call ended in, and for this reason if one is named. */
export function isLatchkeyError(error: unknown, reason?: LatchkeyError['reason']): error is LatchkeyError {
  return (
    error instanceof Error &&
    error.name === 'LatchkeyError' &&
    (reason === undefined || (error as LatchkeyError).reason === reason)
  );
}

function fail(message: string, more: Partial<LatchkeyError>): LatchkeyError {
  const facts = { name: 'LatchkeyError', status: 0, reason: 'network', details: message, validationErrors: [] };
  return Object.assign(new Error(message), {
    retryAfter: undefined,
    traceId: undefined,
    ...facts,
    ...more,
  } as LatchkeyError);
}

/** How a call is made: by whom, and where. */
export type Transport = {
  readonly baseUrl: string;
  readonly frontEnd: string | undefined;
  readonly fetch: typeof fetch;
};

/** Makes the call once. @throws LatchkeyError */
export async function send<Name extends keyof Calls>(
  { baseUrl, frontEnd, fetch }: Transport,
  name: Name,
  input: Readonly<Record<string, unknown>>,
  token: string | undefined,
): Promise<Calls[Name]['result']> {
  const method = methods[name] ?? 'POST';
  const hasBody = method === 'POST' || method === 'PUT';
  const path = `${baseUrl}/api/${name.startsWith('TokenAuth/') ? '' : 'services/app/'}${name}`;
  const headers = {
    ...(hasBody && { 'content-type': 'application/json' }),
    ...(frontEnd !== undefined && { 'sha-frontend-application': frontEnd }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  // A sign-off is finished even if the page goes meanwhile.
  const keepalive = name === 'TokenAuth/SignOff';
  const url = hasBody ? path : `${path}${toQuery(input)}`;
  let response: Response;
  try {
    response = await fetch(url, { method, headers, keepalive, ...(hasBody && { body: JSON.stringify(input) }) });
  } catch (error) {
    throw fail('The service cannot be reached.', { cause: error });
  }
  const answer = await response.json().catch(() => undefined);
  if (response.ok && answer?.success === true) return answer.result;
  const { reason, message, details, validationErrors, traceId } = answer?.error ?? {};
  if (reason === undefined) throw fail('This is no answer of the service.', { status: response.status });
  const retryAfter = Number(response.headers.get('retry-after')) || undefined;
  throw fail(message, {
    status: response.status,
    reason,
    details,
    validationErrors: validationErrors ?? [],
    retryAfter,
    traceId,
  });
}

function toQuery(input: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(input).filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query && `?${query}`;
}
