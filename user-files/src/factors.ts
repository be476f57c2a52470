// Second factors of a line, as the import takes them: the secret of an authenticator app, and passkeys.
import type { Values } from './entry.ts';
import { type Line, present } from './format.ts';
import { readList, readObject, readText } from './values.ts';

/** What is done with passkeys. `rpId`: the domain of those whose file has none. `leaveOut` is called for each that stays without. */
export type PasskeyDomain = { readonly rpId: string | undefined; leaveOut(): void };

/** Returns the line with its second factors as the import takes them. */
export function finishFactors(line: Line, domain: PasskeyDomain): Line {
  const { totp, passkeys, ...others } = line;
  const keys = readList(passkeys).flatMap((one) => toPasskey(readObject(one), domain));
  return present({ ...others, totp: readTotp(totp), passkeys: keys.length > 0 ? keys : undefined });
}

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

function toPasskey(passkey: Values | undefined, { rpId, leaveOut }: PasskeyDomain): Line[] {
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
  leaveOut();
  return [];
}

/** Systems write both alphabets of base64, with and without padding. */
const toBase64Url = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') : value;
