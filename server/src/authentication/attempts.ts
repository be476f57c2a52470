// Attempts: each try to prove who one is, is reserved before it is checked, and settles the account's lockout.
import type { Account } from '../accounts/index.ts';
import type { AuditTrail, RepeatableRefusal } from '../audit/index.ts';
import { type Clock, type Instant, secondsUntil } from '../foundation/clock.ts';
import { AuthError } from '../foundation/errors.ts';
import type { Action, Occurrence, Origin } from '../foundation/events.ts';
import type { LockoutPolicy, Lockouts, Reservation } from '../lockout/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { signInErrors } from './errors.ts';
import type { FindLockoutPolicy } from './lockout-policy.ts';

/** A try to prove who one is, by whatever means. */
export type Attempt = {
  /** Absent for a name that no account has: takes the same time and ends in the same answers. */
  readonly account: Pick<Account, 'id' | 'userName' | 'roleNames'> | undefined;
  /** Under which failures are counted. */
  readonly subject: string;
  /** The session that asks; absent where a rate limit bounds the calls instead. */
  readonly sessionId?: string;
  readonly origin: Origin;
  /** What the trail calls a refusal, and what it tells of one. */
  readonly action: Action;
  readonly details?: Occurrence['details'];
};

/**
 * What a try came to. `right`: proven, whatever the result is. `wrong`: counts towards the lock. `unchecked`: nothing was
 * looked at, so nothing is counted. An {@link AuthError} is recorded as a refusal and thrown.
 */
export type Verdict<Result> =
  | { proof: 'right'; result: Result | AuthError }
  | { proof: 'wrong' | 'unchecked'; result: AuthError };

export interface Attempts {
  /**
   * Runs `check` outside any transaction, where it may take its time, then `settle` in the transaction that settles the
   * attempt. Ends in what `settle` refuses with, in `signIn.lockedOut` or `service.unavailable`.
   */
  make<Checked, Result>(
    attempt: Attempt,
    check: () => Promise<Checked>,
    settle: (tx: Tx, checked: Checked) => Promise<Verdict<Result>>,
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

  const lockedOut = (until: Instant) => signInErrors.lockedOut({ retryAfterSeconds: secondsUntil(until, clock.now()) });

  const refusal = ({ action, origin, account, details }: Attempt, error: AuthError): RepeatableRefusal => ({
    action,
    outcome: 'refused',
    reason: error.reason,
    ...(account && { user: { id: account.id, name: account.userName } }),
    origin,
    ...(details && { details }),
  });

  /** @returns until when the attempt has locked the subject, if it has. */
  async function settleLockout(tx: Tx, held: Reservation, policy: LockoutPolicy, proof: Verdict<unknown>['proof']) {
    if (proof === 'wrong') return lockouts.fail(tx, held, policy);
    await (proof === 'right' ? lockouts.succeed(tx, held) : lockouts.release(held, tx));
    return null;
  }

  return {
    async make(attempt, check, settle) {
      const { sessionId } = attempt;
      const policy = findLockoutPolicy(attempt.account, attempt.origin);
      const reserved = await lockouts.reserve(attempt.subject, policy);
      if ('lockedUntil' in reserved) {
        const error = lockedOut(reserved.lockedUntil);
        const refused = refusal(attempt, error);
        // Nothing was tried, so the lockout does not bound how often this happens.
        await (sessionId === undefined ? audit.recordAlone(refused) : audit.recordRepeatable(sessionId, refused));
        throw error;
      }
      const checked = await check().catch(async (error) => {
        // As far as the database lets us: a reservation that stays lapses by itself.
        await lockouts.release(reserved).catch(() => {});
        throw error;
      });
      const settling = database.transaction(async (tx) => {
        const verdict = await settle(tx, checked);
        const lockedNow = await settleLockout(tx, reserved, policy, verdict.proof);
        const ending = lockedNow === null ? verdict.result : lockedOut(lockedNow);
        if (ending instanceof AuthError) await audit.record(tx, refusal(attempt, ending));
        return ending;
      });
      const ending = await settling.catch((error) => {
        // Not waited for: the database has just failed, and the caller is to be told so soon.
        void lockouts.release(reserved).catch(() => {});
        throw error;
      });
      if (ending instanceof AuthError) throw ending;
      return ending;
    },
  };
}
