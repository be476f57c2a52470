// The message store in SQL.
import type { Selectable } from 'kysely';
import { toInstant } from '../foundation/clock.ts';
import type { Database, MessageTable } from '../storage/database.ts';
import type { MessageStore } from './store.ts';

const toMessage = (row: Selectable<MessageTable>) => ({
  id: row.id,
  means: row.means,
  template: row.template,
  recipient: row.recipient,
  accountId: row.account_id,
  sealedContent: row.sealed_content ?? '',
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

export function createMessageStore(database: Database): MessageStore {
  return {
    async add(on, message, state) {
      await on
        .insertInto('message')
        .values({
          id: message.id,
          means: message.means,
          template: message.template,
          recipient: message.recipient,
          account_id: message.accountId,
          sealed_content: message.sealedContent,
          state,
          channel: null,
          created_at: message.createdAt,
          expires_at: message.expiresAt,
          due_at: message.createdAt,
          settled_at: state === 'queued' ? null : message.createdAt,
          tries: 0,
          doubtful_tries: 0,
        })
        .execute();
    },

    async claim(means, limit, now, until) {
      // PostgreSQL skips rows that another node has locked, as nodes that wait for each other could deadlock. It checks a
      // row again when it has the lock, so the second of two nodes finds `due_at` postponed.
      const rows = await database.sql
        .with('due', (db) =>
          db
            .selectFrom('message')
            .select('id')
            .where('state', '=', 'queued')
            .where('means', '=', means)
            .where('due_at', '<=', now)
            .orderBy('due_at')
            .limit(limit)
            .$if(database.engine === 'postgres', (query) => query.forUpdate().skipLocked()),
        )
        .updateTable('message')
        .set((eb) => ({
          due_at: until,
          tries: eb('tries', '+', 1),
          doubtful_tries: eb('doubtful_tries', '+', 1),
        }))
        .where('id', 'in', (db) => db.selectFrom('due').select('id'))
        .returningAll()
        .execute();
      return rows.map((row) => ({ ...toMessage(row), tries: row.tries, doubtfulTries: row.doubtful_tries - 1 }));
    },

    async settle(on, message, { state, channel, keepContent }, now) {
      const row = await on
        .updateTable('message')
        .set({ state, channel, settled_at: now, ...(!keepContent && { sealed_content: null }) })
        .where('id', '=', message.id)
        .where('state', '=', 'queued')
        .where('tries', '=', message.tries)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async putOff(message, { dueAt, doubtfulTries }) {
      await database.sql
        .updateTable('message')
        .set({ due_at: dueAt, ...(doubtfulTries !== undefined && { doubtful_tries: doubtfulTries }) })
        .where('id', '=', message.id)
        .where('state', '=', 'queued')
        .where('tries', '=', message.tries)
        .execute();
    },

    async countQueued() {
      const rows = await database.sql
        .selectFrom('message')
        .select(({ fn }) => ['means', fn.countAll<number>().as('count'), fn.min('created_at').as('oldest_at')])
        .where('state', '=', 'queued')
        .groupBy('means')
        .execute();
      return rows.map((row) => ({
        means: row.means,
        count: Number(row.count),
        oldestAt: toInstant(Number(row.oldest_at)),
      }));
    },

    async list(channel, hidden, { skip, take }) {
      let shown = database.sql.selectFrom('message').where('channel', '=', channel).where('state', '=', 'sent');
      if (hidden.length > 0) {
        shown = shown.where((eb) => eb.or([eb('account_id', 'is', null), eb('account_id', 'not in', hidden)]));
      }
      const [rows, count] = await Promise.all([
        shown.selectAll().orderBy('created_at', 'desc').orderBy('id').offset(skip).limit(take).execute(),
        shown.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
      ]);
      const messages = rows.map((row) => ({
        ...toMessage(row),
        state: row.state,
        settledAt: row.settled_at,
      }));
      return { messages, total: Number(count.total) };
    },

    async deleteSettled(before, limit) {
      const old = database.sql
        .selectFrom('message')
        .select('id')
        .where('settled_at', '<', before)
        .where('created_at', '<', before)
        .limit(limit);
      await database.sql.deleteFrom('message').where('id', 'in', old).execute();
    },
  };
}
