// Attempts: the lockout reserves each one before its proof is verified, and settles it in one transaction with its effects.
import type { Account } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Clock, Instant } from '../foundation/clock.ts';
import type { AuthError } from '../foundation/errors.ts';
import type { Action, Occurrence, Origin } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { DEFAULT_FRONT_END } from '../front-ends/index.ts';
import {
  type LockoutPolicy,
  type Lockouts,
  type Reservation,
  readLockoutPolicy,
  stricterPolicy,
} from '../lockout/index.ts';
import type { Roles } from '../roles/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { lockedOut } from './declarations.ts';
import type { Identified } from './method.ts';

/** Wrong second factors that lock an account, under any settings: a code of six digits must not be guessed. */
const MAX_WRONG_FACTORS = 5;

/** One try to authenticate. */
export type Attempt = Identified & {
  /** The session of the caller. Absent where a rate limit bounds the calls. */
  readonly sessionId?: string;
  readonly origin: Origin;
  /** Absent: the policy that `findPolicy` returns. */
  readonly policy?: LockoutPolicy;
  /** How long the proof may take to verify. Absent: as long as the lockout reserves an attempt. */
  readonly seconds?: number;
  /** The action of a refusal in the audit trail. */
  readonly action: Action;
};

/**
 * A refusal that is recorded, and committed with what its transaction has written. The caller gets its error. An error that
 * is thrown undoes the transaction instead.
 */
export class Refusal {
  readonly error: AuthError;
  constructor(error: AuthError) {
    this.error = error;
  }
}

/**
 * The verdict on a proof.
 * - `right`: clears the failures of the subject;
 * - `wrong`: counts as a failure;
 * - `partial`: right, but the sign-in needs another factor. Failures stay as they are;
 * - `unchecked`: nothing was compared. Failures stay as they are.
 */
export type Verdict<Result> = { proof: 'right' | 'wrong' | 'partial' | 'unchecked'; result: Result };

/** The subject is locked: nothing was compared, or all that the attempt has done is undone. */
export type Locked = { readonly lockedUntil: Instant };

/** A reserved attempt. It is released when one of its two steps throws. */
export interface ReservedAttempt {
  /** Runs slow work outside a transaction, such as comparing a password. */
  verify<Verified>(work: () => Promise<Verified>): Promise<Verified>;
  /**
   * Settles the attempt in the transaction of `decide`.
   * @returns {@link Locked} if other attempts have locked the subject meanwhile, unless the proof is wrong.
   * @throws AuthError `service.unavailable` when the reservation has expired. A right proof gets this answer too, because
   * nothing counts the attempt.
   */
  settle<Result>(decide: (tx: Tx) => Promise<Verdict<Result>>): Promise<{ result: Result } | Locked>;
}

/** A reserved attempt whose refusal is recorded in the audit trail. */
export interface OpenAttempt {
  /** As {@link ReservedAttempt.verify}. */
  verify<Verified>(work: () => Promise<Verified>): Promise<Verified>;
  /** @throws AuthError the error of a {@link Refusal}, `signIn.lockedOut`, `service.unavailable`. */
  settle<Result>(decide: (tx: Tx) => Promise<Verdict<Result | Refusal>>): Promise<Result>;
}

export interface Attempts {
  /**
   * Returns the lockout policy for attempts on this account, or on a name without an account. The caller names the front end,
   * so a lax one must not weaken accounts that have permissions: for those each value is the stricter of the named front end's
   * and `default-app`'s.
   */
  findPolicy(account: Pick<Account, 'roleNames'> | undefined, origin: Origin): LockoutPolicy;
  /** Returns the policy for wrong second factors. The longest lock of these front ends and `default-app` applies. */
  findFactorPolicy(frontEnds: readonly string[]): LockoutPolicy;
  /** @throws AuthError `service.unavailable` when too many attempts are being verified. */
  reserve(subject: string, policy: LockoutPolicy): Promise<ReservedAttempt | Locked>;
  /**
   * Reserves an attempt under its policy.
   * @throws AuthError `signIn.lockedOut`, `service.unavailable`.
   */
  begin(attempt: Attempt): Promise<OpenAttempt>;
}

