// Attempts: the lockout reserves each one before its proof is verified, and settles it in one transaction with its effects.
import type { Account } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Clock, Instant } from '../foundation/clock.ts';
import { AuthError } from '../foundation/errors.ts';
import type { Action, Occurrence, Origin } from '../foundation/events.ts';
import type { LockoutPolicy, Lockouts, Reservation } from '../lockout/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { lockedOut } from './errors.ts';
import type { FindLockoutPolicy } from './lockout-policy.ts';

/** One try to authenticate. */
export type Attempt = {
  /** Absent for an unknown name, which takes the same time and gets the same answers. */
  readonly account: Pick<Account, 'id' | 'userName' | 'roleNames'> | undefined;
  /** The key under which the lockout counts failures. */
  readonly subject: string;
  /** The session of the caller. Absent where a rate limit bounds the calls. */
  readonly sessionId?: string;
  readonly origin: Origin;
  /** Absent: the lockout policy of account and front end. */
  readonly policy?: LockoutPolicy;
  /** The action and details of a refusal in the audit trail. */
  readonly action: Action;
  readonly details?: Occurrence['details'];
};

/**
 * The verdict on a proof.
 * - `right`: clears the failures of the subject;
 * - `wrong`: counts as a failure;
 * - `partial`: right, but the sign-in needs another factor. Failures stay as they are;
 * - `unchecked`: nothing was compared. Failures stay as they are.
 */
export type Verdict<Result> = { proof: 'right' | 'wrong' | 'partial' | 'unchecked'; result: Result };

/** A settled attempt. `lockedUntil` is set when this failure has locked the subject. */
export type Settled<Result> = { result: Result; lockedUntil: Instant | null };

/** Rolls the settling of an attempt back: other attempts have locked its subject while it was verified. */
class LockedMeanwhile extends Error {
  readonly lockedUntil: Instant;
  constructor(lockedUntil: Instant) {
    super('Other attempts have locked the subject.');
    this.lockedUntil = lockedUntil;
  }
}

export interface Attempts {
  /**
   * Reserves an attempt, runs `check` outside a transaction, and settles the attempt in the transaction of `settle`.
   * Releases the reservation when either of them throws.
   * @returns only `lockedUntil` when the subject is locked: `check` does not run then. If other attempts lock it while this
   * one is verified, what `settle` did is rolled back.
   * @throws AuthError `service.unavailable` when too many attempts are being verified, or when `check` took so long that the
   * reservation has expired. A right proof gets this answer too then, because nothing counts the attempt.
   */
  settle<Checked, Result>(
    subject: string,
    policy: LockoutPolicy,
    check: () => Promise<Checked>,
    settle: (tx: Tx, checked: Checked) => Promise<Verdict<Result>>,
  ): Promise<Settled<Result> | { lockedUntil: Instant }>;

  /**
   * Settles an attempt under the lockout policy of its account and front end. Records a refusal in the audit trail.
   * An {@link AuthError} that `settle` returns is thrown after the verdict is committed.
   * @throws AuthError `signIn.lockedOut`, `service.unavailable`, the error that `settle` returns.
   */
  make<Checked, Result>(
    attempt: Attempt,
    check: () => Promise<Checked>,
    settle: (tx: Tx, checked: Checked) => Promise<Verdict<Result | AuthError>>,
  ): Promise<Result>;
}

export function createAttempts(deps: {
  database: Database;
  lockouts: Lockouts;
  findLockoutPolicy: FindLockoutPolicy;
  audit: AuditTrail;
  clock: Clock;
}): Attempts {
  const { database, lockouts, findLockoutPolicy, audit, clock } = deps;

  /**
   * Within a session nothing bounds the refusals: the subject is locked, nothing was compared, or the owner gives a right
   * proof in between, which clears the failures. So there, repetitions share an entry.
   */
  function recordRefusal({ action, origin, account, details, sessionId }: Attempt, error: AuthError, tx?: Tx) {
    const refusal: Occurrence = {
      action,
      outcome: 'refused',
      reason: error.reason,
      ...(account && { user: { id: account.id, name: account.userName } }),
      origin,
      ...(details && { details }),
    };
    if (sessionId !== undefined) return audit.recordRepeatable(sessionId, refusal, tx);
    return tx ? audit.record(tx, refusal) : audit.recordAlone(refusal);
  }

  /**
   * @returns the end of the lock if this attempt has locked the subject.
   * @throws LockedMeanwhile for another verdict than `wrong`, if others have.
   */
  async function settleLockout(tx: Tx, held: Reservation, policy: LockoutPolicy, { proof }: Verdict<unknown>) {
    if (proof === 'wrong') return lockouts.fail(tx, held, policy);
    const lockedUntil = await (proof === 'right' ? lockouts.succeed(tx, held) : lockouts.keepFailures(tx, held));
    if (lockedUntil !== null) throw new LockedMeanwhile(lockedUntil);
    return null;
  }

  const run = async <Checked, Result>(
    subject: string,
    policy: LockoutPolicy,
    check: () => Promise<Checked>,
    settle: (tx: Tx, checked: Checked) => Promise<Verdict<Result>>,
    whenSettled: (tx: Tx, settled: Settled<Result>) => Promise<Settled<Result>> = async (_, settled) => settled,
  ): Promise<Settled<Result> | { lockedUntil: Instant }> => {
    const reserved = await lockouts.reserve(subject, policy);
    if ('lockedUntil' in reserved) return reserved;
    const checked = await check().catch(async (error) => {
      await lockouts.release(reserved).catch(() => {});
      throw error;
    });
    try {
      return await database.transaction(async (tx) => {
        const verdict = await settle(tx, checked);
        const lockedUntil = await settleLockout(tx, reserved, policy, verdict);
        return whenSettled(tx, { result: verdict.result, lockedUntil });
      });
    } catch (error) {
      // Do not wait: the database may have failed just now. A reservation that is not released expires.
      void lockouts.release(reserved).catch(() => {});
      if (error instanceof LockedMeanwhile) return { lockedUntil: error.lockedUntil };
      throw error;
    }
  };

  return {
    settle: (subject, policy, check, settle) => run(subject, policy, check, settle),

    async make(attempt, check, settle) {
      const { subject, account, origin } = attempt;
      const policy = attempt.policy ?? findLockoutPolicy(account, origin);
      const settled = await run(subject, policy, check, settle, async (tx, { result: verified, lockedUntil }) => {
        const result = lockedUntil === null ? verified : lockedOut(lockedUntil, clock.now());
        if (result instanceof AuthError) await recordRefusal(attempt, result, tx);
        return { result, lockedUntil };
      });
      if (!('result' in settled)) {
        const error = lockedOut(settled.lockedUntil, clock.now());
        await recordRefusal(attempt, error);
        throw error;
      }
      if (settled.result instanceof AuthError) throw settled.result;
      return settled.result;
    },
  };
}
