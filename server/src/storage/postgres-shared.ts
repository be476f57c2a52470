// Shared transactions of PostgreSQL: the transactions of one event-loop turn are one, with one statement for all of them.
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import type pg from 'pg';
import type { Clock } from '../foundation/clock.ts';
import { AuthError } from '../foundation/errors.ts';
import { oncePerTurn } from '../foundation/turn.ts';
import type { PostgresPool } from './postgres.ts';
import type { Combinations } from './statement-for-many.ts';

/** The most members of a shared transaction. */
const MAX_MEMBERS = 64;

/** The most shared transactions under way. Members that come meanwhile wait for the next one, which grows with the load. */
const MAX_UNDER_WAY = 2;

/** The time for which a shared transaction waits for a lock. */
const LOCK_TIMEOUT_MS = 100;

/** The members of a transaction that fails later do not run alone: their callers would wait for longer than 2 s. */
const RUN_ALONE_WITHIN_MS = 500;

/** The work of a shared transaction had no effect. It must run in a transaction of its own. */
export class RunAlone extends Error {}

type Rows = pg.QueryResult['rows'];

type Result = { rows: Rows; numAffectedRows?: bigint };

type Queued = PromiseWithResolvers<Result> & { readonly member: Member; readonly query: CompiledQuery };

/** A transaction, and how many of its members have not ended. */
type Shared = {
  members: number;
  open: number;
  startedAt: number;
  /** Whether a member wants to commit. */
  isKept: boolean;
  /** Whether the connection is lost. */
  isBroken: boolean;
  /** Why no member is committed. */
  failure: unknown;
  queue: Queued[];
  readonly sendAfterThisTurn: () => void;
  readonly begun: PromiseWithResolvers<pg.PoolClient>;
  /** All members have ended, or the transaction has failed. */
  readonly settled: PromiseWithResolvers<void>;
  readonly ended: PromiseWithResolvers<void>;
};

/** The connection of a member. `hasWritten`: only the whole transaction can undo its work. */
type Member = DatabaseConnection & { readonly shared: Shared; client?: pg.PoolClient; hasWritten: boolean };

/**
 * Returns a driver whose transactions share transactions of the database. The members of one begin and commit together, and
 * statements that they run in the same turn are sent as one. A member that rejects before it has written leaves the others
 * alone. If a statement fails, or a member rejects later, no member has an effect. In each case those that had none reject
 * with `RunAlone`. A transaction with one member is an ordinary one.
 */
