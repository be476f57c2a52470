// Codes of authenticator apps: TOTP of RFC 6238 with SHA-1, steps of 30 seconds and six digits, as all apps support.
import { Secret, TOTP } from 'otpauth';
import type { Instant } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import { readCode } from '../foundation/typed-text.ts';

const STEP_MS = 30_000;
/** 160 bits, the length of a SHA-1 (RFC 4226, 4). */
const SECRET_BYTES = 20;
/** A code counts one step before and after its own, for clocks that differ (RFC 6238, 5.2). */
const TOLERATED_STEPS = 1;

const totpOf = (secret: string, issuer = '', label = '') =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: STEP_MS / 1000 });

/** Returns a new secret in base32. */
export function createTotpSecret(random: Random): string {
  return new Secret({ buffer: new Uint8Array(random.bytes(SECRET_BYTES)).buffer }).base32;
}

/** The bytes of a secret that another service has made: RFC 4226 asks for 128 bits, and many services make 80. */
const [MIN_BYTES, MAX_BYTES] = [10, 64] as const;

/** How another service may write a secret. `utf8`: the characters themselves are the key. */
export const secretEncodings = ['base32', 'hex', 'utf8'] as const;

/** Returns the secret of another service in base32, or `undefined` if it is none of 10 to 64 bytes. */
export function readTotpSecret(text: string, encoding: (typeof secretEncodings)[number]): string | undefined {
  try {
    const { bytes, base32 } = readSecret(text, encoding);
    return bytes.length < MIN_BYTES || bytes.length > MAX_BYTES ? undefined : base32;
  } catch {
    return undefined;
  }
}

function readSecret(text: string, encoding: (typeof secretEncodings)[number]): Secret {
  if (encoding === 'utf8') return Secret.fromUTF8(text);
  // Apps show groups, and some services pad.
  const plain = text.replace(/[\s-]/g, '').replace(/=+$/, '');
  return encoding === 'hex' ? new Secret({ buffer: Uint8Array.fromHex(plain).buffer }) : Secret.fromBase32(plain);
}

/** Returns the time step of an instant, counted from 1970. */
export const stepAt = (now: Instant): number => Math.floor(now / STEP_MS);

/** Returns the `otpauth:` address that an app reads as a QR code. */
export function toTotpUri(secret: string, issuer: string, label: string): string {
  return totpOf(secret, issuer, label).toString();
}

/** Returns the six digits that a person typed, or `undefined` if the text is no such code. */
export function readTotpCode(typed: string): string | undefined {
  const code = readCode(typed);
  return /^\d{6}$/.test(code) ? code : undefined;
}

/** Returns the time step of a right code, counted from 1970. Returns `undefined` for a wrong code. */
export function findTotpStep(secret: string, typed: string, now: Instant): number | undefined {
  const code = readTotpCode(typed);
  if (code === undefined) return undefined;
  const distance = totpOf(secret).validate({ token: code, timestamp: now, window: TOLERATED_STEPS });
  return distance === null ? undefined : stepAt(now) + distance;
}
