// The interface between the authentication flow and its methods.
import type { Account } from '../accounts/index.ts';
import type { ErrorKind } from '../foundation/errors.ts';
import type { Action, Occurrence, Origin } from '../foundation/events.ts';
import type { Tx } from '../storage/database.ts';
import type { VerifiedPassword } from './password-verification.ts';

/** The outcome of a proof. `password` is the one that was verified: the sign-in fails if it was changed meanwhile. */
export type Outcome = RightProof | { proof: 'wrong' | 'unchecked' };

export type RightProof = {
  proof: 'right';
  password?: VerifiedPassword;
  /** Further values of `amr`, such as `user` after the user was verified. */
  amr?: readonly string[];
  /** Whether the proof alone is two factors, such as a passkey with user verification. */
  isMultiFactor?: boolean;
  /** The passkey that was used. */
  passkeyId?: string;
};

/** A proof: the account that it is for, and how to verify it. */
export type Proof = {
  /** Absent for an unknown name. */
  readonly account: Pick<Account, 'id' | 'userName' | 'roleNames'> | undefined;
  /** The key under which the lockout counts failures of a first factor. Second factors are counted per account. */
  readonly subject: string;
  /** Details of the sign-in for the audit trail. */
  readonly details?: Occurrence['details'];
  /**
   * Does the slow part outside a transaction.
   * @returns a function that gives the outcome in the transaction that settles the attempt. It locks the account first.
   */
  check(): Promise<(tx: Tx) => Promise<Outcome>>;
};

/** One way to authenticate. `Given` is what the caller sends: a name and a password, a pin, a code. */
export interface AuthenticationMethod<Given = never> {
  /** Never changes: challenges store it. */
  readonly name: string;
  /** The value in the token's `amr` (RFC 8176). */
  readonly amr: string;
  /** The action in the audit trail. */
  readonly action: Action;
  /** The error of a wrong proof. */
  readonly wrong: ErrorKind;
  /**
   * Whether the account needs this method as a second factor. Absent: the method is a first factor only. A method may be
   * both; `challenged` in `prepare` then tells which is asked for.
   */
  isEnrolled?(tx: Tx, account: Account): Promise<boolean>;
  /** Whether the settings offer it as a second factor. Absent: always. */
  isOffered?(): boolean;
  /** Whether it only replaces another second factor that the account has. A recovery code does. */
  readonly isFallback?: boolean;
  /**
   * Finds the account that the proof is for.
   * @param challenged the account whose second factor is asked for. The flow refuses a proof for any other account.
   * @returns `undefined` when the account waits for an administrator.
   */
  prepare(given: Given, origin: Origin, challenged?: Account): Promise<Proof | undefined>;
}
