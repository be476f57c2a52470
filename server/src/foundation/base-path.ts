// The base path: the part of the public URL below which the whole installation answers, such as `/auth`.

/**
 * The first names of the service's own addresses, in lower case: some match in any case. A public URL whose path begins with one is
 * refused: behind a proxy that removes the path, nobody could tell `/app` of the public URL from the page.
 */
export const OWN_NAMES: readonly string[] = [
  ...['.well-known', 'abpuserconfiguration', 'api', 'app', 'assets', 'brand', 'device', 'forgot-password', 'health'],
  ...['login', 'metrics', 'oauth', 'openapi.json', 'register', 'reset-password', 'sign-out', 'signed-out'],
];

/** Returns the path of the public URL without a slash at its end. Empty: the service has the host for itself. */
export const basePathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/+$/, '');

const WELL_KNOWN = '/.well-known/';

/**
 * Returns the URL of a request as the service knows it, without the base path. A proxy may have removed it before. Metadata also have the
 * base path at their end: clients put `/.well-known/NAME` between the host and the path of an issuer (RFC 8414, 3.1).
 * @param url the path and query of a request.
 */
export function withoutBasePath(url: string, basePath: string): string {
  if (basePath === '') return url;
  const [path = ''] = url.split('?', 1);
  const query = url.slice(path.length);
  if (path === basePath) return `/${query}`;
  if (path.startsWith(`${basePath}/`)) return url.slice(basePath.length);
  return path.startsWith(WELL_KNOWN) && path.endsWith(basePath) ? path.slice(0, -basePath.length) + query : url;
}