/** Undoes the settling of an attempt: other attempts have locked its subject while it was verified. */
class LockedMeanwhile extends Error {
  readonly lockedUntil: Instant;
  constructor(lockedUntil: Instant) {
    super('Other attempts have locked the subject.');
    this.lockedUntil = lockedUntil;
  }
}

export function createAttempts(deps: {
  database: Database;
  lockouts: Lockouts;
  settings: SettingReader;
  roles: Roles;
  audit: AuditTrail;
  clock: Clock;
}): Attempts {
  const { database, lockouts, settings, roles, audit, clock } = deps;

  const findPolicy: Attempts['findPolicy'] = (account, { frontEnd }) => {
    const named = readLockoutPolicy(settings, frontEnd);
    if (!account || roles.permissionsOf(account.roleNames).length === 0) return named;
    return stricterPolicy(named, readLockoutPolicy(settings, DEFAULT_FRONT_END));
  };

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

  /** Runs the transaction that settles an attempt, and undoes all of it if others have locked the subject. */
  async function settle<Result>(
    held: Reservation,
    work: (tx: Tx) => Promise<Result>,
  ): Promise<{ result: Result } | Locked> {
    try {
      return { result: await database.transaction(work) };
    } catch (error) {
      // Do not wait: the database may have failed just now. A reservation that is not released expires.
      void lockouts.release(held).catch(() => {});
      if (error instanceof LockedMeanwhile) return { lockedUntil: error.lockedUntil };
      throw error;
    }
  }

  async function verify<Verified>(held: Reservation, work: () => Promise<Verified>): Promise<Verified> {
    try {
      return await work();
    } catch (error) {
      await lockouts.release(held).catch(() => {});
      throw error;
    }
  }

  return {
    findPolicy,

    findFactorPolicy(frontEnds) {
      const locks = [DEFAULT_FRONT_END, ...frontEnds].map((frontEnd) => readLockoutPolicy(settings, frontEnd).seconds);
      return { enabled: true, maxFailures: MAX_WRONG_FACTORS, seconds: Math.max(...locks) };
    },

    async reserve(subject, policy) {
      const held = await lockouts.reserve(subject, policy);
      if ('lockedUntil' in held) return held;
      return {
        verify: (work) => verify(held, work),
        settle: (decide) =>
          settle(held, async (tx) => {
            const verdict = await decide(tx);
            await settleLockout(tx, held, policy, verdict);
            return verdict.result;
          }),
      };
    },

    async begin(attempt) {
      const policy = attempt.policy ?? findPolicy(attempt.account, attempt.origin);
      const toError = (until: Instant) => lockedOut(until, clock.now());
      async function refuseLocked(until: Instant): Promise<never> {
        const error = toError(until);
        await recordRefusal(attempt, error);
        throw error;
      }
      const held = await lockouts.reserve(attempt.subject, policy, attempt.seconds);
      if ('lockedUntil' in held) return refuseLocked(held.lockedUntil);
      return {
        verify: (work) => verify(held, work),
        async settle(decide) {
          const settled = await settle(held, async (tx) => {
            const verdict = await decide(tx);
            const lockedUntil = await settleLockout(tx, held, policy, verdict);
            const result = lockedUntil === null ? verdict.result : new Refusal(toError(lockedUntil));
            if (result instanceof Refusal) await recordRefusal(attempt, result.error, tx);
            return result;
          });
          if ('lockedUntil' in settled) return refuseLocked(settled.lockedUntil);
          if (settled.result instanceof Refusal) throw settled.result.error;
          return settled.result;
        },
      };
    },
  };
}
