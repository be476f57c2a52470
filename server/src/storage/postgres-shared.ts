// Shared transactions of PostgreSQL: one for the callers of an event-loop turn, and for callers that come while another one runs.
import type { Driver } from 'kysely';
import type { Clock } from '../foundation/clock.ts';
import { oncePerTurn } from '../foundation/turn.ts';
import type { PostgresPool } from './postgres.ts';
import { createSharedTransaction, type Member, type SharedTransaction } from './shared-transaction.ts';
import type { Combinations } from './statement-for-many.ts';

/** The most members of a shared transaction. */
const MAX_MEMBERS = 64;

/** No shared transaction waits longer for others, however many there are, so that callers are answered in 2 s. */
const HOLD_UP_MS = 300;

/**
 * Returns a driver whose transactions are members of shared ones. The transactions of one event-loop turn begin and commit
 * together, with the transactions that came while the previous shared one was under way. Statements that members run in the
 * same turn are sent as one.
 * - A member that rejects and has changed nothing leaves the others alone. Its rejection stands if the others commit.
 * - A member whose row another transaction has locked rejects with `RunAlone` at once.
 * - If a member rejects after a change, or a statement fails, the whole transaction is rolled back, and all members reject with
 *   `RunAlone`. A failed commit is not repeated, because the database may have committed.
 */
export function createSharingDriver(
  pool: PostgresPool,
  { find }: Combinations,
  clock: Pick<Clock, 'elapsed' | 'sleep'>,
): Driver {
  /** In the order in which they opened. */
  const waiting: SharedTransaction[] = [];
  let underWay: SharedTransaction | undefined;
  const departAfterThisTurn = oncePerTurn(
    async () => departNext(),
    () => {},
  );

  function departNext() {
    const [next] = waiting;
    if (next && !underWay) depart(next);
  }

  function depart(next: SharedTransaction) {
    waiting.splice(waiting.indexOf(next), 1);
    underWay = next;
    void next.run().then(() => {
      if (underWay !== next) return;
      underWay = undefined;
      departNext();
    });
  }

  function open(): SharedTransaction {
    const opened = createSharedTransaction({ pool, find, clock });
    waiting.push(opened);
    void clock.sleep(HOLD_UP_MS).then(() => waiting.includes(opened) && depart(opened));
    departAfterThisTurn();
    return opened;
  }

  function join(): Member {
    const last = waiting.at(-1);
    const shared = last && last.size() < MAX_MEMBERS ? last : open();
    return shared.join();
  }

  return {
    init: async () => {},
    acquireConnection: async () => join(),
    async beginTransaction({ shared }: Member) {
      await shared.begun;
    },
    commitTransaction: (member: Member) => member.shared.commit(member),
    rollbackTransaction: (member: Member) => member.shared.rollBack(member),
    releaseConnection: async () => {},
    destroy: async () => {},
  };
}
