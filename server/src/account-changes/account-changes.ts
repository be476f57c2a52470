// Changes to an account: how they merge with it, what they must meet, and what else they change.
import {
  type Account,
  type AccountInput,
  type AccountStore,
  isForeignAddress,
  isIndexable,
  type PhoneNumbers,
  requireEmailAddress,
} from '../accounts/index.ts';
import type { SecondFactors } from '../authentication/index.ts';
import { requireOther } from '../authorization/index.ts';
import type { Clock } from '../foundation/clock.ts';
import { readEmailAddress } from '../foundation/email-address.ts';
import { invalidMember } from '../foundation/errors.ts';
import { maskAddress } from '../foundation/mask.ts';
import type { NotifyOwner } from '../owner-notices/index.ts';
import type { OneTimeSecrets } from '../proofs/index.ts';
import type { Roles } from '../roles/index.ts';
import type { Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import { type ChangedBy, OWN_ACCOUNT_STAYS } from './management.ts';
import { guardAddresses, haveVerifiedChanged } from './recovery-addresses.ts';
import { addressesReplacedMessage, changedByAdministratorMessage } from './templates.ts';

/** Longest list of role names, in bytes of JSON. Every token carries them, and the size of headers is limited. */
const MAX_ROLES_BYTES = 2048;

/** Changes to an account. Absent members stay as they are. */
export type AccountChanges = Partial<AccountInput>;

/** Stores a changed account that the transaction has locked. @returns the account as it is stored. */
export type ApplyChanges = (
  tx: Tx,
  account: Account,
  wanted: AccountInput,
  changedBy: ChangedBy,
) => Promise<AccountInput>;

/**
 * Returns a function that stores a changed account as {@link guardAddresses} allows, ends or restricts its sessions as the
 * change demands, and revokes the links that went to a former e-mail address. It tells the addresses that were verified
 * before of a new user name or address. It throws AuthError `permission.denied`, and `UniqueViolation` when a name or address
 * is taken.
 */
export function createApplyChanges(deps: {
  accounts: AccountStore;
  roles: Roles;
  sessions: Sessions;
  notifyOwner: NotifyOwner;
  oneTimeSecrets: Pick<OneTimeSecrets, 'revokeOfAccount'>;
  secondFactors: SecondFactors;
  clock: Clock;
}): ApplyChanges {
  const { accounts, roles, sessions, secondFactors, notifyOwner, oneTimeSecrets, clock } = deps;
  return async (tx, account, wanted, { by, held }) => {
    const { id } = account;
    if (account.isActive && !wanted.isActive) requireOther(id, by, OWN_ACCOUNT_STAYS);
    const stored = guardAddresses(account, wanted, { by, held });
    await accounts.replace(tx.sql, id, stored, clock.now());
    const areOtherRoles = JSON.stringify(stored.roleNames) !== JSON.stringify(account.roleNames);
    if (areOtherRoles) {
      // Sessions before applications, and those before grants, like a sign-off and a change of an application: another order
      // would deadlock with them.
      await sessions.lockOfAccount(tx, id);
      await roles.tellReassigned(tx, [id]);
    }
    if (!stored.isActive) await sessions.endOfAccount(tx, id);
    if (stored.emailAddress !== account.emailAddress) await oneTimeSecrets.revokeOfAccount(tx, id);
    if (stored.mustChangePassword !== account.mustChangePassword) {
      await sessions.requirePasswordChange(tx, id, stored.mustChangePassword);
    }
    if (areOtherRoles && (await roles.permissionsIn(tx, stored.roleNames)).length > 0) {
      await secondFactors.enforceEnrollment(tx, [id]);
    }
    await tellOwner(tx, account, stored);
    return stored;
  };

  async function tellOwner(tx: Tx, account: Account, stored: AccountInput) {
    const haveVerified = haveVerifiedChanged(account, stored);
    if (haveVerified) await notifyOwner(tx, account, addressesReplacedMessage);
    const changed = findChanged(account, stored);
    const told = Object.entries(TOLD).flatMap(([member, change]) => (changed.includes(member) ? [change] : []));
    const change = (haveVerified ? told.filter((one) => one === TOLD.userName) : told).join(' ');
    // Under the new name, which the owner needs to sign in.
    const renamed = { ...account, userName: stored.userName };
    if (change !== '') await notifyOwner(tx, renamed, changedByAdministratorMessage, { values: { change } });
  }
}

/** What owners are told of. The other message tells of all verified addresses. */
const TOLD = {
  userName: 'An administrator changed the user name.',
  emailAddress: 'An administrator changed the e-mail address.',
  mobileNumber: 'An administrator changed the mobile number.',
} as const;

/** Returns the names of the members that differ. */
export function findChanged(account: Account, wanted: AccountInput): string[] {
  const previous = new Map<string, unknown>(Object.entries(account));
  return Object.entries(wanted).flatMap(([member, value]) =>
    JSON.stringify(value) === JSON.stringify(previous.get(member)) ? [] : [member],
  );
}

/** A changed member before and after. */
type Change = { readonly from: unknown; readonly to: unknown };

/** Returns what an audit entry keeps of the members that differ. Addresses are masked, as in all entries. */
export function describeChanges(account: Account, wanted: AccountInput): Readonly<Record<string, Change>> {
  const [before, after] = [maskAddresses(account), maskAddresses(wanted)];
  const previous = new Map<string, unknown>(Object.entries(before));
  const next = new Map<string, unknown>(Object.entries(after));
  return Object.fromEntries(
    findChanged(account, wanted).map((member) => [member, { from: previous.get(member), to: next.get(member) }]),
  );
}

const maskAddresses = <Given extends AccountInput>({ emailAddress, mobileNumber, ...same }: Given) => ({
  ...same,
  emailAddress: emailAddress && maskAddress(emailAddress),
  mobileNumber: mobileNumber && maskAddress(mobileNumber),
});

/**
 * Returns the changed account. A new address is not verified unless the administrator says so. Another spelling of the present
 * address is not new.
 */
export function mergeChanges(account: Account, changes: AccountChanges, phoneNumbers: PhoneNumbers): AccountInput {
  const { userName, name, surname, emailAddress, mobileNumber, isActive, mustChangePassword, roleNames } = account;
  const read = { emailAddress: readEmailAddress, mobileNumber: phoneNumbers.parse };
  const keeps = (member: keyof typeof read) => {
    const changed = changes[member];
    if (changed === undefined || changed === account[member]) return true;
    return changed !== null && read[member](changed) === account[member];
  };
  return {
    userName,
    name,
    surname,
    emailAddress,
    mobileNumber,
    isEmailConfirmed: account.isEmailConfirmed && keeps('emailAddress'),
    isMobileConfirmed: account.isMobileConfirmed && keeps('mobileNumber'),
    isActive,
    mustChangePassword,
    roleNames,
    ...changes,
  };
}

/**
 * Returns the input with its addresses as they are stored.
 * @param before the account that is changed. An address, a number or a user name that was accepted before may stay as it is.
 * @throws AuthError `request.invalid` for an address, a user name or roles that cannot be accepted.
 */
export function checkInput(
  input: AccountInput,
  { phoneNumbers, roles }: { phoneNumbers: PhoneNumbers; roles: Roles },
  before?: Account,
): AccountInput {
  const { userName, emailAddress: address, mobileNumber: number } = input;
  const keepsAddress = address === null || address === before?.emailAddress;
  const emailAddress = keepsAddress ? address : requireEmailAddress(address, 'emailAddress');
  const keepsNumber = number === null || number === before?.mobileNumber;
  const mobileNumber = keepsNumber ? number : phoneNumbers.require(number, 'mobileNumber', 'administrator');
  if (!isIndexable(userName)) throw invalidMember('userName', 'Choose a shorter user name.');
  const checked = {
    ...input,
    emailAddress,
    mobileNumber,
    isEmailConfirmed: input.isEmailConfirmed && emailAddress !== null,
    isMobileConfirmed: input.isMobileConfirmed && mobileNumber !== null,
    roleNames: roles.spell(input.roleNames),
  };
  if (Buffer.byteLength(JSON.stringify(checked.roleNames)) > MAX_ROLES_BYTES) {
    throw invalidMember(
      'roleNames',
      'The roles are too many or too long, because every token carries them. Remove some or shorten them.',
    );
  }
  // A default region that was set since then makes numbers of other names.
  const wasForeign = before?.userName === userName && isForeignAddress(before, phoneNumbers.parse);
  if (!wasForeign && isForeignAddress(checked, phoneNumbers.parse)) {
    throw invalidMember(
      'userName',
      'A user name that looks like an e-mail address or phone number must be the account’s own.',
    );
  }
  return checked;
}
