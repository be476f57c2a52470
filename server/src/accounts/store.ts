// The interface of the account store.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';
import type { Account, AccountInput, Credential } from './account.ts';

/** Which accounts to list. */
export type AccountFilter = {
  /** Part of a user name, name, surname, e-mail address or mobile number. */
  keyword?: string;
  isActive?: boolean;
};

/** Filter, order and page of a list of accounts. Accounts without the value to sort by are the first of an ascending list. */
export type AccountQuery = AccountFilter & {
  sort: {
    by: 'id' | 'userName' | 'name' | 'surname' | 'emailAddress' | 'creationTime' | 'lastLoginTime';
    descending: boolean;
  };
  skip: number;
  take: number;
};

/** A new account to store. */
export type NewAccount = AccountInput & {
  passwordHash: string | null;
  /** The service generated the password: no person has chosen it or knows it. */
  hasRandomPassword?: boolean;
  /** Set for an account of another system: what it keeps from there. */
  imported?: ImportedIdentity;
};

/** What an imported account keeps of its former system. Absent members are as in any new account. */
export type ImportedIdentity = { id?: number; personId?: string; createdAt?: Instant; lastSignInAt?: Instant };

/** Keys of the user names and e-mail addresses that existing accounts have. */
export type TakenKeys = { userNames: ReadonlySet<string>; emailAddresses: ReadonlySet<string> };

/** The version of a verified password, and a stronger hash of it when the stored one is weak. */
export type VerifiedHash = { passwordVersion: number; upgradedHash: string | undefined };

export interface AccountStore {
  /** Returns the committed account. The fast read. */
  find(id: number): Promise<Account | undefined>;
  /** Returns the account as the transaction sees it. */
  findIn(on: Statements, id: number): Promise<Account | undefined>;
  /** Returns those of these accounts that exist, as the transaction sees them, in no order. */
  findAllIn(on: Statements, ids: readonly number[]): Promise<Account[]>;
  /** Returns the account as the transaction sees it, and locks it until the transaction ends. */
  findForUpdate(on: Statements, id: number): Promise<Account | undefined>;
  /** Finds an account by user name, else by e-mail address, in any spelling with the same key. */
  findByName(on: Statements, name: string): Promise<(Account & { credential: Credential }) | undefined>;
  /** Returns the committed credential, or with `on` the credential as the transaction sees it. */
  findCredential(id: number, on?: Statements): Promise<Credential | undefined>;
  /** Whether a person chose the account's password. An imported password counts as chosen, a generated one does not. */
  hasChosenPassword(on: Statements, id: number): Promise<boolean>;
  /** Returns the ids of up to two accounts that have this number or, with `confirmed`, have verified it. */
  findByMobile(on: Statements, mobileNumber: string, only?: { confirmed: boolean }): Promise<number[]>;
  /** Adds an account. @returns its id, or `undefined` when its user name or e-mail address is taken. */
  add(on: Statements, input: NewAccount, now: Instant): Promise<number | undefined>;
  /** Adds accounts together. @returns for each its id, or `undefined` when its user name or e-mail address is taken. */
  addAll(on: Statements, inputs: readonly NewAccount[], now: Instant): Promise<(number | undefined)[]>;
  /** Returns the keys of the candidates' names and addresses that are taken. */
  findTaken(on: Statements, candidates: readonly Pick<Account, 'userName' | 'emailAddress'>[]): Promise<TakenKeys>;
  /** Replaces the members of an account. @throws UniqueViolation when the user name or e-mail address is taken. */
  replace(on: Statements, id: number, input: AccountInput): Promise<void>;
  /** Records that the owner has filled in all extra information. @returns whether this call was the first to record it. */
  completeRegistration(on: Statements, id: number, now: Instant): Promise<boolean>;
  /** Records that the owner has proven this address. @returns whether it is still the account's. */
  confirmEmail(on: Statements, id: number, address: string): Promise<boolean>;
  setActive(on: Statements, id: number, isActive: boolean): Promise<void>;
  remove(on: Statements, id: number): Promise<void>;
  /**
   * Records a sign-in and locks the account until the transaction ends. It requires an active account and, with
   * `passwordVersion`, that the verified password is still the current one. `upgradedHash` is a stronger hash of the same
   * password, which replaces the stored one.
   * @returns the account, or `undefined` when nothing was recorded.
   */
  recordSignIn(
    on: Statements,
    id: number,
    proof: { passwordVersion?: number; upgradedHash?: string | undefined },
    now: Instant,
  ): Promise<Account | undefined>;
  /** Stores a stronger hash of the same password, if that is still the current one. */
  upgradeHash(on: Statements, id: number, verified: VerifiedHash): Promise<void>;
  /** Sets a new password. With `provenVersion`, only if that is still the current version. @returns whether it was set. */
  setPassword(
    on: Statements,
    id: number,
    password: { hash: string; mustChange: boolean; provenVersion?: number },
    now: Instant,
  ): Promise<boolean>;
  /**
   * Takes one lock for all accounts until the transaction ends. Use it for rules across accounts that have no row to lock,
   * such as "one administrator is left" or "this number is free".
   */
  lockAccounts(on: Statements): Promise<void>;
  /** Takes a role from all accounts. @param isRole whether the name of a role of an account is this role's. */
  removeRole(on: Statements, isRole: (name: string) => boolean): Promise<void>;
  /** Returns the ids of the accounts whose roles match. */
  findByRoles(on: Statements, match: (roleNames: readonly string[]) => boolean): Promise<number[]>;
  /** Returns the ids of the active accounts that have this role. */
  findActiveByRole(on: Statements, role: string): Promise<number[]>;
  list(query: AccountQuery): Promise<{ accounts: Account[]; total: number }>;
  count(filter: AccountFilter): Promise<number>;
  /** Returns up to `take` accounts with a greater id, by id. */
  listAfter(id: number, take: number, filter: AccountFilter): Promise<Account[]>;
  isEmpty(): Promise<boolean>;
}
