// Signing in through an external provider instead of with a password.
import type { AccountStore } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { AuthError, serviceErrors } from '../foundation/errors.ts';
import type { Origin } from '../foundation/events.ts';
import { accountSubject } from '../lockout/index.ts';
import {
  type ExternalLoginStore,
  type ExternalProof,
  type ExternalUser,
  externalErrors,
  type Providers,
} from '../providers/index.ts';
import type { Attempts } from '../authentication/attempts.ts';
import { signInActions } from './events.ts';
import type { ExternalRegistration } from './external-registration.ts';
import type { Opening, SignedInAccount } from '../authentication/session-issuer.ts';

export interface ExternalSignIn {
  /**
   * Signs in to the account that is linked to who the provider says this is; somebody new gets an account first
   * (specification 3.3).
   * @returns nothing when that account waits for an administrator.
   * Ends in the errors of {@link Providers.identify} and {@link ExternalRegistration.findOrRegister}, in
   * `signIn.lockedOut`, `signIn.notActive`.
   */
  withProvider(proof: ExternalProof, origin: Origin): Promise<SignedInAccount | undefined>;
}

export function createExternalSignIn(deps: {
  accounts: AccountStore;
  links: ExternalLoginStore;
  providers: Providers;
  registration: ExternalRegistration;
  attempts: Attempts;
  opening: Opening;
  audit: AuditTrail;
}): ExternalSignIn {
  const { accounts, links, providers, registration, attempts, opening, audit } = deps;
  const action = signInActions.external;
  const wrong = externalErrors.couldNotValidate;

  /** Who it is, and the account: before that is known, a refusal is nobody's. */
  async function identify(proof: ExternalProof, origin: Origin) {
    try {
      const user = await providers.identify(proof);
      return { user, account: await registration.findOrRegister(user, origin) };
    } catch (error) {
      // A fault of our own is nothing that somebody was refused for.
      if (error instanceof AuthError && error.status !== serviceErrors.unavailable.status) {
        const isKnown = error.reason !== externalErrors.unknownProvider.reason;
        const details = { provider: isKnown ? proof.authProvider : null };
        await audit.recordAlone({ action, outcome: 'refused', reason: error.reason, origin, details });
      }
      throw error;
    }
  }

  async function signIn(user: ExternalUser, id: number, origin: Origin): Promise<SignedInAccount> {
    const account = await accounts.find(id);
    const details = { provider: user.provider };
    return attempts.make<undefined, SignedInAccount>(
      { account, subject: accountSubject(id), origin, action, details },
      async () => undefined,
      async (tx) => {
        // The account first: a link that is taken away in this very moment signs nobody in.
        await accounts.claim(tx.sql, id);
        if ((await links.find(tx.sql, user)) !== id) return { proof: 'unchecked', result: wrong() };
        const proven = { accountId: id, method: 'ext', origin, action, details, wrong } as const;
        return { proof: 'right', result: await opening.open(tx, proven) };
      },
    );
  }

  return {
    async withProvider(proof, origin) {
      const { user, account } = await identify(proof, origin);
      return account.isWaiting ? undefined : signIn(user, account.id, origin);
    },
  };
}
