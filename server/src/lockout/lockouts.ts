// Lockout: reserves an attempt before the proof is verified, so that concurrent attempts cannot exceed the maximum.
import { addSeconds, type Clock, type Instant } from '../foundation/clock.ts';
import { serviceErrors } from '../foundation/errors.ts';
import type { Random } from '../foundation/random.ts';
import type { Database, Tx } from '../storage/database.ts';
import {
  afterFailure,
  afterSuccess,
  FAILURES_KEPT_SECONDS,
  type LockoutPolicy,
  type LockoutState,
  MAX_STREAK,
  mayCheckAnother,
  stateAt,
  withoutOldFailures,
} from './lockout.ts';
import type { LockoutStore } from './store.sql.ts';
import { forgetsFailures, isOfAccount } from './subject.ts';

/** How long an attempt waits for pending ones to be settled. Each retry interval is twice the one before. */
const PATIENCE_SECONDS = 5;
const RETRY_MS = 20;
const MAX_RETRY_MS = 320;

const REMOVAL_BATCH = 500;

/** One reserved attempt of a subject. */
export type Reservation = { readonly subject: string; readonly id: string };

export interface Lockouts {
  /**
   * Reserves one attempt. Waits while the allowed number of attempts is pending.
   * @param seconds after which the reservation expires. Default: `RESERVATION_SECONDS`.
   * @returns the end of the lock if the subject is locked. Otherwise a reservation, which the caller must settle with one
   * call of `fail`, `succeed`, `keepFailures` or `release`.
   * @throws AuthError `service.unavailable` when the wait takes too long.
   */
  reserve(subject: string, policy: LockoutPolicy, seconds?: number): Promise<Reservation | { lockedUntil: Instant }>;
  /**
   * Settles an attempt as failed.
   * @returns the end of the lock if the subject is locked now.
   * @throws AuthError `service.unavailable` when the reservation has expired. Roll back: the attempt counts as unverified.
   */
  fail(tx: Tx, reservation: Reservation, policy: LockoutPolicy): Promise<Instant | null>;
  /**
   * Settles an attempt as successful and resets the count.
   * @returns the end of the lock if other attempts have locked the subject meanwhile. Roll back then.
   * @throws AuthError `service.unavailable`, as `fail` does.
   */
  succeed(tx: Tx, reservation: Reservation): Promise<Instant | null>;
  /** Settles an attempt without a change of the count. Otherwise like `succeed`. */
  keepFailures(tx: Tx, reservation: Reservation): Promise<Instant | null>;
  /** Settles an attempt that has no answer, in a transaction of its own. It may have expired. */
  release(reservation: Reservation): Promise<void>;
  /** Takes over the failures and the lock of an account from another system. */
  adopt(tx: Tx, subject: string, known: { failures: number; lockedUntil: Instant | null }): Promise<void>;
  /**
   * Ends a lock and resets the failures, for an administrator or after a password reset.
   * @returns whether there was any of them.
   */
  reset(tx: Tx, subject: string): Promise<boolean>;
  /** Deletes the state of subjects, as if no attempt had been made. A pending attempt counts as unverified. */
  forget(tx: Tx, subjects: readonly string[]): Promise<void>;
  /** Resets the failures of a subject. A lock stays. */
  clearFailures(tx: Tx, subject: string): Promise<void>;
  /** Returns the end of the lock on a subject. No attempt can lock it until the transaction ends. */
  findLock(tx: Tx, subject: string): Promise<Instant | null>;
  /** Returns the end of each lock on these subjects. Subjects without a lock are left out. */
  readLocks(subjects: readonly string[]): Promise<Map<string, Instant>>;
  /** Returns how many accounts are locked now, up to `most`. */
  countLockedAccounts(most: number): Promise<number>;
  /** Cleanup job: deletes one batch of names without account whose failures are forgotten. */
  deleteExpired(): Promise<void>;
}

