// Seals: texts that only this application can read and make, and keyed hashes. Each purpose has a key of its own.
import { base64url, EncryptJWT, jwtDecrypt } from 'jose';

/** What a sealed text is for. One that was made for another purpose does not open. */
export type Purpose = 'session' | 'request' | 'refresh' | 'device';

export interface Seals {
  seal(purpose: Purpose, content: object): Promise<string>;
  /** Returns the content, or undefined if the text was not sealed for this purpose by one of the secrets. */
  open(purpose: Purpose, text: string): Promise<Record<string, unknown> | undefined>;
  /** Returns a keyed hash in base64url for each secret, in their order. It reveals nothing of the text. */
  hash(text: string): Promise<[string, ...string[]]>;
}

const MIN_SECRET_LENGTH = 32;
const encoder = new TextEncoder();

/** Derives a key (RFC 5869). */
async function deriveKey(secret: string, purpose: string): Promise<Uint8Array<ArrayBuffer>> {
  const material = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveBits']);
  const info = encoder.encode(`latchkey session: ${purpose}`);
  const salt = new Uint8Array(32);
  return new Uint8Array(await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, material, 256));
}

/** @throws TypeError if a secret is too short. */
export function createSeals(given: string | readonly string[]): Seals {
  const secrets = typeof given === 'string' ? [given] : given;
  const [first, ...others] = secrets;
  if (first === undefined || secrets.some((secret) => (secret?.length ?? 0) < MIN_SECRET_LENGTH)) {
    throw new TypeError(
      `secret: give at least ${MIN_SECRET_LENGTH} random characters, such as of: openssl rand -hex 32`,
    );
  }
  const keys = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  function keyOf(secret: string, purpose: string) {
    const name = `${purpose} ${secret}`;
    const key = keys.get(name) ?? deriveKey(secret, purpose);
    keys.set(name, key);
    return key;
  }

  async function hashBy(secret: string, text: string) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', await keyOf(secret, 'hash'), algorithm, false, ['sign']);
    return base64url.encode(new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text))));
  }

  return {
    async seal(purpose, content) {
      const sealed = new EncryptJWT({ ...content }).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' });
      return sealed.encrypt(await keyOf(first, purpose));
    },
    async open(purpose, text) {
      for (const secret of secrets) {
        const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };
        const opened = await jwtDecrypt(text, await keyOf(secret, purpose), options).catch(() => undefined);
        if (opened) return opened.payload;
      }
      return undefined;
    },
    async hash(text) {
      return [await hashBy(first, text), ...(await Promise.all(others.map((secret) => hashBy(secret, text))))];
    },
  };
}
