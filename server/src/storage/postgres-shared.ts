// Shared transactions of PostgreSQL: work of several callers in one transaction, with one statement for all of them.
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import type pg from 'pg';
import type { Clock } from '../foundation/clock.ts';
import { AuthError, serviceErrors } from '../foundation/errors.ts';
import { oncePerTurn } from '../foundation/turn.ts';
import type { PostgresPool } from './postgres.ts';
import type { Combinations, ForMany } from './statement-for-many.ts';

/** The most members of a shared transaction. */
const MAX_MEMBERS = 64;

/** How long a shared transaction waits for a lock. Only the member that needs the lock waits for longer, alone. */
const LOCK_TIMEOUT_MS = 100;

/** A shared transaction that lasts longer does not hold up the next one, so that callers are answered in 2 s. */
const HOLD_UP_MS = 300;

/** For the same reason, members run alone only if their transaction fails within this time. */
const RUN_ALONE_WITHIN_MS = 500;

/** The work of a member had no effect. It must run again, in a transaction of its own. */
export class RunAlone extends Error {}

type Rows = pg.QueryResult['rows'];

type Result = { rows: Rows; numAffectedRows: bigint };

/** A statement that a member runs. */
type Queued = PromiseWithResolvers<Result> & { readonly member: Member; readonly query: CompiledQuery };

type Shared = {
  members: number;
  /** Members that have not ended. */
  open: number;
  readonly openedAt: number;
  /** Whether a member commits. */
  isKept: boolean;
  /** Whether the connection is lost. */
  isBroken: boolean;
  /** Why no member commits. */
  failure: unknown;
  queue: Queued[];
  readonly sendAfterThisTurn: () => void;
  readonly begun: PromiseWithResolvers<pg.PoolClient>;
  /** All members have ended, or the transaction has failed. */
  readonly settled: PromiseWithResolvers<void>;
  readonly committed: PromiseWithResolvers<void>;
};

/** The connection of a member. */
type Member = DatabaseConnection & {
  readonly shared: Shared;
  /** Only the rollback of the whole transaction undoes its work. */
  hasWritten: boolean;
  mustRunAlone: boolean;
};

