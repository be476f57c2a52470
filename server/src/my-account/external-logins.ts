// One's own external sign-ins: the providers that are linked to the account, linking another one, and taking one away.
import type { Account, AccountStore, PhoneNumbers } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import { AuthError, serviceErrors } from '../foundation/errors.ts';
import type { Actor, Origin } from '../foundation/events.ts';
import {
  type ExternalLogin,
  type ExternalProof,
  externalErrors,
  externalLoginErrors,
  type Providers,
} from '../providers/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { myAccountActions } from './events.ts';
import type { Linking } from '../external-logins/external-logins.ts';
import type { OwnerProofs, ProvenOwner } from '../authentication/owner-verification.ts';

export interface ExternalLogins {
  /** Oldest first. */
  list(owner: SignedIn): Promise<ExternalLogin[]>;
  /**
   * Links the account to who the provider says this is. What is linked to it already stays as it is.
   * Ends in `password.incorrect`, `signIn.lockedOut`, `external.linkedElsewhere`, and the errors of
   * {@link Providers.identify}.
   */
  link(owner: SignedIn, wanted: { password: string; proof: ExternalProof }, origin: Origin): Promise<void>;
  /**
   * Takes a link away while another way to sign in remains, and ends all other sessions.
   * Ends in `externalLogin.notFound`, `external.lastWayToSignIn`.
   */
  unlink(owner: SignedIn, id: string, origin: Origin): Promise<void>;
}

export function createExternalLogins(deps: {
  database: Database;
  accounts: AccountStore;
  phoneNumbers: PhoneNumbers;
  linking: Linking;
  providers: Providers;
  ownerProofs: OwnerProofs;
  audit: AuditTrail;
}): ExternalLogins {
  const { database, accounts, phoneNumbers, linking, providers, ownerProofs, audit } = deps;
  const { externalLoginLinked, externalLoginUnlinked } = myAccountActions;

  async function linkProven(proven: ProvenOwner, proof: ExternalProof, user: Actor, origin: Origin) {
    const identity = await providers.identify(proof);
    await database.transaction(async (tx) => {
      // Before a first sign-in of the same identity makes an account for it, or after that.
      await accounts.takeTurn(tx.sql);
      const account = await ownerProofs.claim(tx, proven);
      if (!(await linking.link(tx, account, identity))) return;
      const details = { provider: identity.provider };
      await audit.record(tx, { action: externalLoginLinked, outcome: 'success', user, origin, details });
    });
  }

  /** Whether the owner gets in without the link: by another one, a password, or a pin to a verified address. */
  async function hasAnotherWay(tx: Tx, account: Account, others: readonly ExternalLogin[]): Promise<boolean> {
    const offered = new Set(providers.list().map(({ name }) => name));
    if (others.some(({ provider }) => offered.has(provider))) return true;
    const { emailAddress, isEmailConfirmed, mobileNumber, isMobileConfirmed } = account;
    if (emailAddress !== null && isEmailConfirmed) return true;
    if (mobileNumber !== null && isMobileConfirmed && phoneNumbers.mayReceive(mobileNumber)) return true;
    return accounts.hasChosenPassword(tx.sql, account.id);
  }

  return {
    list: ({ accountId }) => linking.list(database.sql, accountId),

    async link(owner, { password, proof }, origin) {
      const proven = await ownerProofs.prove(owner, { password, action: externalLoginLinked, origin });
      const user = { id: proven.account.id, name: proven.account.userName };
      try {
        await linkProven(proven, proof, user, origin);
      } catch (error) {
        // A fault of our own is nothing that somebody was refused for.
        if (error instanceof AuthError && error.status !== serviceErrors.unavailable.status) {
          const isKnown = error.reason !== externalErrors.unknownProvider.reason;
          const details = { provider: isKnown ? proof.authProvider : null };
          const refusal = { action: externalLoginLinked, outcome: 'refused', reason: error.reason, details } as const;
          await audit.recordRepeatable(owner.sessionId, { ...refusal, user, origin });
        }
        throw error;
      }
    },

    async unlink({ accountId, sessionId, authorize }, id, origin) {
      await database.transaction(async (tx) => {
        await authorize(tx);
        const account = await accounts.findIn(tx.sql, accountId);
        const logins = await linking.list(tx.sql, accountId);
        const others = logins.filter((login) => login.id !== id);
        if (!account || others.length === logins.length) throw externalLoginErrors.notFound();
        if (!(await hasAnotherWay(tx, account, others))) throw externalErrors.lastWayToSignIn();
        const { provider } = await linking.unlink(tx, account, id, sessionId);
        const user = { id: accountId, name: account.userName };
        await audit.record(tx, {
          action: externalLoginUnlinked,
          outcome: 'success',
          user,
          origin,
          details: { provider },
        });
      });
    },
  };
}
