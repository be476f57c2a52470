// Secrets: keys derived from the one server secret. Each use has its own label.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import type { Random } from './random.ts';

/** Functions keyed by the server's secret (`LATCHKEY_SECRET`). */
export interface Secrets {
  /** Returns an HMAC-SHA256 in base64url. Each label has its own key, so a MAC of one purpose never matches another's. */
  mac(label: string, text: string): string;
  /** Encrypts with AES-256-GCM. Returns nonce, tag and ciphertext in base64url. */
  seal(label: string, plain: string): string;
  /** Decrypts what `seal` returned. @throws UnsealError */
  unseal(label: string, sealed: string): string;
  /** Decrypts what `seal` returned. @returns undefined where `unseal` throws. */
  tryUnseal(label: string, sealed: string): string | undefined;
  /** Whether this is what was sealed. False if the text was changed, or sealed with another secret or label. */
  opensTo(label: string, sealed: string, plain: string): boolean;
}

/** The text was changed, or sealed with another secret or label. */
export class UnsealError extends Error {
  override readonly name = 'UnsealError';

  /** @param what was sealed, to begin a sentence. */
  constructor(cause: unknown, what = 'A sealed text') {
    super(`${what} was changed, or sealed with another secret.`, { cause });
  }
}

/** Derives independent keys from `secret` with HKDF-SHA256 (RFC 5869). */
export function createSecrets(secret: string, random: Random): Secrets {
  const keys = new Map<string, Buffer>();
  const keyFor = (label: string): Buffer => {
    const known = keys.get(label);
    if (known) return known;
    const key = Buffer.from(hkdfSync('sha256', secret, 'latchkey', label, 32));
    keys.set(label, key);
    return key;
  };
  function unseal(label: string, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    try {
      const decipher = createDecipheriv('aes-256-gcm', keyFor(label), bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    } catch (error) {
      throw new UnsealError(error);
    }
  }
  function tryUnseal(label: string, sealed: string): string | undefined {
    try {
      return unseal(label, sealed);
    } catch {
      return undefined;
    }
  }
  return {
    mac: (label, text) => createHmac('sha256', keyFor(label)).update(text, 'utf8').digest('base64url'),
    seal(label, plain) {
      const nonce = random.bytes(12);
      const cipher = createCipheriv('aes-256-gcm', keyFor(label), nonce);
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    unseal,
    tryUnseal,
    opensTo: (label, sealed, plain) => tryUnseal(label, sealed) === plain,
  };
}
