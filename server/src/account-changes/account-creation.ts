// Creating accounts: one by one, and for an import, which creates each account by the same rules.
import { type AccountInput, type AccountStore, accountErrors, nameKey, type PhoneNumbers } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Manager } from '../foundation/authority.ts';
import type { Clock } from '../foundation/clock.ts';
import { type AuthError, isRefusal, permissionErrors } from '../foundation/errors.ts';
import type { Roles } from '../roles/index.ts';
import type { CanSignIn } from '../sign-in-ways/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { checkInput } from './account-changes.ts';
import { administrationActions } from './declarations.ts';
import { createManagement } from './management.ts';
import { createRequireFreeNumber } from './mobile-numbers.ts';
import { guardNewAddresses } from './recovery-addresses.ts';

/** The hash of a password that meets the policy. Hashing must not hold a transaction open, so it is done before. */
export type HashedPassword = { hash: string };

/** The password of a new account. The service cannot check the hash of another system against the policy. */
export type NewPassword = HashedPassword & { isForeign?: true };

/** The permission to change the policy, which a foreign hash need not meet. */
const FOREIGN_NEEDS = 'pages:maintenance';

/** @throws AuthError `permission.denied`. */
function requireForPassword(password: NewPassword | null, held: readonly string[]) {
  if (!password?.isForeign || held.includes(FOREIGN_NEEDS)) return;
  throw permissionErrors.denied({
    details: `Password hashes may be imported with the permission ${FOREIGN_NEEDS} only. Leave the column out.`,
  });
}

export interface AccountCreation {
  /**
   * Adds an account in a transaction of its own. Who may mark its addresses as verified: {@link guardNewAddresses}.
   * @returns its id.
   * @throws AuthError `account.duplicate`, `request.invalid`, `permission.denied`.
   */
  add(input: AccountInput, password: NewPassword | null, by: Manager): Promise<number>;
  /**
   * Finds why `add` would refuse each of the accounts, and changes nothing. It does not compare them with one another.
   * @returns for each the refusal, or `undefined`.
   * @throws AuthError if the administrator may create no accounts.
   */
  rehearse(
    accounts: readonly { input: AccountInput; password: NewPassword | null }[],
    by: Manager,
  ): Promise<(AuthError | undefined)[]>;
}

export function createAccountCreation(deps: {
  database: Database;
  accounts: AccountStore;
  phoneNumbers: PhoneNumbers;
  roles: Roles;
  canSignIn: CanSignIn;
  audit: AuditTrail;
  clock: Clock;
}): AccountCreation {
  const { database, accounts, phoneNumbers, roles, clock } = deps;
  const { record } = createManagement(deps);
  const requireFreeNumber = createRequireFreeNumber(deps);

  const add: AccountCreation['add'] = async (input, password, by) => {
    const checked = checkInput(input, { phoneNumbers, roles });
    return database.transaction(async (tx) => {
      // Numbers have no unique key, and a new role may get permissions between the check and the end.
      const locks = checked.mobileNumber !== null || checked.roleNames.length > 0;
      if (locks) await accounts.lockAccounts(tx.sql);
      const held = await by.authorize(tx);
      requireForPassword(password, held);
      await roles.requireCovered(tx, held, checked.roleNames);
      const wanted = { ...checked, roleNames: await roles.register(tx, checked.roleNames) };
      await requireFreeNumber(tx, wanted.mobileNumber);
      const added = { ...guardNewAddresses(wanted, held), passwordHash: password?.hash ?? null };
      const id = await accounts.add(tx.sql, added, clock.now());
      if (id === undefined) throw accountErrors.duplicate();
      await record(tx, administrationActions.created, { id, userName: wanted.userName }, by);
      return id;
    });
  };

  /** @throws AuthError `account.duplicate`. */
  async function requireFreeNames(tx: Tx, { userName, emailAddress }: AccountInput) {
    const { userNames, emailAddresses } = await accounts.findTaken(tx.sql, [{ userName, emailAddress }]);
    const isTaken =
      userNames.has(nameKey(userName)) || (emailAddress !== null && emailAddresses.has(nameKey(emailAddress)));
    if (isTaken) throw accountErrors.duplicate();
  }

  return {
    add,
    rehearse: (rehearsed, by) =>
      database.transaction(async (tx) => {
        const held = await by.authorize(tx);
        const refusals: (AuthError | undefined)[] = [];
        for (const { input, password } of rehearsed) {
          try {
            const wanted = checkInput(input, { phoneNumbers, roles });
            requireForPassword(password, held);
            await roles.requireCovered(tx, held, wanted.roleNames);
            await requireFreeNumber(tx, wanted.mobileNumber);
            await requireFreeNames(tx, wanted);
            refusals.push(undefined);
          } catch (error) {
            if (!isRefusal(error)) throw error;
            refusals.push(error);
          }
        }
        return refusals;
      }),
  };
}
