// Account registration: creates an account with a verified address.
import { type Account, type AccountStore, accountErrors } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Origin } from '../foundation/events.ts';
import { maskAddress } from '../foundation/mask.ts';
import type { Database } from '../storage/database.ts';
import type { RegistrationProofs } from './address-proof.ts';
import { registrationActions, registrationErrors } from './declarations.ts';
import type { RegistrationForm, RegistrationValidator } from './registration-validator.ts';

export interface AccountRegistration {
  /**
   * Creates an active account with a verified address and without roles. Does not sign in. The proof of the address is
   * used up only on success.
   * @throws AuthError `registration.disabled`, `registration.addressNotProven` (also when another account got the address
   * meanwhile), `request.invalid`, `account.userNameTaken`, `password.policy`, `service.unavailable`.
   */
  create(form: RegistrationForm, origin: Origin): Promise<Account>;
  /** Records that the owner has filled in everything that the application asks for. A second call changes nothing. */
  complete(owner: SignedIn, origin: Origin): Promise<void>;
}

export function createAccountRegistration(deps: {
  database: Database;
  accounts: AccountStore;
  validator: RegistrationValidator;
  proofs: RegistrationProofs;
  audit: AuditTrail;
  clock: Clock;
}): AccountRegistration {
  const { database, accounts, validator, proofs, audit, clock } = deps;

  return {
    async create(form, origin) {
      const { account: wanted, address } = await validator.validate(form, origin);
      const id = await database.transaction(async (tx) => {
        await proofs.take(tx, form.operationId, address);
        const added = await accounts.add(tx.sql, wanted, clock.now());
        if (added === undefined) {
          const { emailAddresses } = await accounts.findTaken(tx.sql, [wanted]);
          throw emailAddresses.size > 0 ? registrationErrors.addressNotProven() : registrationErrors.userNameTaken();
        }
        const user = { id: added, name: wanted.userName };
        const details = { address: maskAddress(address.to) };
        await audit.record(tx, { action: registrationActions.registered, outcome: 'success', user, origin, details });
        return added;
      });
      const account = await accounts.find(id);
      if (!account) throw accountErrors.notFound();
      return account;
    },

    async complete({ accountId, authorize }, origin) {
      await database.transaction(async (tx) => {
        await authorize(tx);
        if (!(await accounts.completeRegistration(tx.sql, accountId, clock.now()))) return;
        const user = await accounts.readUser(tx.sql, accountId);
        await audit.record(tx, { action: registrationActions.registrationCompleted, outcome: 'success', user, origin });
      });
    },
  };
}
