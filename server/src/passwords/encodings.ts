// Encodings of bytes in password hashes.

/** Returns base64 without padding. */
export const toBase64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

/**
 * Returns the bytes of base64, or null for other texts. The alphabet may be the standard one, the one for URLs, or have `.` for
 * `+` (Passlib). The padding may be missing.
 */
export function fromBase64(text: string): Buffer | null {
  if (text.includes('=') && text.length % 4 !== 0) return null;
  const standard = text
    .replace(/={1,2}$/, '')
    .replaceAll(/[.-]/g, '+')
    .replaceAll('_', '/');
  const bytes = Buffer.from(standard, 'base64');
  return toBase64(bytes) === standard ? bytes : null;
}

/** Returns the bytes of hexadecimal digits, or null for other texts. */
export const fromHex = (text: string): Buffer | null =>
  /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : null;

const CRYPT_ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns the number of a character of crypt(3), from 0, or -1. */
export const fromCryptDigit = (character: string): number => CRYPT_ALPHABET.indexOf(character);

/** Returns the base64 of crypt(3): the lowest six bits of three bytes come first. */
export function toCryptBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const group = bytes.subarray(at, at + 3);
    let word = group.reduceRight((sum, byte) => sum * 256 + byte, 0);
    for (let digit = 0; digit <= group.length; digit += 1) {
      text += CRYPT_ALPHABET.charAt(word & 63);
      word >>>= 6;
    }
  }
  return text;
}
