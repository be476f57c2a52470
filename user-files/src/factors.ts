// Second factors of a line, as the import takes them: the secret of an authenticator app, and passkeys.
import type { Values } from './entry.ts';
import { type Line, present } from './format.ts';
import { readList, readObject, readText } from './values.ts';

/** How factors are read. `rpId`: the domain of passkeys whose file has none. `leaveOut` is called for each factor that is left out. */
export type FactorReading = { readonly rpId: string | undefined; leaveOut(kind: 'passkey' | 'app'): void };

/** Returns the line with its second factors as the import takes them. An account has one app: the first that makes usual codes. */
export function finishFactors(line: Line, reading: FactorReading): Line {
  const { totp, passkeys, ...others } = line;
  const keys = readList(passkeys).flatMap((one) => toPasskey(readObject(one), reading));
  const apps = (Array.isArray(totp) ? totp : [totp]).map(readTotp).filter((app) => app !== undefined);
  const app = apps.find((one) => makesUsualCodes(readObject(one) ?? {})) ?? apps[0];
  for (const _ of apps.slice(1)) reading.leaveOut('app');
  return present({ ...others, totp: app, passkeys: keys.length > 0 ? keys : undefined });
}

/** Whether an app makes codes by the time, of SHA-1 with six digits each 30 seconds. What is absent is usual. */
export const makesUsualCodes = ({ type, algorithm, digits, period }: Values): boolean =>
  /^totp$/i.test(readText(type) ?? 'totp') &&
  /^(hmac)?-?sha-?1$/i.test(readText(algorithm) ?? 'sha1') &&
  Number(readText(digits) ?? 6) === 6 &&
  Number(readText(period) ?? 30) === 30;

/** Returns the secret of an app with its parameters: an object, one in JSON, an `otpauth:` address, or the secret alone in base32. */
export function readTotp(value: unknown): unknown {
  const text = readText(value);
  if (text === undefined || text.startsWith('{')) return readObject(value);
  if (!/^otpauth:/i.test(text)) return { secret: text };
  const { host, searchParams: query } = new URL(URL.canParse(text) ? text : 'otpauth://totp');
  const number = (name: string) => (query.has(name) ? Number(query.get(name)) : undefined);
  return present({
    secret: query.get('secret') ?? '',
    type: host,
    algorithm: query.get('algorithm') ?? undefined,
    digits: number('digits'),
    period: number('period'),
  });
}

/** Returns whose app an `otpauth:` address is: what its label says behind the issuer, or `undefined`. */
export function readTotpLabel(address: string): string | undefined {
  const [, label = ''] = /^otpauth:\/\/[^/?#]*\/([^?#]*)/i.exec(address) ?? [];
  try {
    return readText(decodeURIComponent(label).replace(/^[^:]*:/, ''));
  } catch {
    return undefined;
  }
}

function toPasskey(passkey: Values | undefined, { rpId, leaveOut }: FactorReading): Line[] {
  const domain = readText(passkey?.rpId) ?? rpId;
  if (passkey && domain !== undefined) {
    const { credentialId, publicKey, userHandle, ...others } = passkey;
    return [
      present({
        ...others,
        rpId: domain,
        credentialId: toBase64Url(credentialId),
        publicKey: toBase64Url(publicKey),
        userHandle: toBase64Url(userHandle),
      }),
    ];
  }
  leaveOut('passkey');
  return [];
}

/** Systems write both alphabets of base64, with and without padding. */
const toBase64Url = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') : value;
