// Secrets that this browser makes.

/** Returns a secret nobody can guess: 32 random bytes, as base64url. */
export const makeSecret = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(32)));

/** Returns the bytes as base64url without padding (RFC 4648, 5). */
export const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
