// The authenticator method: a code of an authenticator app as the second factor.
import type { AccountStore } from '../accounts/index.ts';
import type { AuthenticationMethod, Identified } from '../authentication/index.ts';
import { type Authenticators, factorErrors, readTotpCode } from '../factors/index.ts';
import { factorsSubject } from '../lockout/index.ts';
import { signInActions } from './declarations.ts';

/** A code that was typed for an account. */
export type TypedCode = Identified & { account: { id: number }; code: string };

/** `Given` is the code. A text that no code can be counts as no failure. */
export function createAuthenticatorMethod(deps: {
  accounts: AccountStore;
  authenticators: Authenticators;
}): AuthenticationMethod<string, TypedCode, TypedCode> {
  const { accounts, authenticators } = deps;
  return {
    name: 'authenticator',
    amr: 'otp',
    action: signInActions.authenticator,
    wrong: factorErrors.invalid,
    kind: 'authenticator',
    isEnrolled: async (tx, { id }) => (await authenticators.find(tx.sql, id)) !== undefined,

    async find(code, _, account) {
      if (!account) throw factorErrors.invalid();
      return { account, subject: factorsSubject(account.id), code };
    },

    verify: async (found) => found,

    async redeem(tx, { account: { id }, code }) {
      if (readTotpCode(code) === undefined) return { proof: 'unchecked' };
      await accounts.findForUpdate(tx.sql, id);
      return { proof: (await authenticators.verify(tx, id, code)) ? 'right' : 'wrong' };
    },
  };
}
