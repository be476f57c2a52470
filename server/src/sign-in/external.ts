// The external method: signs in through an external provider.
import type { AccountStore } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { AuthenticationMethod, Identified } from '../authentication/index.ts';
import type { ExternalLoginStore } from '../external-logins/index.ts';
import { isRefusal } from '../foundation/errors.ts';
import type { Origin } from '../foundation/events.ts';
import { accountSubject } from '../lockout/index.ts';
import {
  type AuthorizationRequests,
  type AuthorizationResponse,
  type ExternalProof,
  externalErrors,
  type IdentifiedUser,
  type Providers,
} from '../providers/index.ts';
import { signInActions } from './declarations.ts';
import type { ExternalRegistration } from './external-registration.ts';

/** The identity from the provider, and the account that is linked to it. */
type Linked = Identified & { id: number; user: IdentifiedUser };

/**
 * Signs in to the account that is linked to the identity from the provider. A new identity gets an account first
 * (specification 3.3). `find` returns `undefined` when that account waits for an administrator.
 * @throws AuthError also the errors of {@link Providers.identify}, {@link AuthorizationRequests.redeem} and {@link ExternalRegistration.findOrRegister}.
 */
export function createExternalMethod(deps: {
  accounts: AccountStore;
  externalLoginStore: ExternalLoginStore;
  providers: Providers;
  authorizationRequests: AuthorizationRequests;
  registration: ExternalRegistration;
  audit: AuditTrail;
}): AuthenticationMethod<ExternalProof | AuthorizationResponse, Linked, Linked> {
  const { accounts, externalLoginStore, providers, authorizationRequests, registration, audit } = deps;
  const action = signInActions.external;

  const validate = (proof: ExternalProof | AuthorizationResponse) =>
    'request' in proof ? authorizationRequests.redeem(proof) : providers.identify(proof);

  /** Returns the identity and its account. A refusal is recorded without an account, which is not known yet. */
  async function identify(proof: ExternalProof | AuthorizationResponse, origin: Origin) {
    try {
      const user = await validate(proof);
      return { user, account: await registration.findOrRegister(user, origin) };
    } catch (error) {
      if (isRefusal(error)) {
        const isKnown = error.reason !== externalErrors.unknownProvider.reason;
        const details = { provider: isKnown ? proof.authProvider : null };
        await audit.recordAlone({ action, outcome: 'refused', reason: error.reason, origin, details });
      }
      throw error;
    }
  }

  return {
    name: 'external',
    amr: 'ext',
    action,
    wrong: externalErrors.couldNotValidate,

    async find(proof, origin, challenged) {
      if (challenged) {
        // No account is registered for an identity that must be one of this account.
        const user = await validate(proof);
        return { account: challenged, subject: accountSubject(challenged.id), id: challenged.id, user };
      }
      const { user, account } = await identify(proof, origin);
      const { id, isWaiting } = account;
      if (isWaiting) return undefined;
      const details = { provider: user.provider };
      return { account: await accounts.find(id), subject: accountSubject(id), details, id, user };
    },

    verify: async (found) => found,

    async redeem(tx, { id, user }) {
      // Lock the account first: an external login that is removed just now must not sign in.
      await accounts.findForUpdate(tx.sql, id);
      if ((await externalLoginStore.find(tx.sql, user)) !== id) return { proof: 'unchecked' };
      // Its key can be another person's at the provider that has the name now. While the login is there, that stays the same.
      return { proof: (await providers.isCurrent(tx, user)) ? 'right' : 'unchecked' };
    },
  };
}
