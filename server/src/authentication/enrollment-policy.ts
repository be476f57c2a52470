// Who must have a second factor: accounts with permissions, and users of front ends that require one.
import type { Account } from '../accounts/index.ts';
import { type EnrolledFactorReader, factorSettings, secondFactorSetting } from '../factors/index.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { DEFAULT_FRONT_END } from '../front-ends/index.ts';
import type { Roles } from '../roles/index.ts';
import type { Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';

/** Accounts that one statement concerns. */
const BATCH = 500;

/** The accounts that must have a second factor at a front end. */
export type FactorRequirement = 'all' | 'with-permissions' | 'none';

/** Returns whether the account must have a second factor to use this front end. */
export type RequiresSecondFactor = (tx: Tx, account: Account, frontEnd: string) => Promise<boolean>;

/**
 * Restricts the sessions of accounts that have just gained a permission, if the policy demands a second factor of them and
 * they have none: the policy applies from their next call, not from their next refresh.
 */
export type EnforceEnrollment = (tx: Tx, accountIds: readonly number[]) => Promise<void>;

/** Returns what the settings require. The caller names the front end, so it cannot be laxer than `default-app`. */
export function readRequirement(settings: SettingReader, frontEnd: string): FactorRequirement {
  const { passkeys, authenticator, requireForPermissions } = settings.read(factorSettings);
  // No account could enroll.
  if (!passkeys && !authenticator) return 'none';
  const isRequired = (one: string) => settings.read(secondFactorSetting, one) === 'required';
  if (isRequired(DEFAULT_FRONT_END) || isRequired(frontEnd)) return 'all';
  return requireForPermissions ? 'with-permissions' : 'none';
}

export function createRequiresSecondFactor({
  settings,
  roles,
}: {
  settings: SettingReader;
  roles: Roles;
}): RequiresSecondFactor {
  return async (tx, { roleNames }, frontEnd) => {
    const requirement = readRequirement(settings, frontEnd);
    if (requirement !== 'with-permissions') return requirement === 'all';
    return (await roles.permissionsIn(tx, roleNames)).length > 0;
  };
}

export function createEnforceEnrollment({
  settings,
  enrolledFactors,
  sessions,
}: {
  settings: SettingReader;
  enrolledFactors: EnrolledFactorReader;
  sessions: Sessions;
}): EnforceEnrollment {
  return async (tx, accountIds) => {
    // What `default-app` requires applies at every front end.
    if (readRequirement(settings, DEFAULT_FRONT_END) === 'none') return;
    const offered = settings.read(factorSettings);
    for (let start = 0; start < accountIds.length; start += BATCH) {
      const batch = accountIds.slice(start, start + BATCH);
      const owners = await enrolledFactors.findOwners(tx.sql, batch, offered);
      await sessions.restrictToEnrollment(
        tx,
        batch.filter((id) => !owners.has(id)),
      );
    }
  };
}
