// Revocations: the tokens that a transaction revokes, as data. Each change that revokes tokens records it in its own transaction.
import { type Instant, toInstant } from '../foundation/clock.ts';
import type { Tx } from '../storage/database.ts';
import type { Session } from './session.ts';

/**
 * Tokens that are no longer valid. None of them is valid after `expiresAt` anyway:
 * - `superseded`: the tokens of a session below a generation. A refresh revokes those before its own. A restriction of the
 *   session revokes its present token as well, for other services;
 * - `session`: every token of a session;
 * - `all`: every token issued before an instant;
 * - `key`: every token signed with a key.
 */
export type Revocation =
  | {
      readonly kind: 'superseded';
      readonly sessionId: string;
      readonly generation: number;
      readonly expiresAt: Instant;
      /** The session is restricted: what it has opened elsewhere is to be refused there as well. */
      readonly isRestriction?: true;
    }
  | {
      readonly kind: 'session';
      readonly sessionId: string;
      readonly expiresAt: Instant;
      /** The tokens are those of an application: the id is that of its grant. */
      readonly isOfGrant?: true;
    }
  | { readonly kind: 'all'; readonly issuedBefore: Instant }
  | { readonly kind: 'key'; readonly kid: string };

/**
 * Returns when the session's last token expires, and not before a token would that is issued now. Verifiers keep a
 * revocation for the time from now until then, which is too short if the clock is ahead by mistake.
 */
const lastExpiryOf = ({ tokensExpireAt }: Session, latest: Instant) => toInstant(Math.max(tokensExpireAt, latest));

/** Returns the revocations of sessions that have ended. @param latest no token expires later that is issued now. */
export const endsOf = (sessions: readonly Session[], latest: Instant): Revocation[] =>
  sessions.map((one) => ({ kind: 'session', sessionId: one.id, expiresAt: lastExpiryOf(one, latest) }));

/**
 * Returns the revocations of the sessions' former tokens. Other services must not accept a restricted session at all.
 * @param latest no token expires later that is issued now.
 */
export function supersede(sessions: readonly Session[], latest: Instant): Revocation[] {
  return sessions.map((one) => {
    const common = { kind: 'superseded', sessionId: one.id, expiresAt: lastExpiryOf(one, latest) } as const;
    return one.mustChangePassword || one.mustEnroll
      ? { ...common, generation: one.generation + 1, isRestriction: true }
      : { ...common, generation: one.generation };
  });
}

/** Runs in the transaction that revokes. To throw rolls the transaction back. */
export type RevocationListener = (tx: Tx, revocations: readonly Revocation[]) => Promise<void>;

/** Runs in the transaction that ends the sessions of an account, of several, or of all. */
export type SessionsEndListener = (tx: Tx, whose: number | readonly number[] | 'all') => Promise<void>;

export interface Revocations {
  /** Calls every listener, in the transaction that revokes. */
  record: RevocationListener;
  subscribe(listener: RevocationListener): void;
  /** Calls every listener of `whenSessionsEnd`, in the transaction that ends the sessions. */
  announceEnd: SessionsEndListener;
  /** A change that ends the sessions of an account may end more than their tokens. */
  whenSessionsEnd(listener: SessionsEndListener): void;
}

export function createRevocations(): Revocations {
  const listeners: RevocationListener[] = [];
  const endListeners: SessionsEndListener[] = [];
  return {
    async record(tx, revocations) {
      if (revocations.length === 0) return;
      for (const listener of listeners) await listener(tx, revocations);
    },
    subscribe: (listener) => void listeners.push(listener),
    async announceEnd(tx, whose) {
      for (const listener of endListeners) await listener(tx, whose);
    },
    whenSessionsEnd: (listener) => void endListeners.push(listener),
  };
}
