// The port of links between accounts and who people are at external providers.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';

/** Who somebody is: a provider's registered name, and the provider's own key. Never an e-mail address. */
export type ExternalIdentity = { readonly provider: string; readonly providerKey: string };

/** A link; `id` is a lower-case UUID. */
export type ExternalLogin = ExternalIdentity & { id: string; accountId: number; linkedAt: Instant };

export interface ExternalLoginStore {
  /** The id of the account that this identity is linked to. */
  find(on: Statements, identity: ExternalIdentity): Promise<number | undefined>;
  /** Links an identity that has no link. Of any number of calls at once, one does. @returns whether this one did. */
  add(on: Statements, login: Omit<ExternalLogin, 'id'>): Promise<boolean>;
  /** The account's links, oldest first. */
  list(on: Statements, accountId: number): Promise<ExternalLogin[]>;
  /** @returns the link that was taken away, if the account had it. */
  remove(on: Statements, accountId: number, id: string): Promise<ExternalLogin | undefined>;
}
