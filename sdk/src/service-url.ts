// The address of the service, as servers are given it. They call no other: a redirect is an error.
import { createError, isLatchkeyError } from './call.ts';

/** Options often come from variables that are not set. @throws TypeError if this one is no URL. */
export function requireUrl(name: string, url: string | undefined): void {
  if (!/^https?:/.test(url ?? '') || !URL.canParse(url ?? '')) throw new TypeError(`${name}: give a URL, not ${url}`);
}

export const toBase = (url: string): string => url.replace(/\/+$/, '');

/**
 * Returns a `fetch` that follows no redirect of the service: the call would lose its method, its body or its token.
 * @throws LatchkeyError that says where the redirect leads.
 */
export function withoutRedirects(base: string, request: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await request(input, { ...init, redirect: 'manual' });
    const { status, headers } = response;
    const location = headers.get('location');
    if (status < 300 || status > 399 || location === null) return response;
    await response.body?.cancel();
    const url = String(input);
    const target = URL.canParse(location, url) ? new URL(location, url).href : location;
    const path = url.startsWith(base) ? url.slice(base.length) : '';
    const address = path !== '' && target.endsWith(path) ? target.slice(0, -path.length) : target;
    throw createError(`The service redirects to ${address}. Use that address instead of ${base}.`, { status });
  };
}

/** Throws what {@link withoutRedirects} has thrown, if a call has failed by it. */
export function throwRedirect(error: unknown): never {
  throw error instanceof Error && isLatchkeyError(error.cause) ? error.cause : error;
}
