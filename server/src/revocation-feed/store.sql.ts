// The revocation store in SQL.
import { type ExpressionBuilder, type ExpressionWrapper, type Selectable, type SqlBool, sql } from 'kysely';
import { toInstant } from '../foundation/clock.ts';
import type { Database, Given, RevocationTable, Tables } from '../storage/database.ts';
import type { Position, Snapshot } from './position.ts';
import type { RevocationStore, RevokedTokens, StoredRevocation } from './store.ts';

type Values = Omit<RevocationTable, 'number' | 'transaction_id'>;

export function createRevocationStore(database: Database): RevocationStore {
  const isSqlite = database.engine === 'sqlite';
  const nextNumber = isSqlite
    ? sql<number>`(select coalesce(max(number), 0) + 1 from revocation)`
    : sql<number>`nextval('revocation_number')`;
  const transactionId = isSqlite ? nextNumber : sql<number>`pg_current_xact_id()::text::bigint`;

  const insert = database.statement((on, given: Given<Values>) =>
    on
      .insertInto('revocation')
      .values({
        number: nextNumber,
        transaction_id: transactionId,
        at: given('at'),
        session_id: given('session_id'),
        generation: given('generation'),
        key_id: given('key_id'),
        issued_before: given('issued_before'),
        expires_at: given('expires_at'),
      })
      .onConflict((conflict) =>
        conflict.column('session_id').doUpdateSet((eb) => ({
          number: eb.ref('excluded.number'),
          transaction_id: eb.ref('excluded.transaction_id'),
          at: eb.ref('excluded.at'),
          generation: eb.ref('excluded.generation'),
          expires_at: eb.ref('excluded.expires_at'),
        })),
      ),
  );

  return {
    async record(on, { tokens, at, expiresAt }) {
      await insert(on, { ...toColumns(tokens), at, expires_at: expiresAt });
    },

    async restart(on, epoch) {
      await on.deleteFrom('revocation').where('session_id', 'is not', null).execute();
      await on.updateTable('revocation_epoch').set({ epoch }).execute();
    },

    async begin(epoch) {
      await database.sql
        .insertInto('revocation_epoch')
        .values({ id: 1, epoch })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
    },

    readSnapshot: isSqlite ? () => readSqliteSnapshot(database) : () => readPostgresSnapshot(database),

    async readAfter(position, limit, now) {
      const rows = await database.sql
        .selectFrom('revocation')
        .selectAll()
        .where(isAfter(position))
        .where('expires_at', '>', now)
        .orderBy('transaction_id')
        .orderBy('number')
        .limit(limit)
        .execute();
      return rows.map(toRevocation);
    },

    async readSince({ next, running }) {
      const rows = await database.sql
        .selectFrom('revocation')
        .selectAll()
        .where((eb) =>
          eb.or([
            eb('transaction_id', '>=', next),
            ...(running.length > 0 ? [eb('transaction_id', 'in', [...running])] : []),
          ]),
        )
        .orderBy('transaction_id')
        .orderBy('number')
        .execute();
      return rows.map(toRevocation);
    },

    async deleteExpired(after, limit, now) {
      const looked = await database.sql
        .selectFrom('revocation')
        .select(['number', 'expires_at'])
        .where('number', '>', after)
        .orderBy('number')
        .limit(limit)
        .execute();
      // The last row stays, because the next number on SQLite is counted from it.
      const expired = looked.slice(0, -1).filter(({ expires_at }) => expires_at <= now);
      const numbers = expired.map(({ number }) => number);
      if (numbers.length > 0) {
        await database.sql
          .deleteFrom('revocation')
          .where('number', 'in', numbers)
          .where('expires_at', '<=', now)
          .execute();
      }
      return looked.length < limit ? 0 : (looked.at(-1)?.number ?? 0);
    },
  };
}

type Where = (eb: ExpressionBuilder<Tables, 'revocation'>) => ExpressionWrapper<Tables, 'revocation', SqlBool>;

function isAfter({ transactionId, number }: Position): Where {
  return (eb) =>
    eb.and([
      eb('transaction_id', '>=', transactionId),
      eb.or([eb('transaction_id', '>', transactionId), eb('number', '>', number)]),
    ]);
}

/** On SQLite a snapshot shows all transactions that have committed, because they run one after the other. */
async function readSqliteSnapshot(database: Database): Promise<Snapshot> {
  const row = await database.sql
    .selectFrom('revocation_epoch')
    .select(['epoch', sql<number>`(select coalesce(max(number), 0) + 1 from revocation)`.as('next')])
    .executeTakeFirstOrThrow();
  return { ...row, running: [] };
}

/** The epoch has the server's timeline: after a failover, other transactions can get ids that were used before. */
async function readPostgresSnapshot(database: Database): Promise<Snapshot> {
  const row = await database.sql
    .selectFrom('revocation_epoch')
    .select([
      'epoch',
      sql<string>`pg_current_snapshot()::text`.as('snapshot'),
      sql<string>`substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`.as('timeline'),
    ])
    .executeTakeFirstOrThrow();
  const [, next, running = ''] = row.snapshot.split(':');
  return {
    epoch: `${row.epoch}_${Number.parseInt(row.timeline, 16)}`,
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
  if (session_id !== null) return { sessionId: session_id, generation: generation ?? 0 };
  return key_id === null ? { issuedBefore: toInstant(issued_before ?? 0) } : { keyId: key_id };
}
