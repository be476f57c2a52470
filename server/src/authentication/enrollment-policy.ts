// Who must have a second factor: accounts with permissions, and users of front ends that require one.
import type { Account } from '../accounts/index.ts';
import { factorSettings, secondFactorSetting } from '../factors/index.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { DEFAULT_FRONT_END } from '../front-ends/index.ts';
import type { Roles } from '../roles/index.ts';
import type { Tx } from '../storage/database.ts';

/** The accounts that must have a second factor at a front end. */
export type Requirement = 'all' | 'with-permissions' | 'none';

/** Returns whether the account must have a second factor to use this front end. */
export type RequiresSecondFactor = (tx: Tx, account: Account, frontEnd: string) => Promise<boolean>;

/** Returns what the settings require. The caller names the front end, so it cannot be laxer than `default-app`. */
export function readRequirement(settings: SettingReader, frontEnd: string): Requirement {
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
