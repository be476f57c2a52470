// Parameters of requests to the endpoints of OAuth: each at most once, and bounded (RFC 6749, 3.1).
import { OAuthError } from './oauth-error.ts';

/** The most characters of one parameter. */
const MAX_LENGTH = 8192;

/** The most parameters of a request. */
const MOST = 100;

/** The most bytes of all of them, as in the longest address that Node takes: strangers' requests are stored. */
const MOST_BYTES = 16_384;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused.
const CONTROL = /[\u0000-\u001f\u007f]/;

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

/**
 * @throws OAuthError `invalid_request` for too many parameters or bytes, and for one that comes twice, is too long, or has control
 * characters, which PostgreSQL does not store.
 */
export function readParameters(given: URLSearchParams): Parameters {
  if (given.size > MOST) throw new OAuthError('invalid_request', `Send at most ${MOST} parameters.`);
  const bytes = [...given].flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > MOST_BYTES) throw new OAuthError('invalid_request', `Send at most ${MOST_BYTES} bytes of parameters.`);
  const seen = new Set<string>();
  for (const [name, value] of given) {
    if (seen.has(name) && name !== REPEATABLE) throw new OAuthError('invalid_request', `Send ${printable(name)} once.`);
    seen.add(name);
    if (value.length > MAX_LENGTH) throw new OAuthError('invalid_request', `${printable(name)} is too long.`);
    if (CONTROL.test(value)) throw new OAuthError('invalid_request', `${printable(name)} has control characters.`);
  }
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
