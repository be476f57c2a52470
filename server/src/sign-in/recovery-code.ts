// The recovery-code method: replaces a lost second factor.
import type { AccountStore } from '../accounts/index.ts';
import type { AuthenticationMethod } from '../authentication/index.ts';
import { factorErrors, type RecoveryCodes } from '../factors/index.ts';
import { factorsSubject } from '../lockout/index.ts';
import { signInActions } from './events.ts';

/** `Given` is the code. */
export function createRecoveryCodeMethod(deps: {
  accounts: AccountStore;
  recoveryCodes: RecoveryCodes;
}): AuthenticationMethod<string> {
  const { accounts, recoveryCodes } = deps;
  return {
    name: 'recoveryCode',
    amr: 'recovery',
    action: signInActions.recoveryCode,
    wrong: factorErrors.invalid,
    isFallback: true,
    // Another second factor must be offered and enrolled.
    isOffered: () => true,
    isEnrolled: async (tx, { id }) => (await recoveryCodes.count(tx.sql, id)) > 0,

    async prepare(code, _, account) {
      if (!account) throw factorErrors.invalid();
      return {
        account,
        subject: factorsSubject(account.id),
        check: async () => async (tx) => {
          await accounts.findForUpdate(tx.sql, account.id);
          return { proof: (await recoveryCodes.use(tx, account.id, code)) ? 'right' : 'wrong' };
        },
      };
    },
  };
}
