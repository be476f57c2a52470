// The port of external logins: links between accounts and identities at external providers.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';

/** An identity: the registered name of a provider, and the provider's own key. Never an e-mail address. */
export type ExternalIdentity = { readonly provider: string; readonly providerKey: string };

/** An external login. `id` is a lower-case UUID. */
export type ExternalLogin = ExternalIdentity & { id: string; accountId: number; linkedAt: Instant };

export interface ExternalLoginStore {
  /** Returns the id of the account that this identity is linked to. */
  find(on: Statements, identity: ExternalIdentity): Promise<number | undefined>;
  /** Links an identity that has no link yet. @returns `true` to exactly one of several parallel calls. */
  add(on: Statements, login: Omit<ExternalLogin, 'id'>): Promise<boolean>;
  /** The account's external logins, oldest first. */
  list(on: Statements, accountId: number): Promise<ExternalLogin[]>;
  /** @returns the external login that was removed, or `undefined` if the account does not have it. */
  remove(on: Statements, accountId: number, id: string): Promise<ExternalLogin | undefined>;
}
