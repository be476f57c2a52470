// Account factors: what every change of an account's second factors does, and what owner and administrators see of them.
import type { Account } from '../accounts/index.ts';
import { type FactorEndings, readRequirement } from '../authentication/index.ts';
import type { CountChange } from '../budgets/index.ts';
import {
  type EnrolledFactorReader,
  type EnrolledFactors,
  factorSettings,
  type RecoveryCodes,
} from '../factors/index.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { FrontEnds } from '../front-ends/index.ts';
import { factorsSubject, type Lockouts } from '../lockout/index.ts';
import type { NotifyOwner } from '../owner-notices/index.ts';
import type { Roles } from '../roles/index.ts';
import type { Statements, Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import { factorsChangedMessage } from './templates.ts';

/** What has changed, as the owner reads it in a message. */
export const factorChanges = {
  authenticatorEnrolled: 'An authenticator app was set up.',
  authenticatorRemoved: 'The authenticator app was removed.',
  passkeyRegistered: 'A passkey was added.',
  passkeyRemoved: 'A passkey was removed.',
  recoveryCodesReplaced: 'New recovery codes were made. The former ones no longer work.',
  reset: 'An administrator removed all second factors, passkeys and recovery codes.',
} as const;

export type FactorChange = keyof typeof factorChanges;

/** The others need one of these before. */
const additions: readonly FactorChange[] = ['authenticatorEnrolled', 'passkeyRegistered', 'recoveryCodesReplaced'];

/**
 * `mustEnroll`: a front end requires a second factor, and the account has none that is switched on. `onlyFormerPasskeys`:
 * a sign-in asks for a passkey, and all passkeys of the account are bound to a former domain of the service.
 */
export type FactorState = Omit<EnrolledFactors, 'hasOnlyFormerPasskeys'> & {
  mustEnroll: boolean;
  onlyFormerPasskeys: boolean;
};

/** `completeChange` and `reset` expect an account that the transaction has locked. */
export interface AccountFactors {
  read(on: Statements, account: Account): Promise<FactorState>;
  /**
   * Completes a change of the account's factors: ends its challenges, factor operations and trusted devices, removes the
   * recovery codes with the last factor, and notifies the owner.
   * @throws AuthError `account.tooManyChanges` for an addition. Roll back.
   */
  completeChange(tx: Tx, account: Account, change: FactorChange): Promise<void>;
  /**
   * Removes all factors and the lock by wrong ones, and ends the sessions that a passkey has opened.
   * @returns whether the account had any factor: if not, no one is told.
   */
  reset(tx: Tx, account: Account): Promise<boolean>;
}

export function createAccountFactors(deps: {
  enrolledFactors: EnrolledFactorReader;
  recoveryCodes: RecoveryCodes;
  factorEndings: FactorEndings;
  lockouts: Lockouts;
  sessions: Sessions;
  frontEnds: Pick<FrontEnds, 'list'>;
  roles: Roles;
  notifyOwner: NotifyOwner;
  countChange: CountChange;
  settings: SettingReader;
}): AccountFactors {
  const { enrolledFactors, recoveryCodes, factorEndings, lockouts, sessions, frontEnds, roles } = deps;
  const { notifyOwner, countChange, settings } = deps;

  /** Whether any front end requires a second factor of the account. For telling: roles are up to two seconds old. */
  function isRequired({ roleNames }: Account): boolean {
    const requirements = frontEnds.list().map(({ appKey }) => readRequirement(settings, appKey));
    if (requirements.includes('all')) return true;
    return requirements.includes('with-permissions') && roles.permissionsOf(roleNames).length > 0;
  }

  async function completeChange(tx: Tx, account: Account, change: FactorChange) {
    if (additions.includes(change)) await countChange(tx, account.id);
    await factorEndings.endOfAccount(tx, account.id);
    if (!(await enrolledFactors.hasAny(tx.sql, account.id))) await recoveryCodes.removeAll(tx, account.id);
    await notifyOwner(tx, account, factorsChangedMessage, { values: { change: factorChanges[change] } });
  }

  return {
    async read(on, account) {
      const { hasOnlyFormerPasskeys, ...enrolled } = await enrolledFactors.read(on, account.id);
      const { authenticator, passkeys } = settings.read(factorSettings);
      const hasApp = authenticator && enrolled.authenticator !== undefined;
      const hasPasskey = passkeys && enrolled.passkeys.length > 0;
      return {
        ...enrolled,
        mustEnroll: !hasApp && !hasPasskey && isRequired(account),
        onlyFormerPasskeys: !hasApp && passkeys && hasOnlyFormerPasskeys,
      };
    },

    completeChange,

    async reset(tx, account) {
      const hadAny = await enrolledFactors.removeAll(tx, account.id);
      await lockouts.reset(tx, factorsSubject(account.id));
      await sessions.endOpenedByPasskey(tx, account.id);
      if (hadAny) await completeChange(tx, account, 'reset');
      return hadAny;
    },
  };
}
