// The cookies of the requests of applications: one for each request that waits.
import type { Cookies } from '../contract/cookies.ts';

/** The beginning of the name of a request's cookie. The request's id follows. */
export const AUTHORIZATION_COOKIE = 'latchkey-authorization-';

/** The most requests that wait in one browser. Each cookie comes with every call, and headers have a limit. */
const MOST_WAITING = 10;

/** Returns what deletes the cookies of requests that are too many. */
export function staleCookies(cookies: Cookies, header: string | undefined): string[] {
  const waiting = cookies.names(header, AUTHORIZATION_COOKIE);
  return waiting
    .slice(0, Math.max(0, waiting.length - MOST_WAITING + 1))
    .map((name) => cookies.write(name, '', { maxAgeSeconds: 0 }));
}
