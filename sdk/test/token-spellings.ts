// Spellings of a token: an ECDSA signature (r, s) is also right as (r, n - s), and base64url can be written in several ways.
import { base64url } from 'jose';

/** The order of P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** Returns the token with the other right signature of the same content. */
export function mirrorSignature(token: string): string {
  const at = token.lastIndexOf('.') + 1;
  const signature = Buffer.from(token.slice(at), 'base64url');
  const s = BigInt(`0x${signature.toString('hex', 32)}`);
  const mirrored = Buffer.from((ORDER - s).toString(16).padStart(64, '0'), 'hex');
  return token.slice(0, at) + base64url.encode(Buffer.concat([signature.subarray(0, 32), mirrored]));
}

/** Returns the token as the service spells it: with the lower s. */
export function toCanonical(token: string): string {
  const sOf = (one: string) => Buffer.from(one.slice(one.lastIndexOf('.') + 1), 'base64url').toString('hex', 32);
  const other = mirrorSignature(token);
  return sOf(token) < sOf(other) ? token : other;
}
