// Authority: the right to act, asked for when a request arrives and again in the transaction that acts.
import type { Actor, Origin } from './events.ts';

/** A right that may end at any moment before it is used (OWASP ASVS 8.3.2). */
export interface Authority {
  /**
   * Reads the caller's session, account and permissions again, and locks them until the transaction ends: a sign-off
   * that was answered before is seen, and one that comes later waits. Call it first in the transaction.
   * @param tx the transaction (`Tx` of the storage).
   * @returns the caller's roles as they are now.
   * @throws AuthError `token.revoked`, `password.changeRequired`, `permission.denied`.
   */
  authorize(tx: object): Promise<readonly string[]>;
}

/** A caller with a valid token. */
export type SignedIn = Authority & { readonly accountId: number; readonly sessionId: string };

/** A caller with a valid token and the permission that the call needs. */
export type Permitted = SignedIn & { readonly actor: Actor; readonly roleNames: readonly string[] };

/** Who changes what belongs to others, and from where: an administrator, or the command line. */
export type Manager = Authority & { readonly actor: Actor; readonly origin: Origin };
