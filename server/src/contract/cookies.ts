// Cookies: handles that a browser keeps for this service alone (RFC 6265). They authorize no call of the API, except the sign-out that a
// page has asked about (`Authorization/EndSession`).
import { basePathOf } from '../foundation/base-path.ts';

export type CookieOptions = {
  /** How long the browser keeps it, in seconds. Absent: until it closes. 0 deletes it. */
  readonly maxAgeSeconds?: number | undefined;
};

/**
 * The cookies of a service. On https their names tell browsers that no other host may set them (`__Host-`), which requires `Path=/`. So the
 * name of a cookie, not its path, tells apart installations below different paths of one host.
 */
export interface Cookies {
  /** Returns a cookie, or `undefined` if it is missing or came twice. @param header the header `Cookie` of a request. */
  read(header: string | undefined, name: string): string | undefined;
  /** Returns the names of the cookies that begin with `prefix`. */
  names(header: string | undefined, prefix: string): string[];
  /** Returns a header `Set-Cookie`. Pages of other sites cannot make browsers send the cookie, except by a link. */
  write(name: string, value: string, options?: CookieOptions): string;
}

/** The handle of the session that lets a browser through to applications. */
export const SESSION_COOKIE = 'latchkey-session';

const PREFIX = '__Host-';

/** @param publicUrl of the service. */
export function createCookies(publicUrl: string): Cookies {
  const isHttps = publicUrl.startsWith('https:');
  const basePath = basePathOf(publicUrl);
  // A base path has no plus sign.
  const place = basePath === '' ? '' : `${basePath.slice(1).replaceAll('/', '+')}+`;
  const prefix = (isHttps ? PREFIX : '') + place;
  const parse = (header = '') =>
    header.split(';').flatMap((pair) => {
      const equals = pair.indexOf('=');
      return equals < 0 ? [] : [{ name: pair.slice(0, equals).trim(), value: pair.slice(equals + 1).trim() }];
    });
  return {
    read(header, name) {
      const found = parse(header).filter((one) => one.name === `${prefix}${name}`);
      return found.length === 1 ? found[0]?.value : undefined;
    },
    names: (header, start) =>
      parse(header)
        .filter(({ name }) => name.startsWith(`${prefix}${start}`))
        .map(({ name }) => name.slice(prefix.length)),
    write(name, value, { maxAgeSeconds } = {}) {
      const attributes = [
        `${prefix}${name}=${value}`,
        'Path=/',
        'HttpOnly',
        'SameSite=Lax',
        ...(isHttps ? ['Secure'] : []),
        ...(maxAgeSeconds === undefined ? [] : [`Max-Age=${maxAgeSeconds}`]),
      ];
      return attributes.join('; ');
    },
  };
}
