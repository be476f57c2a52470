// A shared transaction of PostgreSQL: the work of several callers, its members, with one statement for all of them.
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type pg from 'pg';
import type { Clock } from '../foundation/clock.ts';
import { AuthError } from '../foundation/errors.ts';
import { oncePerTurn } from '../foundation/turn.ts';
import { toOutage } from './failures.ts';
import type { PostgresPool } from './postgres.ts';
import type { Combinations, ForMany } from './statement-for-many.ts';

/** How long a transaction with several members waits for a lock. Only the member that needs the lock waits for longer, alone. */
const LOCK_TIMEOUT_MS = 100;

/** Members run alone only if their transaction fails within this time, so that callers are answered in 2 s. */
const RUN_ALONE_WITHIN_MS = 500;

/** The work of a member had no effect. It must run again, in a transaction of its own. */
export class RunAlone extends Error {}

type Rows = pg.QueryResult['rows'];

type Result = { rows: Rows; numAffectedRows: bigint };

/** A statement that a member runs. */
type Queued = PromiseWithResolvers<Result> & { readonly member: Member; readonly query: CompiledQuery };

/** The connection of a member. */
export type Member = DatabaseConnection & {
  readonly shared: SharedTransaction;
  /** Only the rollback of the whole transaction undoes its work. */
  hasWritten: boolean;
  /** Statements without a result so far. */
  pending: number;
  mustRunAlone: boolean;
};

export interface SharedTransaction {
  /** Returns how many members have joined. */
  size(): number;
  join(): Member;
  /** Runs the transaction from its beginning to its end. Never rejects. */
  run(): Promise<void>;
  /** Resolves when the transaction has begun. @throws RunAlone, or AuthError `service.unavailable`. */
  readonly begun: Promise<unknown>;
  /** Resolves when the work of the member is committed. Rejects as `begun` does. */
  commit(member: Member): Promise<void>;
  /** Ends the member without its work. Resolves when the rejection of the work stands. Rejects as `begun` does. */
  rollBack(member: Member): Promise<void>;
}

