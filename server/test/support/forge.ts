// Forged tokens: what an attacker could build, also one who holds the service's own key.
import { type KeyObject, sign } from 'node:crypto';

const HALF_ORDER = 0x7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8n;
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** base64url of a text, or of a value as JSON. */
export function encode(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

/** The claims of a token. */
export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

/** The header of a token. */
export function headerOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
}

/** `header.payload` signed as the service signs: ES256, in its low-S form. */
export function signParts(header: string, payload: string, privateKey: KeyObject): string {
  const content = Buffer.from(`${header}.${payload}`);
  for (;;) {
    const signature = sign('sha256', content, { key: privateKey, dsaEncoding: 'ieee-p1363' });
    if (isLow(signature)) return `${content}.${signature.toString('base64url')}`;
  }
}

/** A token with these claims and this header, each given as a value or as the exact text of its JSON. */
export function forge(header: unknown, claims: unknown, privateKey: KeyObject): string {
  return signParts(encode(header), encode(claims), privateKey);
}

/** The other signature (r, n - s) of the same content, which ECDSA accepts too. */
export function otherSignature(token: string): string {
  const [header, payload, text = ''] = token.split('.');
  const signature = Buffer.from(text, 'base64url');
  const s = ORDER - BigInt(`0x${signature.subarray(32).toString('hex')}`);
  const other = Buffer.concat([signature.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]);
  return `${header}.${payload}.${other.toString('base64url')}`;
}

/** The text with another character where all bits count: neither the last, which may have unused ones, nor by chance the same. */
export function altered(text: string): string {
  return `${text.slice(0, -4)}${text.at(-4) === 'A' ? 'B' : 'A'}${text.slice(-3)}`;
}

function isLow(signature: Buffer): boolean {
  return BigInt(`0x${signature.subarray(32).toString('hex')}`) <= HALF_ORDER;
}
