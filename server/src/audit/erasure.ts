// Erasure: takes the personal data of an account out of the trail in small steps, which outlast a crash. Actions, times and
// hashes stay.
import { addSeconds, type Clock } from '../foundation/clock.ts';
import type { Occurrence } from '../foundation/events.ts';
import { createTurnEnd } from '../foundation/turn.ts';
import type { Database, Tx } from '../storage/database.ts';
import { ERASURE, splitDetails } from './chain.ts';
import { erasureActions } from './declarations.ts';
import type { Act, ErasureStore, RunningErasure } from './store.erasure.sql.ts';
import type { Place } from './store.sql.ts';
import type { AuditTrail } from './trail.ts';

/** Entries of one transaction: on SQLite it blocks others for a few milliseconds. */
const BATCH = 50;

/** Acts of administrators that are searched in one statement, and statements of one run of the job, for all erasures. */
const SEARCHED = 200;
const SEARCHES = 100;

/** Erasures that are listed at once. */
const ERASURES = 20;

/** So long after an account was deleted, a transaction or a count of repetitions may still write an entry about it. */
const LATE_SECONDS = 300;

/**
 * So long after, a node that was without the database may still do so, and applications are told of its sign-outs. It must exceed the sum
 * of `WAITS` in `sign-outs/sign-out.ts`, each of them at its longest.
 */
const LAST_SECONDS = 129_600;

export interface AuditErasure {
  /** Records the erasure in the transaction that deletes the account. @returns the number of the entry that tells of it. */
  begin(tx: Tx, accountId: number, told: Pick<Occurrence, 'origin' | 'details'>): Promise<number>;
  /** Whether the trail has entries about an account that no erasure empties. It may have been deleted. */
  isKnown(tx: Tx, accountId: number): Promise<boolean>;
  /** Empties the entries about an account whose erasure has begun, up to the entry that tells of it. */
  emptyEntries(accountId: number, entryId: number): Promise<void>;
  /**
   * Goes on with all erasures, as far as one run of a job may.
   * @param removeLate removes what was written late outside the trail, minutes later and then, lastly, a day and a half later, in a
   * transaction in which no import can give the number of the account again. It returns whether one has done so before.
   */
  goOn(removeLate: (tx: Tx, accountId: number, when: 'later' | 'lastly') => Promise<boolean>): Promise<void>;
}

/** A search through the acts of all administrators, which outlasts a run of the job. */
type Search = {
  /** The erasures that waited when it began, by their accounts. Those that begin later wait for the next search. */
  readonly erasures: Map<number, RunningErasure>;
  /** The newest of them. */
  readonly newest: number;
  /** The last searched entry. */
  after: number;
};

export function createAuditErasure(deps: {
  database: Database;
  store: ErasureStore;
  audit: Pick<AuditTrail, 'record'>;
  clock: Clock;
}): AuditErasure {
  const { database, store, audit, clock } = deps;
  /** After a restart, it begins again. */
  let search = beginSearch([]);
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

  /**
   * Takes accounts out of the entries of what they did, as far as one run may. An entry is read once for all that wait.
   * @param onFailure receives why one of them has to wait for the next run.
   */
  async function emptyActs(waiting: readonly RunningErasure[], onFailure: (error: unknown) => void) {
    const unchained = await store.findUnchained();
    // Only the chained ones can be found quickly.
    const isChained = ({ entryId }: RunningErasure) => unchained === undefined || entryId <= unchained;
    const left = new Map(waiting.filter(isChained).map((erasure) => [erasure.accountId, erasure]));
    const leave = ({ accountId }: RunningErasure) => {
      left.delete(accountId);
      search.erasures.delete(accountId);
    };
    // Another node has done it, or the number was erased again.
    for (const { accountId, entryId } of search.erasures.values())
      if (left.get(accountId)?.entryId !== entryId) search.erasures.delete(accountId);
    for (let searches = 0; searches < SEARCHES && left.size > 0; searches += 1) {
      if (search.erasures.size === 0) search = beginSearch([...left.values()]);
      await endOfTurn();
      const acts = await store.readActs(search.after, search.newest, SEARCHED);
      for (const [erasure, own] of findOwn(acts, search.erasures)) {
        const emptied = inStep(async (tx) => {
          for (const { act, kept } of own) await store.emptyAct(tx.sql, act, kept, erasure.accountId);
        });
        await emptied.catch((error) => {
          leave(erasure);
          onFailure(error);
        });
      }
      search.after = acts.at(-1)?.id ?? search.after;
      if (acts.length === SEARCHED) continue;
      for (const erasure of search.erasures.values()) {
        await store.setStep(erasure, 2);
        leave(erasure);
      }
    }
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
      const failures: unknown[] = [];
      const onFailure = (error: unknown) => void failures.push(error);
      async function forEach(work: (erasure: RunningErasure) => Promise<unknown>) {
        let after: RunningErasure | undefined;
        do {
          const listed = await store.list({ late, last }, after, ERASURES);
          for (const erasure of listed) {
            await endOfTurn();
            // One that fails does not hold up the others.
            await work(erasure).catch(onFailure);
          }
          after = listed.length < ERASURES ? undefined : listed.at(-1);
        } while (after);
      }
      const waiting: RunningErasure[] = [];
      await forEach(async (erasure) => {
        if (erasure.step === 0) {
          await emptyEntries(erasure.accountId, erasure.entryId);
          await store.setStep(erasure, 1);
        }
        if (erasure.step < 2) waiting.push(erasure);
      });
      await emptyActs(waiting, onFailure).catch(onFailure);
      const emptied: RunningErasure[] = [];
      await forEach(async (erasure) => {
        if (erasure.step < 2 || erasure.erasedAt > late) return;
        await emptyLate(erasure, removeLate);
        emptied.push(erasure);
      });
      await endSteps(emptied);
      if (failures.length > 0) throw failures[0];
    },
  };
}

function beginSearch(erasures: readonly RunningErasure[]): Search {
  const newest = erasures.reduce((found, { entryId }) => Math.max(found, entryId), 0);
  return { erasures: new Map(erasures.map((erasure) => [erasure.accountId, erasure])), newest, after: 0 };
}

/** Returns the acts of erased accounts from before their erasures, with the details that stay. */
function findOwn(acts: readonly Act[], erasures: Search['erasures']) {
  const own = acts.flatMap((act) => {
    const { own: kept, byId = 0 } = splitDetails(act.details);
    const erasure = erasures.get(byId);
    return erasure && kept !== null && act.id < erasure.entryId ? [{ erasure, act, kept }] : [];
  });
  return Map.groupBy(own, ({ erasure }) => erasure);
}