/** @param deps `find` knows how to combine statements. */
export function createSharedTransaction(deps: {
  pool: PostgresPool;
  find: Combinations['find'];
  clock: Pick<Clock, 'elapsed'>;
}): SharedTransaction {
  const { pool, find, clock } = deps;
  const openedAt = clock.elapsed();
  const begun = Promise.withResolvers<pg.PoolClient>();
  /** All members have ended, or the transaction has failed. */
  const settled = Promise.withResolvers<void>();
  const committed = Promise.withResolvers<void>();
  // A rejection that no member awaits must not end the process.
  begun.promise.catch(() => {});
  committed.promise.catch(() => {});
  const queue: Queued[] = [];
  const sendAfterThisTurn = oncePerTurn(send, fail);
  let size = 0;
  /** Members that have not ended. */
  let open = 0;
  /** Whether a member commits. */
  let isKept = false;
  /** Whether the connection is lost. */
  let isBroken = false;
  /** Why no member commits. */
  let failure: unknown;

  async function run() {
    let client: pg.PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      begun.reject(error);
      return;
    }
    try {
      await pool.command(client, size > 1 ? `begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}` : 'begin');
      begun.resolve(client);
    } catch (error) {
      isBroken = true;
      fail(error);
      begun.reject(failure);
    }
    await settled.promise;
    try {
      // The database rolls back when it loses the connection.
      if (!isBroken) await pool.command(client, isKept && failure === undefined ? 'commit' : 'rollback');
    } catch (error) {
      isBroken = true;
      // The database may have committed, so no member runs again.
      failure ??= error;
    }
    client.release(isBroken);
    if (failure === undefined) committed.resolve();
    else committed.reject(failure);
  }

  function fail(error: unknown) {
    if (failure !== undefined) return;
    const isLate = clock.elapsed() - openedAt >= RUN_ALONE_WITHIN_MS;
    // The failure may be that of another member.
    failure = isLate ? toOutage(error) : new RunAlone('', { cause: error });
    for (const { reject } of queue.splice(0)) reject(failure);
    settled.resolve();
  }

  async function send() {
    const statements = queue.splice(0);
    const runs = Map.groupBy(statements, ({ query }) => query.sql);
    try {
      await Promise.all([...runs.values()].map(sendRuns));
    } catch (error) {
      // A statement could not be combined: no caller may wait for it forever.
      fail(error);
      for (const { reject } of statements) reject(failure);
    }
  }

  /** Sends runs of one statement: as one, or one after the other. */
  async function sendRuns(queued: readonly Queued[]) {
    const combine = size > 1 ? find(queued[0]?.query.sql ?? '') : undefined;
    const forMany = combine?.(queued.map(({ query }) => query.parameters));
    if (!forMany) {
      await Promise.all(queued.map((one) => settle(one, query(one.query, toResult))));
      return;
    }
    const all = queryForMany(forMany);
    await Promise.all(queued.map((one, place) => settle(one, takeRows(all, one.member, place))));
  }

  /** Returns the rows of each caller. `undefined`: the caller may have to wait for its row. */
  async function queryForMany(forMany: ForMany): Promise<(Rows | undefined)[]> {
    const assigned = await query(forMany, ({ rows }) => forMany.assign(rows));
    if (!forMany.findMatching || !assigned.includes(undefined)) return assigned;
    const matching = await query(forMany.findMatching, ({ rows }) => forMany.assign(rows));
    return assigned.map((rows, place) => rows ?? (matching[place] ? undefined : []));
  }

  async function takeRows(all: Promise<(Rows | undefined)[]>, member: Member, place: number): Promise<Result> {
    const rows = (await all)[place];
    member.mustRunAlone ||= !rows;
    if (!rows) throw new RunAlone();
    return { rows, numAffectedRows: BigInt(rows.length) };
  }

  async function settle({ member, query: { query: node }, resolve, reject }: Queued, result: Promise<Result>) {
    try {
      const read = await result;
      const hasChanged = node.kind === 'UpdateQueryNode' ? read.numAffectedRows > 0 : node.kind !== 'SelectQueryNode';
      member.hasWritten ||= hasChanged;
      resolve(read);
    } catch (error) {
      reject(error);
    }
    member.pending -= 1;
  }

  /** Runs a statement. Its failure is that of all members. */
  async function query<Read>(
    { sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>,
    read: (result: pg.QueryResult) => Read,
  ): Promise<Read> {
    try {
      return read(await pool.query(await begun.promise, sql, parameters));
    } catch (error) {
      isBroken ||= error instanceof AuthError;
      fail(error);
      throw failure;
    }
  }

  function end({ pending }: Member) {
    // A statement that the work has not awaited must not run in what the others commit, or after it.
    if (size > 1 && pending > 0) fail(new RunAlone());
    open -= 1;
    if (open === 0) settled.resolve();
  }

  const shared: SharedTransaction = {
    size: () => size,
    join() {
      size += 1;
      open += 1;
      const member: Member = {
        shared,
        hasWritten: false,
        pending: 0,
        mustRunAlone: false,
        async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
          if (failure !== undefined) throw failure;
          const queued: Queued = { member, query, ...Promise.withResolvers<Result>() };
          queue.push(queued);
          member.pending += 1;
          if (size > 1) sendAfterThisTurn();
          else void send();
          return queued.promise;
        },
        streamQuery: () => {
          throw new Error('Streaming is not supported.');
        },
      };
      return member;
    },
    run,
    begun: begun.promise,
    async commit(member) {
      if (member.mustRunAlone) throw new RunAlone();
      isKept = true;
      end(member);
      await committed.promise;
    },
    async rollBack(member) {
      if (size > 1 && member.hasWritten) fail(new RunAlone());
      end(member);
      // What made the work reject is true only if the transaction commits what the other members have written.
      if (!member.mustRunAlone) await committed.promise;
    },
  };
  return shared;
}

const toResult = ({ rows, rowCount }: pg.QueryResult): Result => ({ rows, numAffectedRows: BigInt(rowCount ?? 0) });
