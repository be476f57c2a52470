// Host names: which hosts of a URL can exist.
import { domainToASCII, domainToUnicode } from 'node:url';

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const domain = new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`);

/** In Unicode, a label with this prefix is one that could not be decoded. */
const undecoded = /(?:^|\.)xn--/;

/**
 * Returns whether a host, as in `URL.hostname`, is an IP address or a domain name (RFC 1123, 2.1; RFC 5891, 4.4). `URL` of
 * Node.js also accepts `xn--`, `a..b`, `-a` and `*`.
 */
export function isProperHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return true;
  const unicode = domainToUnicode(hostname);
  return domain.test(hostname) && !undecoded.test(unicode) && domainToASCII(unicode) === hostname;
}
