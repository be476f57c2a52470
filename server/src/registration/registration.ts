// Registration: whoever proved an address makes an account with it, once.
import { type Account, type AccountStore, accountErrors } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Origin } from '../foundation/events.ts';
import { maskAddress } from '../foundation/mask.ts';
import type { Database } from '../storage/database.ts';
import type { RegistrationProofs } from './address-proof.ts';
import { registrationErrors } from './errors.ts';
import { registrationActions } from './events.ts';
import type { Newcomers, RegistrationForm } from './newcomer.ts';

export interface Registration {
  /**
   * Makes an active account without roles, whose address is verified; nobody is signed in by it. The proof is used up only
   * if it succeeds. Ends in `registration.disabled`, `registration.addressNotProven` (also when somebody has got the
   * address meanwhile), `request.invalid`, `account.userNameTaken`, `password.policy`, `service.unavailable`.
   */
  create(form: RegistrationForm, origin: Origin): Promise<Account>;
  /** Notes that the account's owner has filled in all that the application wants to know; again changes nothing. */
  complete(owner: SignedIn, origin: Origin): Promise<void>;
}

export function createRegistration(deps: {
  database: Database;
  accounts: AccountStore;
  newcomers: Newcomers;
  proofs: RegistrationProofs;
  audit: AuditTrail;
  clock: Clock;
}): Registration {
  const { database, accounts, newcomers, proofs, audit, clock } = deps;

  return {
    async create(form, origin) {
      const { account: wanted, address } = await newcomers.prepare(form, origin);
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
        const account = await accounts.findIn(tx.sql, accountId);
        const user = { id: accountId, name: account?.userName ?? null };
        await audit.record(tx, { action: registrationActions.registrationCompleted, outcome: 'success', user, origin });
      });
    },
  };
}
