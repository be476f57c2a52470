// Parameters of requests to the endpoints of OAuth: each at most once, and bounded (RFC 6749, 3.1).
import { OAuthError } from './oauth-error.ts';

/** The most characters of one parameter. */
const MAX_LENGTH = 8192;

/** `resource` alone may come several times (RFC 8707, 2). */
const REPEATABLE = 'resource';

export interface Parameters {
  /** Returns a parameter. An empty one counts as none. */
  get(name: string): string | undefined;
  /** Returns all values of a parameter. */
  all(name: string): readonly string[];
  /** @throws OAuthError `invalid_request` if it is missing. */
  require(name: string): string;
  /** Returns all parameters, for storage. */
  entries(): [string, string][];
}

/** @throws OAuthError `invalid_request` for a parameter that comes twice or is too long. */
export function readParameters(given: URLSearchParams): Parameters {
  const names = [...given.keys()];
  const repeated = names.find((name, place) => name !== REPEATABLE && names.indexOf(name) !== place);
  if (repeated !== undefined) throw new OAuthError('invalid_request', `Send ${printable(repeated)} once.`);
  const long = [...given].find(([, value]) => value.length > MAX_LENGTH);
  if (long) throw new OAuthError('invalid_request', `${printable(long[0])} is too long.`);
  const get = (name: string) => given.get(name) || undefined;
  return {
    get,
    all: (name) => given.getAll(name).filter((value) => value !== ''),
    require(name) {
      const value = get(name);
      if (value === undefined) throw new OAuthError('invalid_request', `Send ${name}.`);
      return value;
    },
    entries: () => [...given],
  };
}

/** An error description holds printable ASCII only (RFC 6749, 5.2). */
const printable = (name: string) => name.slice(0, 40).replace(/[^!#-[\]-~]/g, '?');