/**
 * Returns a driver whose transactions are members of shared ones. The transactions of one event-loop turn begin and commit
 * together, with those that came while the previous one was under way. Statements that members run in the same turn are sent
 * as one.
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
  const waiting: Shared[] = [];
  let underWay: Shared | undefined;
  const departAfterThisTurn = oncePerTurn(
    async () => depart(),
    () => {},
  );

  function depart() {
    const next = underWay ? undefined : waiting.shift();
    if (!next) return;
    underWay = next;
    const free = () => {
      if (underWay !== next) return;
      underWay = undefined;
      depart();
    };
    void carry(next).finally(free);
    void clock.sleep(HOLD_UP_MS).then(free);
  }

  function join(): Shared {
    const last = waiting.at(-1);
    const shared = last && last.members < MAX_MEMBERS ? last : open();
    shared.members += 1;
    shared.open += 1;
    departAfterThisTurn();
    return shared;
  }

  function open(): Shared {
    const shared: Shared = {
      members: 0,
      open: 0,
      openedAt: clock.elapsed(),
      isKept: false,
      isBroken: false,
      failure: undefined,
      queue: [],
      sendAfterThisTurn: oncePerTurn(
        () => send(shared),
        (error) => fail(shared, error),
      ),
      begun: Promise.withResolvers(),
      settled: Promise.withResolvers(),
      committed: Promise.withResolvers(),
    };
    // A rejection that no member awaits must not end the process.
    shared.begun.promise.catch(() => {});
    shared.committed.promise.catch(() => {});
    waiting.push(shared);
    return shared;
  }

  /** Runs the transaction from its beginning to its end. */
  async function carry(shared: Shared) {
    let client: pg.PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      shared.begun.reject(error);
      return;
    }
    try {
      await pool.command(client, `begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      shared.begun.resolve(client);
    } catch (error) {
      shared.isBroken = true;
      fail(shared, error);
      shared.begun.reject(shared.failure);
    }
    await shared.settled.promise;
    try {
      const end = shared.isKept && shared.failure === undefined ? 'commit' : 'rollback';
      // The database rolls back when it loses the connection.
      if (!shared.isBroken) await pool.command(client, end);
    } catch (error) {
      shared.isBroken = true;
      shared.failure ??= error;
    }
    client.release(shared.isBroken);
    if (shared.failure === undefined) shared.committed.resolve();
    else shared.committed.reject(shared.failure);
  }

  function fail(shared: Shared, error: unknown) {
    if (shared.failure !== undefined) return;
    const isLate = clock.elapsed() - shared.openedAt >= RUN_ALONE_WITHIN_MS;
    shared.failure = isLate ? toOutage(error) : new RunAlone('', { cause: error });
    for (const { reject } of shared.queue.splice(0)) reject(shared.failure);
    shared.settled.resolve();
  }

  async function send(shared: Shared) {
    const runs = Map.groupBy(shared.queue.splice(0), ({ query }) => query.sql);
    await Promise.all([...runs.values()].map((queued) => sendRuns(shared, queued)));
  }

  /** Sends runs of one statement: as one, or one after the other. */
  async function sendRuns(shared: Shared, queued: readonly Queued[]) {
    const text = queued[0]?.query.sql ?? '';
    const combine = shared.members > 1 ? find(text) : undefined;
    const forMany = combine?.(queued.map(({ query }) => query.parameters));
    if (!forMany) {
      await Promise.all(queued.map((one) => settle(one, run(shared, one.query, toResult))));
      return;
    }
    const all = runForMany(shared, forMany);
    await Promise.all(queued.map((one, place) => settle(one, takeRows(all, one.member, place))));
  }

  /** Returns the rows of each caller. `undefined`: the caller may have to wait for its row. */
  async function runForMany(shared: Shared, forMany: ForMany): Promise<(Rows | undefined)[]> {
    const assigned = await run(shared, forMany, ({ rows }) => forMany.assign(rows));
    if (!forMany.findMatching || !assigned.includes(undefined)) return assigned;
    const matching = await run(shared, forMany.findMatching, ({ rows }) => forMany.assign(rows));
    return assigned.map((rows, place) => rows ?? (matching[place] ? undefined : []));
  }

  async function takeRows(all: Promise<(Rows | undefined)[]>, member: Member, place: number): Promise<Result> {
    const rows = (await all)[place];
    member.mustRunAlone = !rows;
    if (!rows) throw new RunAlone();
    return { rows, numAffectedRows: BigInt(rows.length) };
  }

  async function settle({ member, query, resolve, reject }: Queued, result: Promise<Result>) {
    try {
      const read = await result;
      const { kind } = query.query;
      const hasChanged = kind === 'UpdateQueryNode' ? read.numAffectedRows !== 0n : kind !== 'SelectQueryNode';
      member.hasWritten ||= hasChanged;
      resolve(read);
    } catch (error) {
      reject(error);
    }
  }

  /** Runs a statement. Its failure is that of all members. */
  async function run<Read>(
    shared: Shared,
    { sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>,
    read: (result: pg.QueryResult) => Read,
  ): Promise<Read> {
    try {
      return read(await pool.query(await shared.begun.promise, sql, parameters));
    } catch (error) {
      shared.isBroken ||= error instanceof AuthError;
      fail(shared, error);
      throw shared.failure;
    }
  }

  function connect(): Member {
    const shared = join();
    const member: Member = {
      shared,
      hasWritten: false,
      mustRunAlone: false,
      async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
        if (shared.failure !== undefined) throw shared.failure;
        const queued: Queued = { member, query, ...Promise.withResolvers<Result>() };
        shared.queue.push(queued);
        if (shared.members > 1) shared.sendAfterThisTurn();
        else void send(shared);
        return queued.promise;
      },
      streamQuery: () => {
        throw new Error('Streaming is not supported.');
      },
    };
    return member;
  }

  function end(shared: Shared) {
    shared.open -= 1;
    if (shared.open === 0) shared.settled.resolve();
  }

  return {
    init: async () => {},
    acquireConnection: async () => connect(),
    async beginTransaction({ shared }: Member) {
      await shared.begun.promise;
    },
    async commitTransaction({ shared, mustRunAlone }: Member) {
      if (mustRunAlone) throw new RunAlone();
      shared.isKept = true;
      end(shared);
      await shared.committed.promise;
    },
    async rollbackTransaction({ shared, hasWritten, mustRunAlone }: Member) {
      if (shared.members > 1 && hasWritten) fail(shared, new RunAlone());
      end(shared);
      // What made the work reject is true only if the transaction commits what the other members have written.
      if (!mustRunAlone) await shared.committed.promise;
    },
    releaseConnection: async () => {},
    destroy: async () => {},
  };
}

/** The failure may be that of another member. */
const toOutage = (error: unknown) =>
  error instanceof AuthError ? error : serviceErrors.unavailable({ retryAfterSeconds: 1, cause: error });

const toResult = ({ rows, rowCount }: pg.QueryResult): Result => ({ rows, numAffectedRows: BigInt(rowCount ?? 0) });
