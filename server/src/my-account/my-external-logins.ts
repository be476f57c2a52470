// The caller's external logins: lists them, links one, and removes one.
import type { AccountStore } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { OwnerVerification, VerifiedOwner } from '../authentication/index.ts';
import type { CountChange } from '../budgets/index.ts';
import type { ExternalLogin, ExternalLogins } from '../external-logins/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import { isRefusal } from '../foundation/errors.ts';
import type { Actor, Origin } from '../foundation/events.ts';
import {
  type AuthorizationRequests,
  type AuthorizationResponse,
  type ExternalProof,
  externalErrors,
  type Providers,
} from '../providers/index.ts';
import type { CanSignIn } from '../sign-in-ways/index.ts';
import type { Database } from '../storage/database.ts';
import { myAccountActions } from './declarations.ts';

/** What the owner brings back from a provider. */
type Proof = ExternalProof | AuthorizationResponse;

export interface MyExternalLogins {
  /** Oldest first. */
  list(owner: SignedIn): Promise<ExternalLogin[]>;
  /**
   * Links the account to the identity from the provider. An identity that is linked to it already stays linked.
   * @throws AuthError `password.incorrect`, `signIn.lockedOut`, `external.linkedElsewhere`, `account.tooManyChanges`, and
   * the errors of
   * {@link Providers.identify} and {@link AuthorizationRequests.redeem}.
   */
  link(owner: SignedIn, wanted: { password: string; proof: Proof }, origin: Origin): Promise<void>;
  /**
   * Removes an external login while another way to sign in remains, and ends all other sessions.
   * @throws AuthError `externalLogin.notFound`, `external.lastWayToSignIn`, `factor.secondFactorRequired`.
   */
  unlink(owner: SignedIn, id: string, origin: Origin): Promise<void>;
}

export function createMyExternalLogins(deps: {
  database: Database;
  accounts: AccountStore;
  externalLogins: ExternalLogins;
  canSignIn: CanSignIn;
  providers: Providers;
  authorizationRequests: AuthorizationRequests;
  ownerVerification: OwnerVerification;
  countChange: CountChange;
  audit: AuditTrail;
}): MyExternalLogins {
  const { database, accounts, externalLogins, canSignIn, providers, authorizationRequests } = deps;
  const { ownerVerification, countChange, audit } = deps;
  const { externalLoginLinked, externalLoginUnlinked } = myAccountActions;

  async function linkVerified(verified: VerifiedOwner, proof: Proof, user: Actor, origin: Origin) {
    const identity = await ('request' in proof ? authorizationRequests.redeem(proof) : providers.identify(proof));
    await database.transaction(async (tx) => {
      // A parallel first sign-in of the same identity must not create an account between the check and the link.
      await accounts.lockAccounts(tx.sql);
      const account = await ownerVerification.requireUnchanged(tx, verified);
      await providers.confirm(tx, identity);
      if (!(await externalLogins.link(tx, account, identity))) return;
      await countChange(tx, account.id);
      const details = { provider: identity.provider };
      await audit.record(tx, { action: externalLoginLinked, outcome: 'success', user, origin, details });
    });
  }

  return {
    list: ({ accountId }) => externalLogins.list(database.sql, accountId),

    async link(owner, { password, proof }, origin) {
      const verified = await ownerVerification.verify(owner, { password, action: externalLoginLinked, origin });
      const user = { id: verified.account.id, name: verified.account.userName };
      try {
        await linkVerified(verified, proof, user, origin);
      } catch (error) {
        if (isRefusal(error)) {
          const isKnown = error.reason !== externalErrors.unknownProvider.reason;
          const details = { provider: isKnown ? proof.authProvider : null };
          const refusal = { action: externalLoginLinked, outcome: 'refused', reason: error.reason, details } as const;
          await audit.recordRepeatable(owner.sessionId, { ...refusal, user, origin });
        }
        throw error;
      }
    },

    async unlink(owner, id, origin) {
      await database.transaction(async (tx) => {
        // Like the deletion of a provider, which locks logins before their accounts.
        await accounts.lockAccounts(tx.sql);
        const account = await ownerVerification.requireOwner(tx, owner);
        await ownerVerification.requireSecondFactor(tx, owner, account);
        const { provider } = await externalLogins.unlink(tx, account, id, owner.sessionId);
        if (!(await canSignIn(tx, account))) throw externalErrors.lastWayToSignIn();
        const user = { id: account.id, name: account.userName };
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
