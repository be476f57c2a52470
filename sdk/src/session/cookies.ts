// Cookies: reads them, and makes `Set-Cookie` headers. A long value is spread over several cookies.

/** Browsers keep at least 4,096 bytes of a cookie, with its name and attributes (RFC 6265, 6.1). */
const PART_LENGTH = 3700;

/** More parts than a session needs. Servers refuse headers that are much longer. */
const MAX_PARTS = 4;

const nameOfPart = (name: string, index: number) => (index === 0 ? name : `${name}.${index}`);

/** Returns the cookies of a request by name. Of two with one name the first counts: it has the more specific path. */
export function readCookies(headers: Headers): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    if (at > 0 && !cookies.has(name)) cookies.set(name, pair.slice(at + 1).trim());
  }
  return cookies;
}

/**
 * Returns the value that was spread over cookies with this name, or undefined. Only its last part is shorter than the others:
 * what comes after that is left of a longer value, which a parallel response has replaced.
 */
export function readSpread(cookies: ReadonlyMap<string, string>, name: string): string | undefined {
  const parts = Array.from({ length: MAX_PARTS }, (_, index) => cookies.get(nameOfPart(name, index)));
  const last = parts.findIndex((part) => (part?.length ?? 0) < PART_LENGTH);
  return parts[0] === undefined ? undefined : parts.slice(0, last === -1 ? MAX_PARTS : last + 1).join('');
}

export type Attributes = { readonly isSecure: boolean; readonly maxAgeSeconds?: number | undefined };

/** Returns the name under which browsers take the cookie from this host alone, if the page is secure. */
export const toName = (name: string, { isSecure }: Attributes): string => (isSecure ? `__Host-${name}` : name);

function toLine(name: string, value: string, { isSecure, maxAgeSeconds }: Attributes): string {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}${age}`;
}

/** Returns headers that set cookies to this value, and remove what remains of a longer one. An empty value removes all. */
export function spread(
  cookies: ReadonlyMap<string, string>,
  name: string,
  value: string,
  attributes: Attributes,
): Headers {
  const parts = value.match(new RegExp(`.{1,${PART_LENGTH}}`, 'g')) ?? [];
  if (parts.length > MAX_PARTS) throw new RangeError('The tokens of the session are too long for cookies.');
  const headers = noStore();
  for (const [index, part] of parts.entries())
    headers.append('set-cookie', toLine(nameOfPart(name, index), part, attributes));
  for (let index = parts.length; index < MAX_PARTS; index += 1) {
    const rest = nameOfPart(name, index);
    if (cookies.has(rest)) headers.append('set-cookie', toLine(rest, '', { ...attributes, maxAgeSeconds: 0 }));
  }
  return headers;
}

/** A response with a cookie must not be given to anybody else. */
const noStore = () => new Headers({ 'cache-control': 'private, no-store' });
