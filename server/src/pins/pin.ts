// Pin rules: how a pin is made, what it is bound to, and how long one that was given right proves an address.
import { timingSafeEqual } from 'node:crypto';
import { addSeconds, type Instant } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';

/** What a pin is good for: for that, and nothing else. */
export type Purpose = 'sign-in' | 'verify-email' | 'verify-mobile' | 'reset-password';

/** A pin that was asked for, without the pin itself. */
export type Pin = {
  operationId: string;
  purpose: Purpose;
  /** Whom it is about: an account, an address, or a name that no account has. */
  subject: string;
  /** The account that is meant, if there is one. */
  accountId: number | null;
  /** To which it went, or would have gone, in the spelling that was asked for; '' when nobody was to be sent anything. */
  address: string;
  /** Keyed hash; '' when nobody was sent the pin: then no try is right. */
  mac: string;
  createdAt: Instant;
  expiresAt: Instant;
};

/** How long a verified address may be used to register with, in seconds. */
export const PROOF_SECONDS = 900;

/** As many characters of the alphabet as asked for, each drawn without bias. */
export function generatePin(random: Random, { alphabet, length }: { alphabet: string; length: number }): string {
  return Array.from({ length }, () => alphabet[random.below(alphabet.length)]).join('');
}

/** The text whose keyed hash is stored: it binds the pin to operation, purpose, subject and address. */
export function boundText({ operationId, purpose, subject, address }: Omit<Pin, 'mac'>, pin: string): string {
  return [operationId, purpose, subject, address, pin].join('\n');
}

/** A pin as a person typed it: without the blanks and hyphens that help to read it. */
export function normalizePin(typed: string): string {
  return typed.replace(/[\s-]+/gu, '');
}

/** Compares keyed hashes in constant time. */
export function isSameMac(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The instant since which an address must have been proven for the proof to count now. */
export function proofsSince(now: Instant): Instant {
  return addSeconds(now, -PROOF_SECONDS);
}
