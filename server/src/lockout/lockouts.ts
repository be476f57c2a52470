// Lockout: attempts are reserved before a proof is checked, so that parallel guesses get no more than the allowed number.
import { addSeconds, type Clock, type Instant } from '../foundation/clock.ts';
import { serviceErrors } from '../foundation/errors.ts';
import type { Database, Tx } from '../storage/database.ts';
import {
  afterFailure,
  afterSuccess,
  forgetAbandoned,
  judgeReservation,
  type LockoutPolicy,
  type LockoutState,
  type Reservation,
} from './lockout.ts';
import type { LockoutStore } from './store.ts';

/** How long an attempt waits for others under check to be settled, and how often it looks: less and less. */
const PATIENCE_SECONDS = 5;
const RETRY_MS = 20;
const LONGEST_RETRY_MS = 320;

/** Names without an account are forgotten after this long without an attempt. */
const UNKNOWN_KEPT_SECONDS = 7 * 86_400;
const REMOVAL_BATCH = 500;

export interface Lockouts {
  /**
   * Reserves one attempt, waiting while as many as allowed are under check.
   * @returns the end of the lock when the subject is locked, else null: then exactly one of `fail`, `succeed`, `giveBack`, `release` must follow.
   * Ends in `service.unavailable` when the wait is over.
   */
  reserve(subject: string, policy: LockoutPolicy): Promise<Instant | null>;
  /** Settles a reserved attempt as failed. @returns the end of the lock if the subject is locked now. */
  fail(tx: Tx, subject: string, policy: LockoutPolicy): Promise<Instant | null>;
  /** Settles a reserved attempt as right: the count starts anew. */
  succeed(tx: Tx, subject: string): Promise<void>;
  /** Settles a reserved attempt as one that was not checked: nothing is counted. */
  giveBack(tx: Tx, subject: string): Promise<void>;
  /** Gives a reserved attempt back, in a transaction of its own. */
  release(subject: string): Promise<void>;
  /** Ends a lock and forgets the failures: by an administrator, or a recovered password. */
  lift(tx: Tx, subject: string): Promise<void>;
  /** Until when these subjects are locked; those that are not are left out. */
  readLocks(subjects: readonly string[]): Promise<Map<string, Instant>>;
  /** One batch of housekeeping. */
  removeOld(): Promise<void>;
}

export function createLockouts(deps: { database: Database; store: LockoutStore; clock: Clock }): Lockouts {
  const { database, store, clock } = deps;

  async function change(tx: Tx, subject: string, next: (state: LockoutState, now: Instant) => LockoutState) {
    const now = clock.now();
    const { touchedAt, ...claimed } = await store.claim(tx.sql, subject, now);
    const state = next(forgetAbandoned(claimed, touchedAt, now), now);
    await store.save(tx.sql, subject, state, now);
    return state;
  }

  async function giveBack(tx: Tx, subject: string) {
    await change(tx, subject, (state) => ({ ...state, pending: Math.max(0, state.pending - 1) }));
  }

  async function tryToReserve(tx: Tx, subject: string, policy: LockoutPolicy): Promise<Reservation> {
    const now = clock.now();
    const { touchedAt, ...claimed } = await store.claim(tx.sql, subject, now);
    const state = forgetAbandoned(claimed, touchedAt, now);
    const reservation = judgeReservation(state, policy, now);
    if (reservation.outcome === 'reserved') {
      await store.save(tx.sql, subject, { ...state, pending: state.pending + 1 }, now);
    }
    return reservation;
  }

  return {
    async reserve(subject, policy) {
      const deadline = clock.elapsed() + PATIENCE_SECONDS * 1000;
      for (let waitMs = RETRY_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_RETRY_MS)) {
        // Not durable: where the machine fails, so does every check under way, and none of them is answered.
        const reservation = await database.transaction((tx) => tryToReserve(tx, subject, policy), { durable: false });
        if (reservation.outcome === 'reserved') return null;
        if (reservation.outcome === 'locked') return reservation.until;
        if (clock.elapsed() >= deadline) throw serviceErrors.unavailable({ retryAfterSeconds: 1 });
        await clock.sleep(waitMs);
      }
    },
    async fail(tx, subject, policy) {
      return (await change(tx, subject, (state, now) => afterFailure(state, policy, now))).lockedUntil;
    },
    async succeed(tx, subject) {
      await change(tx, subject, afterSuccess);
    },
    giveBack,
    release: (subject) => database.transaction((tx) => giveBack(tx, subject)),
    async lift(tx, subject) {
      await change(tx, subject, () => ({ failures: 0, streak: 0, pending: 0, lockedUntil: null }));
    },
    readLocks: (subjects) => store.readLocks(subjects, clock.now()),
    removeOld: () => store.removeUnknown(addSeconds(clock.now(), -UNKNOWN_KEPT_SECONDS), REMOVAL_BATCH),
  };
}
