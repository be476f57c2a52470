// The registration validator: checks a registration form, and returns the account to create.
import {
  type AccountInput,
  type AccountStore,
  isForeignAddress,
  isIndexable,
  nameKey,
  newAccount,
  type PhoneNumbers,
} from '../accounts/index.ts';
import { invalidMember } from '../foundation/errors.ts';
import type { Origin } from '../foundation/events.ts';
import type { Address } from '../foundation/medium.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { type Passwords, readPasswordPolicy, requesterOf, requireGoodPassword } from '../passwords/index.ts';
import type { Database } from '../storage/database.ts';
import type { GivenAddresses, RegistrationProofs } from './address-proof.ts';
import { registrationErrors } from './declarations.ts';
import { requireRegistrationMedium, userManagementSetting } from './settings.ts';

/** What a person fills in to register. */
export type RegistrationForm = GivenAddresses & {
  readonly userName: string | null;
  readonly firstName: string;
  readonly lastName: string;
  readonly password: string;
  readonly passwordConfirmation: string;
  readonly operationId: string;
};

/** The account to create. Its only address is the verified one. */
export type ValidRegistration = { account: AccountInput & { passwordHash: string }; address: Address };

export interface RegistrationValidator {
  /**
   * Returns the account that the form describes.
   * @param origin names the front end whose password policy applies.
   * @throws AuthError `registration.disabled`, `registration.addressNotProven`, `request.invalid`, `account.userNameTaken`,
   * `password.policy`, `service.unavailable`.
   */
  validate(form: RegistrationForm, origin: Origin): Promise<ValidRegistration>;
}

export function createRegistrationValidator(deps: {
  database: Database;
  accounts: AccountStore;
  phoneNumbers: PhoneNumbers;
  proofs: RegistrationProofs;
  passwords: Passwords;
  settings: SettingReader;
}): RegistrationValidator {
  const { database, accounts, phoneNumbers, proofs, passwords, settings } = deps;

  /** Returns the user name of the form, or the verified address. */
  function chooseUserName({ medium, to }: Address, wanted: string | null): string {
    const { userEmailAsUsername } = settings.read(userManagementSetting);
    return (userEmailAsUsername && medium === 'email') || wanted === null ? to : wanted;
  }

  async function requireUserName(account: AccountInput, address: Address, operationId: string) {
    const { userName } = account;
    if (!isIndexable(userName)) throw invalidMember('userName', 'Choose a shorter user name.');
    if (isForeignAddress(account, phoneNumbers.parse)) {
      throw invalidMember(
        'userName',
        'A user name that looks like an e-mail address or phone number must be your own.',
      );
    }
    const isAddress = nameKey(userName) === nameKey(address.to);
    if (isAddress) return;
    await proofs.countName(operationId);
    if (await accounts.findByName(database.sql, userName)) throw registrationErrors.userNameTaken();
  }

  return {
    async validate(form, origin) {
      const { firstName: name, lastName: surname, password } = form;
      requireRegistrationMedium(settings);
      if (password !== form.passwordConfirmation) {
        throw invalidMember('passwordConfirmation', 'Type the same password twice.');
      }
      const address = await proofs.find(form.operationId, form);
      const proven =
        address.medium === 'email'
          ? { emailAddress: address.to, isEmailConfirmed: true }
          : { mobileNumber: address.to, isMobileConfirmed: true };
      const account = newAccount(chooseUserName(address, form.userName), { name, surname, ...proven });
      await requireUserName(account, address, form.operationId);
      const names = [account.userName, address.to, name, surname];
      requireGoodPassword(password, readPasswordPolicy(settings, origin.frontEnd), names, { member: 'password' });
      return { account: { ...account, passwordHash: await passwords.hash(password, requesterOf(origin)) }, address };
    },
  };
}
