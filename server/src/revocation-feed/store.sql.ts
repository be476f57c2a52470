// The revocation store in SQL.
import { type ExpressionBuilder, type ExpressionWrapper, type Selectable, type SqlBool, sql } from 'kysely';
import { type Instant, toInstant } from '../foundation/clock.ts';
import type { Database, RevocationTable, Statements, Tables } from '../storage/database.ts';
import { type Cursor, type Position, type Snapshot, START } from './cursor.ts';

/** The tokens that a row revokes: those of a session below a generation, those of a key, or those issued before an instant. */
export type RevokedTokens =
  | { readonly sessionId: string; readonly generation: number }
  | { readonly keyId: string }
  | { readonly issuedBefore: Instant };

/** A revocation as stored. */
export type StoredRevocation = {
  readonly position: Position;
  readonly at: Instant;
  readonly expiresAt: Instant;
  readonly tokens: RevokedTokens;
};

type Where = (eb: ExpressionBuilder<Tables, 'revocation'>) => ExpressionWrapper<Tables, 'revocation', SqlBool>;

/** On SQLite each revocation counts as a transaction of its own, because transactions run one after the other. */
const nextSqliteId = sql<number>`(select coalesce(max(transaction_id), 0) + 1 from revocation)`;

export type RevocationStore = ReturnType<typeof createRevocationStore>;

export function createRevocationStore(database: Database) {
  const isSqlite = database.engine === 'sqlite';
  const number = isSqlite ? nextSqliteId : sql<number>`nextval('revocation_number')`;
  const transactionId = isSqlite ? nextSqliteId : sql<number>`pg_current_xact_id()::text::bigint`;

  const insert = database.insertForRows(
    {
      at: 'bigint',
      session_id: 'text',
      generation: 'bigint',
      key_id: 'text',
      issued_before: 'bigint',
      expires_at: 'bigint',
    },
    (given, from) => sql`
      insert into "revocation" (number, transaction_id, ${sql.join(Object.keys(given).map((name) => sql.ref(name)))})
      ${from([number, transactionId, ...Object.values(given)])}
      on conflict (session_id) do update set number = excluded.number, transaction_id = excluded.transaction_id,
        at = excluded.at, generation = excluded.generation, expires_at = excluded.expires_at`,
  );

  /** Returns the revocations of a condition, in their order. */
  async function find(where: Where, limit: number): Promise<StoredRevocation[]> {
    const rows = await database.sql
      .selectFrom('revocation')
      .selectAll()
      .where(where)
      .orderBy('transaction_id')
      .orderBy('number')
      .limit(limit)
      .execute();
    return rows.map(toRevocation);
  }

  return {
    /** Adds revocations in their order. That of a session replaces the session's former one. */
    async record(on: Statements, revocations: readonly Omit<StoredRevocation, 'position'>[]): Promise<void> {
      const rows = revocations.map(({ tokens, at, expiresAt }) => ({
        ...toColumns(tokens),
        at,
        expires_at: expiresAt,
      }));
      await insert(on, rows);
    },

    /** Begins another epoch, and deletes the revocations of all tokens issued before an instant. */
    async restart(on: Statements, epoch: string): Promise<void> {
      await on.deleteFrom('revocation').where('issued_before', 'is not', null).execute();
      await on.updateTable('revocation_epoch').set({ epoch }).execute();
    },

    /** Makes the first epoch, if there is none. Moves revocations that were copied from another database to the start. */
    async begin(epoch: string): Promise<void> {
      await database.sql
        .insertInto('revocation_epoch')
        // Mutation: `1` becomes `2`. The one row of the table has the same id at each start.
        .values({ id: 1, epoch })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
      if (isSqlite) return;
      // Another server has given out higher ids. Here they would come again.
      await database.sql
        .updateTable('revocation')
        .set({ transaction_id: START.transactionId })
        .where('transaction_id', '>=', sql<number>`pg_snapshot_xmax(pg_current_snapshot())::text::bigint`)
        .execute();
    },

    /** Returns what the database shows now. */
    readSnapshot: isSqlite ? () => readSqliteSnapshot(database) : () => readPostgresSnapshot(database),

    /**
     * Returns the revocations that a reader at the cursor has not read, at most `limit`: those of the transactions that
     * were running, then those after its position, each in their order. They are on disk.
     */
    async readAfter({ running, ...position }: Omit<Cursor, 'epoch'>, limit: number): Promise<StoredRevocation[]> {
      // On SQLite no transaction runs while another one is read.
      const late = isSqlite || running.length === 0 ? [] : await find(isOneOf(running), limit);
      const found = [...late, ...(await find(isAt('>', position), limit - late.length))];
      // SQLite shows what is committed and not on disk yet. After a power cut, other revocations would have these places.
      if (isSqlite && found.length > 0) await database.transaction(async () => {});
      return found;
    },

    /**
     * Looks at the `limit` revocations after a position, and deletes those whose tokens have expired.
     * @returns the position of the last one looked at, or the start after the end.
     */
    async deleteExpired(after: Position, limit: number, now: Instant): Promise<Position> {
      const looked = await find(isAt('>', after), limit);
      const last = looked.at(-1)?.position;
      if (!last) return START;
      // The last one stays, because SQLite counts on from it.
      await database.sql
        .deleteFrom('revocation')
        .where(isAt('>', after))
        .where(isAt('<', last))
        .where('expires_at', '<=', now)
        .execute();
      return looked.length < limit ? START : last;
    },
  };
}

