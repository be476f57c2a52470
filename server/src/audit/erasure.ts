// Erasure: takes the personal data of an account out of the trail in small steps, which outlast a crash. Actions, times and
// hashes stay.
import { addSeconds, type Clock } from '../foundation/clock.ts';
import type { Occurrence } from '../foundation/events.ts';
import { createTurnEnd } from '../foundation/turn.ts';
import type { Database, Tx } from '../storage/database.ts';
import { ERASURE, splitDetails } from './chain.ts';
import { erasureActions } from './declarations.ts';
import type { ErasureStore, RunningErasure } from './store.erasure.sql.ts';
import type { Place } from './store.sql.ts';
import type { AuditTrail } from './trail.ts';

/** Entries of one transaction: on SQLite it blocks others for a few milliseconds. */
const BATCH = 50;

/** Entries that are searched in one statement, and statements of one run of the job, for all erasures. */
const SEARCHED = 200;
const SEARCHES = 100;

/** Erasures that are listed at once. */
const ERASURES = 20;

/** So long after an account was deleted, a transaction or a count of repetitions may still write an entry about it. */
const LATE_SECONDS = 300;

/** So long after, a node that was without the database may still do so. */
const LAST_SECONDS = 86_400;

export interface AuditErasure {
  /** Records the erasure in the transaction that deletes the account. @returns the number of the entry that tells of it. */
  begin(tx: Tx, accountId: number, told: Pick<Occurrence, 'origin' | 'details'>): Promise<number>;
  /** Whether the trail has entries about an account that no erasure empties. It may have been deleted. */
  isKnown(tx: Tx, accountId: number): Promise<boolean>;
  /** Empties the entries about an account whose erasure has begun, up to the entry that tells of it. */
  emptyEntries(accountId: number, entryId: number): Promise<void>;
  /**
   * Goes on with all erasures, as far as one run of a job may.
   * @param removeLate removes what was written late outside the trail, minutes later and then, lastly, a day later, in a transaction in
   * which no import can give the number of the account again. It returns whether one has done so before.
   */
  goOn(removeLate: (tx: Tx, accountId: number, when: 'later' | 'lastly') => Promise<boolean>): Promise<void>;
}

/** What a run of the job has done. */
type Run = { searches: number };

export function createAuditErasure(deps: {
  database: Database;
  store: ErasureStore;
  audit: Pick<AuditTrail, 'record'>;
  clock: Clock;
}): AuditErasure {
  const { database, store, audit, clock } = deps;
  /** The last searched entry of erasures. After a restart, the search begins again. */
  const searched = new Map<number, number>();
  const endOfTurn = createTurnEnd();
  /** The row of the erasure is durable, so a lost step is done again. */
  const inStep = <Result>(work: (tx: Tx) => Promise<Result>) => database.transaction(work, { durable: false });

  async function emptyEntries(accountId: number, newest: number) {
    let after: Place | undefined;
    do {
      const place = after;
      after = await inStep((tx) =>
        store.emptyEntries(tx.sql, { accountId, after: place, action: ERASURE, newest }, BATCH),
      );
    } while (after);
  }

  /** Takes the account out of the entries of what it did. @param run counts its searches. @returns whether all are done. */
  async function emptyActs({ accountId, entryId }: RunningErasure, run: Run): Promise<boolean> {
    // Only the chained ones can be found quickly.
    if (await store.hasUnchainedBefore(entryId)) return false;
    for (; run.searches < SEARCHES; run.searches += 1) {
      await endOfTurn();
      const acts = await store.readActs(searched.get(accountId) ?? 0, entryId, SEARCHED);
      const own = acts.flatMap((act) => {
        const { own: kept, byId } = splitDetails(act.details);
        return byId === accountId && kept !== null ? [{ act, kept }] : [];
      });
      if (own.length > 0) {
        await inStep(async (tx) => {
          for (const { act, kept } of own) await store.emptyAct(tx.sql, act, kept, accountId);
        });
      }
      const last = acts.at(-1);
      if (last) searched.set(accountId, last.id);
      if (acts.length < SEARCHED) return true;
    }
    return false;
  }

  /** Empties the entries from before the erasure. @returns whether all are done. */
  async function emptyKnown(erasure: RunningErasure, run: Run): Promise<boolean> {
    const { accountId, entryId, step } = erasure;
    if (step === 0) {
      await emptyEntries(accountId, entryId);
      await store.setStep(erasure, 1);
    }
    if (step < 2) {
      if (!(await emptyActs(erasure, run))) return false;
      searched.delete(accountId);
      await store.setStep(erasure, 2);
    }
    return true;
  }

  /** Removes what was written late, and the key, unless the number is that of a new account. */
  async function emptyLate(erasure: RunningErasure, removeLate: Parameters<AuditErasure['goOn']>[0]) {
    const { accountId, entryId, step } = erasure;
    await emptyEntries(accountId, entryId);
    await database.transaction(async (tx) => {
      const isReused = await removeLate(tx, accountId, step < 3 ? 'later' : 'lastly');
      if (isReused || !(await store.isRunning(tx.sql, erasure))) return;
      // In one transaction with the look for a new account. The rest is empty already, so it looks at few entries.
      let after: Place | undefined = { at: addSeconds(erasure.erasedAt, -LAST_SECONDS), id: 0 };
      while (after) {
        const range = { accountId, after, action: ERASURE, newest: Number.MAX_SAFE_INTEGER };
        after = await store.emptyEntries(tx.sql, range, BATCH);
      }
      await store.deleteKey(tx.sql, accountId);
    });
  }

  /** Ends these steps last, so that a crash or a reader of an older state leaves them for the next run. */
  async function endSteps(emptied: readonly RunningErasure[]) {
    if (emptied.length === 0 || !(await database.forgetDeleted())) return;
    for (const erasure of emptied) await (erasure.step < 3 ? store.setStep(erasure, 3) : store.end(erasure));
  }

  return {
    async begin(tx, accountId, told) {
      const user = { id: accountId, name: null };
      await audit.record(tx, { action: erasureActions.erased, outcome: 'success', user, ...told });
      return store.begin(tx.sql, accountId, ERASURE, clock.now());
    },

    isKnown: (tx, accountId) => store.isKnown(tx.sql, accountId, ERASURE),

    emptyEntries,

    async goOn(removeLate) {
      await store.correctTimes(clock.now());
      const late = addSeconds(clock.now(), -LATE_SECONDS);
      const last = addSeconds(clock.now(), -LAST_SECONDS);
      const run: Run = { searches: 0 };
      const emptied: RunningErasure[] = [];
      const failures: unknown[] = [];
      let after: RunningErasure | undefined;
      do {
        const listed = await store.list({ late, last }, after, ERASURES);
        for (const erasure of listed) {
          try {
            if (!(await emptyKnown(erasure, run)) || erasure.erasedAt > late) continue;
            await emptyLate(erasure, removeLate);
            emptied.push(erasure);
          } catch (error) {
            // It does not hold up the others.
            failures.push(error);
          }
        }
        after = listed.length < ERASURES ? undefined : listed.at(-1);
      } while (after);
      await endSteps(emptied);
      if (failures.length > 0) throw failures[0];
    },
  };
}
