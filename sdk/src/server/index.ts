// The client for servers: typed calls with a service key that manages.
import { send } from '../call.ts';
import type { Call } from '../calls.ts';
import { requireUrl, throwRedirect, toBase, withoutRedirects } from '../service-url.ts';

export { isLatchkeyError, type LatchkeyError } from '../call.ts';
export type { Calls } from '../calls.ts';

export type LatchkeyServerOptions = {
  /** The URL of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** A service key with `manage` and the permissions of the calls, such as `Pages.Users`. */
  readonly serviceKey: string;
  /** How long a call may take, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
};

export type LatchkeyServer = { readonly call: Call };

const TIMEOUT_MS = 10_000;

/** Creates a client. It keeps nothing between two calls. @throws TypeError if the key is missing, or `baseUrl` is no URL. */
export function createLatchkeyServer(options: LatchkeyServerOptions): LatchkeyServer {
  const { serviceKey, timeoutMs = TIMEOUT_MS } = options;
  requireUrl('baseUrl', options.baseUrl);
  if (!serviceKey) throw new TypeError('serviceKey: make one with latchkey service-keys create');
  const baseUrl = toBase(options.baseUrl);
  const request = withoutRedirects(baseUrl, options.fetch ?? fetch.bind(globalThis));
  const transport = { baseUrl, frontEnd: undefined, fetch: request };
  return {
    call: (name, ...[input]) =>
      send(transport, name, { ...input }, serviceKey, AbortSignal.timeout(timeoutMs)).catch(throwRedirect),
  };
}
