// The front end that a sign-in page is for. The address of the page names it; the service decides whether it is registered.
import { REQUEST_KEY } from './authorization-request-key.ts';

const QUERY = 'frontEnd';

/** The form of a key. A header holds nothing else. */
const KEY = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Returns the query of this page; on the redirect page of providers, that of the page that has redirected. */
function readQuery(): string {
  if (!location.pathname.startsWith('/login/external/')) return location.search;
  try {
    return JSON.parse(sessionStorage.getItem(REQUEST_KEY) ?? '{}').search ?? location.search;
  } catch {
    return location.search;
  }
}

function read(): string | undefined {
  // The application's own pages use the member for their filters.
  if (/^\/app(\/|$)/.test(location.pathname)) return undefined;
  const key = new URLSearchParams(readQuery()).get(QUERY) ?? '';
  return KEY.test(key) ? key : undefined;
}

/** The key of the front end. `undefined`: the default front end. */
export const frontEnd = read();

/** The member of a query that names the front end to the next page. */
export const frontEndQuery: Readonly<Record<string, string>> = frontEnd === undefined ? {} : { [QUERY]: frontEnd };
