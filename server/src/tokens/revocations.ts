// Revocations: the tokens that a transaction revokes, as data. Each change that revokes tokens records it in its own transaction.
import type { Instant } from '../foundation/clock.ts';
import type { Tx } from '../storage/database.ts';

/**
 * Tokens that are no longer valid. None of them is valid after `expiresAt` anyway:
 * - `superseded`: the tokens of a session below a generation. A refresh revokes those before its own. A restriction of the
 *   session revokes its present token as well, for other services;
 * - `session`: every token of a session;
 * - `account`: the sessions of an account, which `session` names one by one. Its challenges and trusted devices end too;
 * - `all`: every token issued before an instant;
 * - `key`: every token signed with a key.
 */
export type Revocation =
  | {
      readonly kind: 'superseded';
      readonly sessionId: string;
      readonly generation: number;
      readonly expiresAt: Instant;
    }
  | { readonly kind: 'session'; readonly sessionId: string; readonly expiresAt: Instant }
  | { readonly kind: 'account'; readonly accountId: number }
  | { readonly kind: 'all'; readonly issuedBefore: Instant }
  | { readonly kind: 'key'; readonly kid: string };

/** Runs in the transaction that revokes. To throw rolls the transaction back. */
export type RevocationListener = (tx: Tx, revocations: readonly Revocation[]) => Promise<void>;

export interface Revocations {
  /** Calls every listener, in the transaction that revokes. */
  record: RevocationListener;
  subscribe(listener: RevocationListener): void;
}

export function createRevocations(): Revocations {
  const listeners: RevocationListener[] = [];
  return {
    async record(tx, revocations) {
      if (revocations.length === 0) return;
      for (const listener of listeners) await listener(tx, revocations);
    },
    subscribe: (listener) => void listeners.push(listener),
  };
}