function isOneOf(ids: readonly number[]): Where {
  // One parameter, so that the statement has the same text for any number of ids.
  return (eb) => eb('transaction_id', '=', sql<number>`any(${[...ids]}::bigint[])`);
}

/** A comparison of rows finds the first one in the index, also among many of one transaction. */
function isAt(place: '>' | '<', { transactionId, number }: Position): Where {
  return (eb) => eb(eb.refTuple('transaction_id', 'number'), place, eb.tuple(transactionId, number));
}

async function readSqliteSnapshot(database: Database): Promise<Snapshot> {
  const row = await database.sql
    .selectFrom('revocation_epoch')
    .select(['epoch', nextSqliteId.as('next')])
    .executeTakeFirstOrThrow();
  return { ...row, running: [] };
}

/**
 * The epoch has the server's timeline: after a failover, transactions can get ids that were used before. It also has the
 * id of the transaction that wrote it, which changes when the rows are copied to another server.
 */
async function readPostgresSnapshot(database: Database): Promise<Snapshot> {
  const row = await database.sql
    .selectFrom('revocation_epoch')
    .select([
      'epoch',
      sql<string>`pg_current_snapshot()::text`.as('snapshot'),
      sql<string>`substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`.as('timeline'),
      sql<string>`xmin::text`.as('writer'),
    ])
    .executeTakeFirstOrThrow();
  const [, next, running = ''] = row.snapshot.split(':');
  // Mutation: `16` becomes `17`. The number only has to differ between timelines, as it does in either base.
  const timeline = Number.parseInt(row.timeline, 16);
  return {
    epoch: `${row.epoch}_${timeline}_${row.writer}`,
    next: Number(next),
    running: running === '' ? [] : running.split(',').map(Number),
  };
}

function toColumns(tokens: RevokedTokens) {
  const none = { session_id: null, generation: null, key_id: null, issued_before: null };
  if ('sessionId' in tokens) return { ...none, session_id: tokens.sessionId, generation: tokens.generation };
  if ('keyId' in tokens) return { ...none, key_id: tokens.keyId };
  return { ...none, issued_before: tokens.issuedBefore };
}

function toRevocation(row: Selectable<RevocationTable>): StoredRevocation {
  return {
    position: { transactionId: row.transaction_id, number: row.number },
    at: row.at,
    expiresAt: row.expires_at,
    tokens: toTokens(row),
  };
}

function toTokens({ session_id, generation, key_id, issued_before }: Selectable<RevocationTable>): RevokedTokens {
  // Mutation: `generation ?? 0` becomes `generation`, `0` becomes `1`. A row with a session has a generation.
  if (session_id !== null) return { sessionId: session_id, generation: generation ?? 0 };
  // Mutation: `issued_before ?? 0` becomes `issued_before`, `0` becomes `1`. A row without session and key has an instant.
  return key_id === null ? { issuedBefore: toInstant(issued_before ?? 0) } : { keyId: key_id };
}
