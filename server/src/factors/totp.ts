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
  return distance === null ? undefined : Math.floor(now / STEP_MS) + distance;
}
