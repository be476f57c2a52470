// Recovery addresses: a verified address opens its account, and applications know people by it. So verifying one takes the right to
// reset passwords.
import type { Account, AccountInput } from '../accounts/index.ts';
import { requireOther } from '../authorization/index.ts';
import { permissionErrors } from '../foundation/errors.ts';
import type { Permission } from '../foundation/permissions.ts';
import type { ChangedBy } from './management.ts';

const NEED: Permission = 'users:resetPassword';

const kinds = [
  { address: 'emailAddress', verified: 'isEmailConfirmed' },
  { address: 'mobileNumber', verified: 'isMobileConfirmed' },
] as const;

/**
 * Returns the account as the administrator may store it: without the permission to reset passwords, a new address is not
 * verified.
 * @throws AuthError `permission.denied` for the administrator's own addresses, and without that permission for verifying an
 * address that the account already has.
 */
export function guardAddresses(account: Account, wanted: AccountInput, { by, held }: ChangedBy): AccountInput {
  let guarded = wanted;
  for (const { address, verified } of kinds) {
    const isNew = wanted[address] !== account[address];
    if (!isNew && wanted[verified] === account[verified]) continue;
    requireOther(account.id, by, 'Change your own addresses with User/ChangeMyAddress, which asks for the password.');
    if (!wanted[verified] || held.includes(NEED)) continue;
    if (!isNew) throw permissionErrors.denied({ details: `Only callers with ${NEED} mark an address as verified.` });
    guarded = { ...guarded, [verified]: false };
  }
  return guarded;
}

/** Returns a new account as the administrator may store it: without the permission to reset passwords, no address is verified. */
export function guardNewAddresses(wanted: AccountInput, held: ChangedBy['held']): AccountInput {
  return held.includes(NEED) ? wanted : { ...wanted, isEmailConfirmed: false, isMobileConfirmed: false };
}

/** Whether an account has gained or lost a verified address. */
export function haveVerifiedChanged(before: AccountInput, after: AccountInput): boolean {
  return kinds.some(({ address, verified }) => {
    const [was, is] = [before, after].map((one) => (one[verified] ? one[address] : null));
    return was !== is;
  });
}
