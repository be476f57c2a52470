// Pin rules: how a pin is generated, what it is bound to, and how long a redeemed pin proves an address.
import { timingSafeEqual } from 'node:crypto';
import { addSeconds, type Instant } from '../foundation/clock.ts';
import type { Medium } from '../foundation/medium.ts';
import type { Random } from '../foundation/random.ts';
import { readCode } from '../foundation/typed-text.ts';

/** The one purpose that a pin is valid for. */
export type Purpose = 'sign-in' | 'verify-email' | 'verify-mobile' | 'reset-password';

/** The purpose that verifies an address of each medium. */
export const verificationPurposes = { email: 'verify-email', sms: 'verify-mobile' } as const satisfies Record<
  Medium,
  Purpose
>;

/** A stored pin: everything but its digits. */
export type Pin = {
  operationId: string;
  purpose: Purpose;
  /** The subject: an account, an address, or a name that no account has. */
  subject: string;
  /** The account that the request stood for, if there is one. */
  accountId: number | null;
  /** The address that the pin was sent to or would have been, in the spelling of the request. '' without a recipient. */
  address: string;
  /** Keyed hash. '' if the pin was not sent: then no try is right. */
  mac: string;
  createdAt: Instant;
  expiresAt: Instant;
};

/** How long a verified address may be used to register with, in seconds. */
export const PROOF_SECONDS = 900;

/** The characters that pins are made of, and how many of them a pin has. */
export type PinForm = { readonly alphabet: string; readonly length: number };

/** Returns a new pin of this form. */
export type DrawPin = (form: PinForm) => string;

/** Returns `length` characters of the alphabet, each drawn without bias. */
export function generatePin(random: Random, { alphabet, length }: PinForm): string {
  return Array.from({ length }, () => alphabet[random.below(alphabet.length)]).join('');
}

/** Returns the text whose keyed hash is stored. It binds the pin to operation, purpose, subject and address. */
export function boundText({ operationId, purpose, subject, address }: Omit<Pin, 'mac'>, pin: string): string {
  return [operationId, purpose, subject, address, pin].join('\n');
}

/** Returns the pin that a person typed, or `undefined` if no pin has this form. */
export function readPin(typed: string, { alphabet, length }: PinForm): string | undefined {
  const pin = readCode(typed);
  return pin.length === length && [...pin].every((character) => alphabet.includes(character)) ? pin : undefined;
}

/** Compares keyed hashes in constant time. */
export function isSameMac(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Returns the instant after which a pin must have been redeemed to prove its address now. */
export function proofsSince(now: Instant): Instant {
  return addSeconds(now, -PROOF_SECONDS);
}
