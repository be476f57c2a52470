// The interface between the authentication flow and its methods.
import type { Account } from '../accounts/index.ts';
import type { FactorKinds } from '../factors/index.ts';
import type { ErrorKind } from '../foundation/errors.ts';
import type { Action, Occurrence, Origin } from '../foundation/events.ts';
import type { VerifiedPassword } from '../passwords/index.ts';
import type { Tx } from '../storage/database.ts';

/** Whom a proof is for. */
export type Identified = {
  /** Absent for an unknown name, which takes the same time and gets the same answers. */
  readonly account: Pick<Account, 'id' | 'userName' | 'roleNames'> | undefined;
  /** The key under which the lockout counts failures of a first factor. Second factors are counted per account. */
  readonly subject: string;
  /** Details for the audit trail. */
  readonly details?: Occurrence['details'];
};

/** The outcome of a proof. `unchecked`: nothing was compared. */
export type Outcome = RightProof | { proof: 'wrong' | 'unchecked' };

export type RightProof = {
  proof: 'right';
  /** The password that was verified: the sign-in fails if it was changed meanwhile. */
  password?: VerifiedPassword;
  /** Further values of `amr`, such as `user` after the user was verified. */
  amr?: readonly string[];
  /** Whether the proof alone is two factors, such as a passkey with user verification. */
  isMultiFactor?: boolean;
  /** The passkey that was used. */
  passkeyId?: string;
};

/** A method as accounts have it: what it is called, and whether it is a second factor. */
export interface Factor {
  /** Never changes: challenges store it. */
  readonly name: string;
  /** The value in the token's `amr` (RFC 8176). */
  readonly amr: string;
  /** The action of its sign-ins in the audit trail. */
  readonly action: Action;
  /**
   * Whether the account needs this method as a second factor. Absent: the method is a first factor only. A method may be
   * both; `challenged` in `find` then tells which is asked for.
   */
  isEnrolled?(tx: Tx, account: Account): Promise<boolean>;
  /** The kind that the settings must offer. Absent: they need not offer the method. */
  readonly kind?: keyof FactorKinds;
  /** Whether it only replaces another second factor that the account has. A recovery code does. */
  readonly isFallback?: boolean;
}

/**
 * One way to authenticate, in three steps. `Given` is what the caller sends: a name and a password, a pin, a code. What
 * one step hands to the next is the method's own.
 */
export interface AuthenticationMethod<Given = never, Found extends Identified = Identified, Verified = unknown>
  extends Factor {
  /** The error of a wrong proof. */
  readonly wrong: ErrorKind;
  /**
   * Finds the account that the proof is for.
   * @param challenged the account that has proven something before: its second factor, or another proof, is asked for. The flow
   * refuses a proof for any other account, and records the refusal.
   * @returns `undefined` when the account waits for an administrator.
   */
  find(given: Given, origin: Origin, challenged?: Account): Promise<Found | undefined>;
  /** Does the slow part outside a transaction. */
  verify(found: Found): Promise<Verified>;
  /** Uses the proof up in the transaction that settles the attempt. Locks the account first. */
  redeem(tx: Tx, verified: Verified): Promise<Outcome>;
}
