// What the verifier knows of revoked tokens. A revocation is never taken back, so this only grows until tokens expire.
import type { Claims } from './interface.ts';
import { createSessionTable, isSessionId } from './session-table.ts';

/** The longest lifetime of a token, in seconds. It bounds how long a revocation without an end matters. */
const MAX_TOKEN_LIFETIME_SECONDS = 2_073_600;

/** The highest generation: it revokes all tokens of a session. */
const ALL_GENERATIONS = 2_147_483_647;

export interface Revocations {
  /** Adds an item of the feed. @throws Error if this verifier does not understand it. */
  add(item: unknown): void;
  isKeyRevoked(kid: string): boolean;
  /** Whether a token with these claims is revoked. */
  isRevoked(claims: Pick<Claims, 'sid' | 'gen' | 'iat'>): boolean;
  /** Gives back the memory of revocations whose tokens have expired. */
  sweep(): void;
  /** The number of sessions, and their memory in bytes. */
  readonly sessions: { readonly size: number; readonly bytes: number };
}

/**
 * @param elapsed seconds since a fixed moment, by a clock that is never set: no clock that is set can make the verifier
 * forget a revocation before its tokens have expired.
 * @param onKeyRevoked hears of each revoked key.
 */
export function createRevocations(elapsed: () => number, onKeyRevoked: (kid: string) => void): Revocations {
  const sessions = createSessionTable(elapsed);
  const keys = new Set<string>();
  let issuedBefore = 0;

  return {
    add(item) {
      const { sid, generation, keyId, issuedBefore: instant, at, expiresAt } = membersOf(item);
      if (isSessionId(sid) && isGeneration(generation)) {
        if (generation > 0) sessions.add(sid, generation, elapsed() + secondsKept(at, expiresAt));
      } else if (typeof keyId === 'string') {
        if (keys.has(keyId)) return;
        keys.add(keyId);
        onKeyRevoked(keyId);
      } else if (isTime(instant)) {
        issuedBefore = Math.max(issuedBefore, instant);
      } else {
        throw new Error('The service sent a revocation that this verifier does not understand. Update the verifier.');
      }
    },
    isKeyRevoked: (kid) => keys.has(kid),
    isRevoked: ({ sid, gen, iat }) => iat < issuedBefore || gen < sessions.generationOf(sid),
    sweep: sessions.sweep,
    sessions,
  };
}

function membersOf(item: unknown): Record<string, unknown> {
  return typeof item === 'object' && item !== null ? { ...item } : {};
}

function isGeneration(value: unknown): value is number {
  return isTime(value) && value <= ALL_GENERATIONS;
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Returns for how long tokens that were revoked `at` may live: the difference of two times of the service's clock. */
function secondsKept(at: unknown, expiresAt: unknown): number {
  const seconds = (Date.parse(String(expiresAt)) - Date.parse(String(at))) / 1000;
  return seconds >= 0 && seconds < MAX_TOKEN_LIFETIME_SECONDS ? seconds : MAX_TOKEN_LIFETIME_SECONDS;
}
