// Erasure: takes the personal data of an account out of the trail in small steps, which outlast a crash. Actions, times and
// hashes stay.
import { addSeconds, type Clock } from '../foundation/clock.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { Database, Tx } from '../storage/database.ts';
import { ERASURE, splitDetails } from './chain.ts';
import { erasureActions } from './declarations.ts';
import type { ErasureStore, RunningErasure } from './store.erasure.sql.ts';
import type { Place } from './store.sql.ts';
import type { AuditTrail } from './trail.ts';

/** Entries of one transaction: on SQLite it blocks others for a few milliseconds. */
const BATCH = 50;

/** Entries that are searched in one statement, and statements of one run of the job. */
const SEARCHED = 200;
const SEARCHES = 100;

/** Erasures of one run of the job. */
const ERASURES = 20;

/** So long after an account was deleted, a transaction or a count of repetitions may still write an entry about it. */
const LATE_SECONDS = 300;

export interface AuditErasure {
  /** Records the erasure in the transaction that deletes the account. */
  begin(tx: Tx, accountId: number, told: Pick<Occurrence, 'origin' | 'details'>): Promise<void>;
  /** Empties the entries about an account whose erasure has begun. */
  emptyEntries(accountId: number): Promise<void>;
  /**
   * Goes on with all erasures, as far as one run of a job may.
   * @param removeLate runs when nothing about the account can be written any more, and removes what was written late outside
   * the trail. It returns whether an import has given the number of the account again.
   */
  goOn(removeLate: (accountId: number) => Promise<boolean>): Promise<void>;
}

export function createAuditErasure(deps: {
  database: Database;
  store: ErasureStore;
  audit: Pick<AuditTrail, 'record'>;
  clock: Clock;
}): AuditErasure {
  const { database, store, audit, clock } = deps;
  /** The last searched entry of erasures. After a restart, the search begins again. */
  const searched = new Map<number, number>();
  /** The row of the erasure is durable, so a lost step is done again. */
  const inStep = <Result>(work: (tx: Tx) => Promise<Result>) => database.transaction(work, { durable: false });

  async function emptyEntries(accountId: number, newest = Number.MAX_SAFE_INTEGER) {
    let after: Place | undefined;
    do {
      const place = after;
      after = await inStep((tx) =>
        store.emptyEntries(tx.sql, { accountId, after: place, action: ERASURE, newest }, BATCH),
      );
    } while (after);
  }

  /** Takes the account out of the entries of what it did. @returns whether all are done. */
  async function emptyActs({ accountId, entryId }: RunningErasure): Promise<boolean> {
    // Only the chained ones can be found quickly.
    if (await store.hasUnchainedBefore(entryId)) return false;
    for (let search = 0; search < SEARCHES; search += 1) {
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

  return {
    async begin(tx, accountId, told) {
      const user = { id: accountId, name: null };
      await audit.record(tx, { action: erasureActions.erased, outcome: 'success', user, ...told });
      await store.begin(tx.sql, accountId, ERASURE, clock.now());
    },

    emptyEntries: (accountId) => emptyEntries(accountId),

    async goOn(removeLate) {
      const lateBefore = addSeconds(clock.now(), -LATE_SECONDS);
      for (const erasure of await store.list(lateBefore, ERASURES)) {
        const { accountId, entryId, erasedAt } = erasure;
        if (erasure.step === 0) {
          await emptyEntries(accountId, entryId);
          await store.setStep(erasure, 1);
        }
        if (erasure.step < 2) {
          if (!(await emptyActs(erasure))) continue;
          searched.delete(accountId);
          await store.setStep(erasure, 2);
        }
        if (erasedAt > lateBefore) continue;
        const isReused = await removeLate(accountId);
        await emptyEntries(accountId, isReused ? entryId : undefined);
        if (!(await database.forgetDeleted())) continue;
        await database.transaction((tx) => store.end(tx.sql, erasure, !isReused));
      }
    },
  };
}
