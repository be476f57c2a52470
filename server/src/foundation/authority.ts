// Authority: a caller's right to act. It is checked when the request arrives, and again in the transaction that acts.
import type { Actor, Origin } from './events.ts';
import type { Transaction } from './transaction.ts';

/** A right to act. It may end between the two checks, so the acting transaction checks it again (OWASP ASVS 8.3.2). */
export interface Authority {
  /**
   * Reads the caller's session, account and permissions again, and locks them until the transaction ends. The
   * transaction sees every earlier sign-off, and a later sign-off waits for it. Call it first in the transaction.
   * @returns what the caller may do now beyond the own account. Nothing where the call needs no permission.
   * @throws AuthError `token.revoked`, `password.changeRequired`, `permission.denied`.
   */
  authorize(tx: Transaction): Promise<readonly string[]>;
}

/** A caller with a valid token. */
export type SignedIn = Authority & { readonly accountId: number; readonly sessionId: string };

/** A caller with the permission that the call needs. `held`: all permissions that it had when the request arrived. */
export type Permitted = Authority & { readonly actor: Actor; readonly held: readonly string[] };

/** An administrator or the command line, with its origin: it may change other people's accounts. */
export type Manager = Authority & {
  readonly actor: Actor;
  readonly origin: Origin;
  /** The transaction that the change becomes a part of. Without one, the change has its own. */
  readonly joins?: Transaction;
};

/** Returns the administrator who makes a call. */
export const toManager = ({ caller, origin }: { caller: Permitted; origin: Origin }): Manager => ({
  ...caller,
  origin,
});
