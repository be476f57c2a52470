// The recovery-code method: replaces a lost second factor.
import type { AccountStore } from '../accounts/index.ts';
import type { AuthenticationMethod } from '../authentication/index.ts';
import { factorErrors, type RecoveryCodes, readRecoveryCode } from '../factors/index.ts';
import { factorsSubject } from '../lockout/index.ts';
import type { NotifyOwner } from '../owner-notices/index.ts';
import type { Tx } from '../storage/database.ts';
import type { TypedCode } from './authenticator.ts';
import { signInActions } from './declarations.ts';
import { recoveryCodeUsedMessage } from './templates.ts';

/** `Given` is the code. A text that no code can be counts as no failure. */
export function createRecoveryCodeMethod(deps: {
  accounts: AccountStore;
  recoveryCodes: RecoveryCodes;
  notifyOwner: NotifyOwner;
}): AuthenticationMethod<string, TypedCode, TypedCode> {
  const { accounts, recoveryCodes, notifyOwner } = deps;

  /** Uses up the code, and tells the owner. */
  async function use(tx: Tx, accountId: number, code: string): Promise<boolean> {
    const account = await accounts.findForUpdate(tx.sql, accountId);
    if (!account || !(await recoveryCodes.use(tx, accountId, code))) return false;
    const left = await recoveryCodes.count(tx.sql, accountId);
    await notifyOwner(tx, account, recoveryCodeUsedMessage, { values: { left: String(left) } });
    return true;
  }

  return {
    name: 'recoveryCode',
    amr: 'recovery',
    action: signInActions.recoveryCode,
    wrong: factorErrors.invalid,
    isFallback: true,
    isEnrolled: async (tx, { id }) => (await recoveryCodes.count(tx.sql, id)) > 0,

    async find(code, _, account) {
      if (!account) throw factorErrors.invalid();
      return { account, subject: factorsSubject(account.id), code };
    },

    verify: async (found) => found,

    async redeem(tx, { account: { id }, code }) {
      if (readRecoveryCode(code) === undefined) return { proof: 'unchecked' };
      return { proof: (await use(tx, id, code)) ? 'right' : 'wrong' };
    },
  };
}
