// The lockout policy of an attempt: the front end's policy, made stricter for accounts with permissions.
import type { Account } from '../accounts/index.ts';
import type { Origin } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { DEFAULT_FRONT_END } from '../front-ends/index.ts';
import { type LockoutPolicy, readLockoutPolicy, stricterPolicy } from '../lockout/index.ts';
import type { Roles } from '../roles/index.ts';

/** Returns the policy for attempts on this account, or on a name without an account. */
export type FindLockoutPolicy = (account: Pick<Account, 'roleNames'> | undefined, origin: Origin) => LockoutPolicy;

/** Wrong second factors that lock an account, under any settings: a code of six digits must not be guessed. */
const MAX_WRONG_FACTORS = 5;

/** The policy for wrong second factors. The longest lock of these front ends and `default-app` applies. */
export type FindFactorLockoutPolicy = (frontEnds: readonly string[]) => LockoutPolicy;

export function createFindFactorLockoutPolicy(settings: SettingReader): FindFactorLockoutPolicy {
  return (frontEnds) => {
    const locks = [DEFAULT_FRONT_END, ...frontEnds].map((frontEnd) => readLockoutPolicy(settings, frontEnd).seconds);
    return { enabled: true, maxFailures: MAX_WRONG_FACTORS, seconds: Math.max(...locks) };
  };
}

/**
 * The caller names the front end, so a lax front end must not weaken accounts that have permissions. For those accounts
 * each value is the stricter of the named front end's and `default-app`'s.
 */
export function createFindLockoutPolicy({
  settings,
  roles,
}: {
  settings: SettingReader;
  roles: Roles;
}): FindLockoutPolicy {
  return (account, { frontEnd }) => {
    const named = readLockoutPolicy(settings, frontEnd);
    if (!account || roles.permissionsOf(account.roleNames).length === 0) return named;
    return stricterPolicy(named, readLockoutPolicy(settings, DEFAULT_FRONT_END));
  };
}
