// Methods of authentication: what each has to say for the flow to sign in with it.
import type { Account } from '../accounts/index.ts';
import type { ErrorKind } from '../foundation/errors.ts';
import type { Action, Occurrence, Origin } from '../foundation/events.ts';
import type { Tx } from '../storage/database.ts';
import type { VerifiedPassword } from './password-verification.ts';

/** What a proof was worth. `password` says which one was right, so that a password changed meanwhile refuses it. */
export type Outcome = { proof: 'right'; password?: VerifiedPassword } | { proof: 'wrong' | 'unchecked' };

/** A proof that was given: whom it is about, and how to check it. */
export type Proof = {
  /** Absent for an unknown name. */
  readonly account: Pick<Account, 'id' | 'userName' | 'roleNames'> | undefined;
  /** The key under which the lockout counts failures of a first factor. */
  readonly subject: string;
  /** What the audit trail tells of the sign-in. */
  readonly details?: Occurrence['details'];
  /**
   * Does outside a transaction what takes time.
   * @returns the verdict, to be asked for in the transaction that settles the attempt. It locks the account first.
   */
  check(): Promise<(tx: Tx) => Promise<Outcome>>;
};

/** One way to prove who you are. `Given` is what a person gives: a name and a password, a pin, a code. */
export interface AuthenticationMethod<Given = never> {
  /** Stable; stored in challenges. */
  readonly name: string;
  /** The value in the token's `amr` (RFC 8176). */
  readonly amr: string;
  /** The action in the audit trail. */
  readonly action: Action;
  /** The error of a wrong proof. */
  readonly wrong: ErrorKind;
  /** Whether the account needs this method as a second factor. Absent: the method is a first factor only. */
  isEnrolled?(tx: Tx, account: Account): Promise<boolean>;
  /**
   * Finds the account that the proof is about.
   * @param challenged the account that has to give a second factor.
   * @returns nothing when there is no account to sign in to yet.
   */
  prepare(given: Given, origin: Origin, challenged?: Account): Promise<Proof | undefined>;
}
