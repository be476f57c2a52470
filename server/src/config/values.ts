// Values of variables that the service and the verifier both have: ports, addresses, and words from a list.
import { isProperHost } from '../foundation/host-name.ts';
import { EnvironmentError } from './environment-error.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Returns the value if it is one of these. @throws EnvironmentError */
export function readOneOf<Value extends string>(name: string, value: string, allowed: readonly Value[]): Value {
  const found = allowed.find((one) => one === value);
  if (found === undefined)
    throw new EnvironmentError(name, `is "${value}", but must be one of: ${allowed.join(', ')}.`);
  return found;
}

/** Returns the port in `LATCHKEY_PORT`. @throws EnvironmentError */
export function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port >= 0 && port <= 65_535)) {
    throw new EnvironmentError('LATCHKEY_PORT', `is "${text}", but must be a number from 0 to 65535.`);
  }
  return port;
}

export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

const isWeb = ({ protocol, hostname }: URL): boolean => /^https?:$/.test(protocol) && isProperHost(hostname);

/** Returns whether the text is exactly an origin of web pages, as browsers send it. */
export function isOrigin(text: string): boolean {
  const url = parseUrl(text);
  return url !== undefined && isWeb(url) && url.origin === text;
}

/** Returns the address of a service, without a slash at its end. @throws EnvironmentError */
export function readUrl(name: string, text: string): string {
  const url = parseUrl(text);
  const isPlain = url && isWeb(url) && !url.username && !url.password && !url.search && !url.hash;
  if (!isPlain) throw new EnvironmentError(name, `is "${text}", but must be a plain http or https address.`);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
