// The front end that a sign-in page is for, and the languages that an application asks for. The address of the page names both;
// the service decides whether the front end is registered.

import { REQUEST_KEY } from './authorization-request-key.ts';
import { pagePath } from './base-path.ts';

const QUERY = 'frontEnd';
const LOCALES = 'ui_locales';

/** The form of a key. A header holds nothing else. */
const KEY = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Returns the query of this page; on the redirect page of providers, that of the page that has redirected. */
function readQuery(): string {
  if (!pagePath().startsWith('/login/external/')) return location.search;
  try {
    return JSON.parse(sessionStorage.getItem(REQUEST_KEY) ?? '{}').search ?? location.search;
  } catch {
    return location.search;
  }
}

// The application's own pages use these members for their filters.
const query = new URLSearchParams(/^\/app(\/|$)/.test(pagePath()) ? '' : readQuery());

const key = query.get(QUERY) ?? '';

/** The key of the front end. `undefined`: the default front end. */
export const frontEnd = KEY.test(key) ? key : undefined;

const locales = query.get(LOCALES);

/** The languages that the application of this sign-in asks for (BCP 47), the preferred one first. */
export const askedLanguages: readonly string[] = locales?.split(' ') ?? [];

/** The members of a query that name the front end and the languages to the next page. */
export const carriedQuery: Readonly<Record<string, string>> = {
  ...(frontEnd !== undefined && { [QUERY]: frontEnd }),
  ...(locales !== null && { [LOCALES]: locales }),
};
