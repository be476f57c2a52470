// The public URL, which may have a path: what cannot work below a path is refused before the service starts.
import { basePathOf, OWN_NAMES } from '../foundation/base-path.ts';
import { EnvironmentError } from './environment-error.ts';
import { readUrl } from './values.ts';

const NAME = 'LATCHKEY_PUBLIC_URL';

/** Browsers, proxies and cookies write these names in one way only (RFC 3986, 2.3). */
const PLAIN_PATH = /^(\/[A-Za-z0-9._~-]+)*$/;

/** Returns the public URL, without a slash at its end. @throws EnvironmentError */
export function readPublicUrl(text: string): string {
  const publicUrl = readUrl(NAME, text);
  const basePath = basePathOf(publicUrl);
  const written = text.replace(/^[^:]+:[/\\]*[^/\\]*/, '').replace(/\/+$/, '');
  // A browser would resolve `..`, and escape a space.
  if (written !== basePath || !PLAIN_PATH.test(basePath)) {
    const problem = `is "${text}". Its path may have letters, digits and the characters - . _ ~ between single slashes, and no "." or ".." alone.`;
    throw new EnvironmentError(NAME, problem);
  }
  const [, first = ''] = basePath.split('/');
  if (OWN_NAMES.includes(first.toLowerCase())) {
    const problem = `has the path ${basePath}, but /${first} is an address of the service itself. Choose another path, such as /auth.`;
    throw new EnvironmentError(NAME, problem);
  }
  return publicUrl;
}