export function createSharingDriver(pool: PostgresPool, { find }: Combinations, clock: Pick<Clock, 'elapsed'>): Driver {
  const waiting: Shared[] = [];
  let underWay = 0;
  const departAfterThisTurn = oncePerTurn(
    async () => depart(),
    () => {},
  );

  function depart() {
    while (underWay < MAX_UNDER_WAY) {
      const next = waiting.shift();
      if (!next) return;
      underWay += 1;
      void run(next).finally(() => {
        underWay -= 1;
        depart();
      });
    }
  }

  function join(): Shared {
    const last = waiting.at(-1);
    const shared = last && last.members < MAX_MEMBERS ? last : createShared();
    if (shared !== last) waiting.push(shared);
    shared.members += 1;
    shared.open += 1;
    departAfterThisTurn();
    return shared;
  }

  function createShared(): Shared {
    const shared: Shared = {
      members: 0,
      open: 0,
      startedAt: 0,
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
      ended: Promise.withResolvers(),
    };
    // A rejection that no member awaits must not end the process.
    shared.begun.promise.catch(() => {});
    shared.ended.promise.catch(() => {});
    return shared;
  }

  async function run(shared: Shared) {
    shared.startedAt = clock.elapsed();
    let client: pg.PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      return shared.begun.reject(error);
    }
    try {
      const options = shared.members > 1 ? `; set local lock_timeout = ${LOCK_TIMEOUT_MS}` : '';
      await pool.command(client, `begin${options}`);
      shared.begun.resolve(client);
      await shared.settled.promise;
    } catch (error) {
      shared.isBroken = true;
      fail(shared, error);
      shared.begun.reject(shared.failure);
    }
    try {
      const outcome = shared.isKept && shared.failure === undefined ? 'commit' : 'rollback';
      if (!shared.isBroken) await pool.command(client, outcome);
    } catch (error) {
      shared.isBroken = true;
      // Whether the database has committed is unknown, so the work must not run again.
      shared.failure ??= error;
    }
    client.release(shared.isBroken);
    if (shared.failure === undefined) shared.ended.resolve();
    else shared.ended.reject(shared.failure);
  }

  function fail(shared: Shared, error: unknown) {
    if (shared.failure !== undefined) return;
    // A single member has no other to spare.
    const isSoon = shared.members > 1 && clock.elapsed() - shared.startedAt < RUN_ALONE_WITHIN_MS;
    shared.failure = isSoon ? new RunAlone(undefined, { cause: error }) : error;
    for (const { reject } of shared.queue.splice(0)) reject(shared.failure);
    shared.settled.resolve();
  }

  /** Runs a statement. Its failure is that of all members. */
  async function query(shared: Shared, text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    try {
      return await pool.query(await shared.begun.promise, text, parameters);
    } catch (error) {
      shared.isBroken ||= error instanceof AuthError;
      if (shared.members === 1) throw error;
      fail(shared, error);
      throw shared.failure;
    }
  }

  async function queryOnce(shared: Shared, { sql, parameters }: CompiledQuery): Promise<Result> {
    const { rows, rowCount } = await query(shared, sql, parameters);
    return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
  }

  async function send(shared: Shared) {
    const same = Map.groupBy(shared.queue.splice(0), (queued) => queued.query.sql);
    await Promise.all([...same.values()].map((queued) => sendSame(shared, queued)));
  }

  /** Sends the runs of one statement: as one, or one after the other. */
  async function sendSame(shared: Shared, queued: readonly Queued[]) {
    const [first] = queued;
    const forMany = first && find(first.query.sql)?.(queued.map(({ query: { parameters } }) => parameters));
    if (!forMany) {
      await Promise.all(queued.map((one) => settle(one, queryOnce(shared, one.query))));
      return;
    }
    const all = query(shared, forMany.sql, forMany.parameters).then(({ rows }) => forMany.assign(rows));
    await Promise.all(
      queued.map((one, place) =>
        settle(
          one,
          all.then((assigned) => requireRows(assigned[place])),
        ),
      ),
    );
  }

  async function settle({ member, query: { query: node }, resolve, reject }: Queued, result: Promise<Result>) {
    try {
      const found = await result;
      member.hasWritten ||= node.kind !== 'SelectQueryNode';
      resolve(found);
    } catch (error) {
      reject(error);
    }
  }

  function connect(): Member {
    const shared = join();
    const member: Member = {
      shared,
      hasWritten: false,
      async executeQuery<Row>(compiled: CompiledQuery): Promise<QueryResult<Row>> {
        if (shared.failure !== undefined) throw shared.failure;
        if (shared.members === 1) return queryOnce(shared, compiled);
        const queued = { member, query: compiled, ...Promise.withResolvers<Result>() };
        shared.queue.push(queued);
        shared.sendAfterThisTurn();
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
    async commitTransaction({ shared }: Member) {
      shared.isKept = true;
      end(shared);
      await shared.ended.promise;
    },
    async rollbackTransaction({ shared, hasWritten }: Member) {
      if (shared.members > 1) {
        if (hasWritten) fail(shared, new RunAlone());
        end(shared);
        throw shared.failure ?? new RunAlone();
      }
      end(shared);
      await shared.ended.promise;
    },
    releaseConnection: async () => {},
    destroy: async () => {},
  };
}

function requireRows(rows: Rows | undefined): Result {
  if (!rows) throw new RunAlone();
  return { rows };
}
