// The variables of the mail server and of the SMS gateway. Either means may be off.
import { OFF } from '../delivery/index.ts';
import { EnvironmentError } from './environment-error.ts';
import { readSecret } from './secret.ts';
import { parseUrl } from './values.ts';
import type { Variables } from './variables.ts';

/** `from` is an address, or `Name <address>`. */
export type MailServer = { readonly url: string; readonly from: string };

/** The address that text messages are posted to, and the key that signs them. */
export type SmsGateway = { readonly url: string; readonly secret: string };

/** The minimum length of the key that signs text messages, in characters. */
const MIN_SECRET_LENGTH = 16;

const PLAIN_ADDRESS = String.raw`[^\s\p{C}@<>()[\]\\,;:"]+@[^\s\p{C}@<>()[\]\\,;:"]+`;
const MAIL_FROM = new RegExp(`^(${PLAIN_ADDRESS}|[^\\p{C}<>]*<${PLAIN_ADDRESS}>)$`, 'u');

/** `off` needs no sender, and allows one. Messages never quote the value, which may hold a password. */
export function readSmtp(url: string | undefined, from: string | undefined): MailServer | typeof OFF | undefined {
  if (url === undefined) {
    if (from === undefined) return undefined;
    throw new EnvironmentError('LATCHKEY_MAIL_FROM', 'has no effect without LATCHKEY_SMTP_URL.');
  }
  if (url === OFF) return OFF;
  const server = parseUrl(url);
  if (!server || !/^smtps?:$/.test(server.protocol) || !isPlainServer(server)) {
    const problem =
      'must be smtps://USER:PASSWORD@HOST:PORT, smtp://… or off; percent-encode special characters of user and password.';
    throw new EnvironmentError('LATCHKEY_SMTP_URL', problem);
  }
  if (!hasKnownParameters(server)) {
    const problem =
      'may only have the parameters name=NAME (for EHLO) and, with smtp://, ignoreTLS=true or ignoreTLS=false.';
    throw new EnvironmentError('LATCHKEY_SMTP_URL', problem);
  }
  if (from !== undefined && MAIL_FROM.test(from)) return { url, from };
  const problem = 'must be the sender of all e-mail: one address such as no-reply@example.com, or Name <address>.';
  throw new EnvironmentError('LATCHKEY_MAIL_FROM', problem);
}

/** Returns whether the URL has a host, perhaps a port, and user and password both or neither. */
function isPlainServer({ hostname, pathname, hash, username, password }: URL): boolean {
  if (hostname === '' || !/^\/?$/.test(pathname) || hash !== '' || !username !== !password) return false;
  try {
    return decodeURIComponent(`${username} ${password}`) !== '';
  } catch {
    return false;
  }
}

/** Rejects all other parameters, such as one that would turn off the verification of TLS certificates. */
function hasKnownParameters({ protocol, searchParams }: URL): boolean {
  return [...searchParams].every(([name, value]) =>
    name === 'ignoreTLS'
      ? protocol === 'smtp:' && /^(true|false)$/.test(value)
      : name === 'name' && /^[\w.:[\]-]+$/.test(value),
  );
}

/** `off` needs no secret, and allows one. Messages never quote the value, which may hold a password. */
export function readSms(url: string | undefined, variables: Variables): SmsGateway | typeof OFF | undefined {
  const secret = readSecret('LATCHKEY_SMS_SECRET', variables, MIN_SECRET_LENGTH);
  if (url === undefined) {
    if (secret === undefined) return undefined;
    throw new EnvironmentError('LATCHKEY_SMS_SECRET', 'has no effect without LATCHKEY_SMS_URL.');
  }
  if (url === OFF) return OFF;
  const gateway = parseUrl(url);
  if (!gateway || !/^https?:$/.test(gateway.protocol)) {
    throw new EnvironmentError('LATCHKEY_SMS_URL', 'must be an address that begins with https:// or http://, or off.');
  }
  if (gateway.username || gateway.password) {
    const problem = 'must not have a user or password: LATCHKEY_SMS_SECRET authenticates the service to the gateway.';
    throw new EnvironmentError('LATCHKEY_SMS_URL', problem);
  }
  if (secret !== undefined) return { url, secret };
  throw new EnvironmentError('LATCHKEY_SMS_SECRET', 'is required with LATCHKEY_SMS_URL: it signs the requests.');
}
