// Loads: what a driver sends to a server, and its measurements.

/** One request of a load; `body` is JSON or a form. `path`: another one than the load's URL has. */
export type Call = {
  readonly headers: Readonly<Record<string, string>>;
  readonly path?: string;
  readonly body?: string;
};

/** The same for every contestant of a figure. */
export type Load = {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** Distributed over the connections, each of which sends its own in rotation. */
  readonly calls: readonly Call[];
  readonly connections: number;
  /** Stop after this many seconds, or after `amount` requests. */
  readonly seconds?: number;
  readonly amount?: number;
  /** Requests per second, evenly spaced, answered or not; absent: each connection sends once it has its answer. */
  readonly rate?: number;
  /** Each answer holds the token of the connection's next request. */
  readonly follows?: TokenIn;
};

/** Where the service, PocketBase, Directus and OpenID providers answer the token of the next request. */
export type TokenIn = 'result.accessToken' | 'token' | 'data.refresh_token' | 'refresh_token';

/** The result of a load: milliseconds for each answered request, and how many were not answered with 2xx. */
export type Seen = {
  readonly requests: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly failures: number;
};

export const CONNECTIONS = 16;

/** To each of several processes that hash on the same cores: each lets one address have fewer hashes in flight then. */
export const SIGN_IN_CONNECTIONS = 4;

/** The calls with these bearer tokens. */
export function bearers(tokens: readonly string[]): Call[] {
  return tokens.map((token) => ({ headers: { authorization: `Bearer ${token}` } }));
}

/** The calls with these bodies. */
export function posts(bodies: readonly object[]): Call[] {
  return bodies.map((body) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }));
}

/** The calls with these forms, of a client that authenticates with its secret. */
export function forms(authorization: string, all: readonly Readonly<Record<string, string>>[]): Call[] {
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
  return all.map((form) => ({ headers, body: new URLSearchParams(form).toString() }));
}

/** Calls of one URL over all connections, for some seconds. */
export const post = (url: string, calls: readonly Call[], seconds: number): Load => ({
  url,
  method: 'POST',
  calls,
  connections: CONNECTIONS,
  seconds,
});

export const get = (url: string, calls: readonly Call[], seconds: number): Load => ({
  ...post(url, calls, seconds),
  method: 'GET',
});

/** The calls that refresh these tokens in their bodies, as Directus accepts them. */
export function refreshes(tokens: readonly string[]): Call[] {
  return posts(tokens.map((token) => ({ refresh_token: token, mode: 'json' })));
}

/** Summary of the latencies of one load, in milliseconds. */
export function summarize(latencies: readonly number[], seconds: number, failures: number): Seen {
  const sorted = Float64Array.from(latencies).sort();
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
  return { requests: sorted.length, seconds, p50: at(0.5), p99: at(0.99), max: at(1), failures };
}
