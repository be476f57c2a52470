// The port of accounts.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';
import type { Account, AccountInput, Credential } from './account.ts';

/** Which accounts a search gives, and in what order. */
export type AccountQuery = {
  /** Part of a user name, name, surname, e-mail address or mobile number. */
  keyword?: string;
  isActive?: boolean;
  sort: {
    by: 'id' | 'userName' | 'name' | 'surname' | 'emailAddress' | 'creationTime' | 'lastLoginTime';
    descending: boolean;
  };
  skip: number;
  take: number;
};

/** What a new account is stored with. */
export type NewAccount = AccountInput & {
  passwordHash: string | null;
  /** The password is a random one: nobody has chosen it, and nobody knows it. */
  hasRandomPassword?: boolean;
};

/** Keys of user names and of e-mail addresses. */
export type TakenKeys = { userNames: ReadonlySet<string>; emailAddresses: ReadonlySet<string> };

export interface AccountStore {
  /** The fast, committed read by id. */
  find(id: number): Promise<Account | undefined>;
  /** The account as the transaction sees it. */
  findIn(on: Statements, id: number): Promise<Account | undefined>;
  /** The account as the transaction sees it, locked against changes by others until the transaction ends. */
  findForUpdate(on: Statements, id: number): Promise<Account | undefined>;
  /** By user name, else by e-mail address, in any spelling that folds to the same key. */
  findByName(on: Statements, name: string): Promise<(Account & { credential: Credential }) | undefined>;
  /** The committed credential, or as the transaction sees it. */
  findCredential(id: number, on?: Statements): Promise<Credential | undefined>;
  /** Whether somebody has chosen the account's password, or brought it along: nobody knows one that is random. */
  hasChosenPassword(on: Statements, id: number): Promise<boolean>;
  /** Ids of up to two accounts with this number, or of those that have confirmed it. */
  findByMobile(on: Statements, mobileNumber: string, only?: { confirmed: boolean }): Promise<number[]>;
  /** Adds an account. @returns its id, or nothing when its user name or e-mail address is taken. */
  add(on: Statements, input: NewAccount, now: Instant): Promise<number | undefined>;
  /** Adds accounts together. @returns for each its id, or nothing when its user name or e-mail address is taken. */
  addAll(on: Statements, inputs: readonly NewAccount[], now: Instant): Promise<(number | undefined)[]>;
  /** Which of these names are taken, as keys under which they are unique. */
  findTaken(on: Statements, wanted: readonly Pick<Account, 'userName' | 'emailAddress'>[]): Promise<TakenKeys>;
  /** Rejects with `UniqueViolation` when the user name or e-mail address is taken. */
  replace(on: Statements, id: number, input: AccountInput): Promise<void>;
  /** Notes that somebody who registered has filled in all there is to fill in. @returns whether it was not noted before. */
  completeRegistration(on: Statements, id: number, now: Instant): Promise<boolean>;
  setActive(on: Statements, id: number, isActive: boolean): Promise<void>;
  remove(on: Statements, id: number): Promise<void>;
  /**
   * Notes a sign-in, if the account is active and its password, where that was proven, still the one that was; keeps the
   * account locked until the transaction ends. `upgradedHash` is a stronger hash of the same password.
   */
  recordSignIn(
    on: Statements,
    id: number,
    proof: { passwordVersion?: number; upgradedHash?: string | undefined },
    now: Instant,
  ): Promise<Account | undefined>;
  /** Sets a new password. With `provenVersion`, only while that is still the password that was proven. */
  setPassword(
    on: Statements,
    id: number,
    password: { hash: string; mustChange: boolean; provenVersion?: number },
    now: Instant,
  ): Promise<boolean>;
  /**
   * Locks all accounts until the transaction ends, against others that call this. For rules across accounts, such as
   * "one administrator is left" or "this number is free", which have no row of their own to lock.
   */
  lockAccounts(on: Statements): Promise<void>;
  /** Ids of the active accounts that have this role. */
  findActiveByRole(on: Statements, role: string): Promise<number[]>;
  list(query: AccountQuery): Promise<{ accounts: Account[]; total: number }>;
  isEmpty(): Promise<boolean>;
}