export function createLockouts(deps: {
  database: Database;
  store: LockoutStore;
  clock: Clock;
  random: Pick<Random, 'uuid'>;
  /** Called after a failed attempt has locked a subject: an account, or a name without account. */
  onLock?: (of: 'account' | 'unknownName') => void;
}): Lockouts {
  const { database, store, clock, random, onLock = () => {} } = deps;

  /** Locks the subject's state and returns it as it counts now. */
  async function read(tx: Tx, subject: string, now: Instant): Promise<LockoutState> {
    const { touchedAt, ...stored } = await store.readForUpdate(tx.sql, subject, now);
    return stateAt(forgetsFailures(subject) ? withoutOldFailures(stored, touchedAt, now) : stored, now);
  }

  /** Locks the subject's state and stores the state that `next` returns. */
  async function change(
    tx: Tx,
    subject: string,
    next: (state: LockoutState, now: Instant) => LockoutState,
  ): Promise<LockoutState> {
    const now = clock.now();
    const state = next(await read(tx, subject, now), now);
    await store.save(tx.sql, subject, state, now);
    return state;
  }

  async function settle(
    tx: Tx,
    { subject, id }: Reservation,
    next: (state: LockoutState, now: Instant) => LockoutState,
  ): Promise<LockoutState> {
    return change(tx, subject, (state, now) => {
      const pending = state.pending.filter((attempt) => attempt.id !== id);
      if (pending.length === state.pending.length) throw serviceErrors.unavailable({ retryAfterSeconds: 1 });
      return next({ ...state, pending }, now);
    });
  }

  async function tryToReserve(tx: Tx, subject: string, policy: LockoutPolicy, seconds?: number) {
    const now = clock.now();
    const state = await read(tx, subject, now);
    if (state.lockedUntil !== null) return { lockedUntil: state.lockedUntil };
    if (!mayCheckAnother(state, policy)) return undefined;
    const id = random.uuid();
    const attempt = { id, reservedAt: now, ...(seconds !== undefined && { seconds }) };
    await store.save(tx.sql, subject, { ...state, pending: [...state.pending, attempt] }, now);
    return { subject, id };
  }

  return {
    async reserve(...given) {
      const deadline = clock.elapsed() + PATIENCE_SECONDS * 1000;
      for (let waitMs = RETRY_MS; ; waitMs = Math.min(2 * waitMs, MAX_RETRY_MS)) {
        // The reservation need not be durable: if the machine fails, the service answers no pending attempt either.
        // Mutation: `false` becomes `true`. The transaction also waits for the disk.
        const reserved = await database.transaction((tx) => tryToReserve(tx, ...given), { durable: false });
        if (reserved) return reserved;
        if (clock.elapsed() >= deadline) throw serviceErrors.unavailable({ retryAfterSeconds: 1 });
        await clock.sleep(waitMs);
      }
    },
    async fail(tx, reservation, policy) {
      // Mutation: `false` becomes `true`. The next statement sets it.
      let wasLocked = false;
      const { lockedUntil } = await settle(tx, reservation, (state, now) => {
        wasLocked = state.lockedUntil !== null;
        return afterFailure(state, policy, now);
      });
      const of = isOfAccount(reservation.subject) ? 'account' : 'unknownName';
      if (lockedUntil !== null && !wasLocked) tx.afterCommit(() => onLock(of));
      return lockedUntil;
    },
    succeed: async (tx, reservation) => (await settle(tx, reservation, afterSuccess)).lockedUntil,
    keepFailures: async (tx, reservation) => (await settle(tx, reservation, (state) => state)).lockedUntil,
    async release({ subject, id }) {
      const remove = (state: LockoutState) => ({ ...state, pending: state.pending.filter((one) => one.id !== id) });
      await database.transaction((tx) => change(tx, subject, remove));
    },
    async adopt(tx, subject, { failures, lockedUntil }) {
      const streak = Math.min(failures, MAX_STREAK - 1);
      await change(tx, subject, (state) => ({ ...state, failures: streak, streak, lockedUntil }));
    },
    async reset(tx, subject) {
      // Mutation: `false` becomes `true`. The next statement sets it.
      let hadAny = false;
      await change(tx, subject, (state) => {
        hadAny = state.failures > 0 || state.streak > 0 || state.lockedUntil !== null;
        return { ...state, failures: 0, streak: 0, lockedUntil: null };
      });
      return hadAny;
    },
    forget: (tx, subjects) => store.delete(tx.sql, subjects),
    async clearFailures(tx, subject) {
      await change(tx, subject, afterSuccess);
    },
    async findLock(tx, subject) {
      return (await read(tx, subject, clock.now())).lockedUntil;
    },
    readLocks: (subjects) => store.readLocks(subjects, clock.now()),
    countLockedAccounts: (most) => store.countLockedAccounts(clock.now(), most),
    deleteExpired: () => store.deleteUnknown(addSeconds(clock.now(), -FAILURES_KEPT_SECONDS), REMOVAL_BATCH),
  };
}
