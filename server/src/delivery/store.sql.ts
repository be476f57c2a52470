// The message store in SQL.
import { type Selectable, sql } from 'kysely';
import { addSeconds, type Instant, toInstant } from '../foundation/clock.ts';
import type { Medium } from '../foundation/medium.ts';
import type { Database, MessageTable, Statements } from '../storage/database.ts';
import type { MessageState, Progress } from './message.ts';

/** A message to store. */
export type NewMessage = {
  id: string;
  means: Medium;
  template: string;
  recipient: string;
  accountId: number | null;
  sealedContent: string;
  createdAt: Instant;
  expiresAt: Instant;
};

/** A claimed message. Only the claiming node may try it, until the claim ends. */
export type ClaimedMessage = NewMessage & Progress & { tries: number };

/** A stored message with its state. */
export type StoredMessage = NewMessage & { state: MessageState; settledAt: Instant | null };

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

export type MessageStore = ReturnType<typeof createMessageStore>;

export function createMessageStore(database: Database) {
  return {
    /** Queues a message. A message without recipient is stored as `dropped`, which takes the same time. */
    async add(on: Statements, message: NewMessage, state: 'queued' | 'dropped'): Promise<void> {
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

    /**
     * Claims up to `limit` due messages for one node until `until`. The try counts as doubtful until the node reports its
     * outcome, so that a message is not sent again each time a node crashes with it.
     */
    async claim(means: Medium, limit: number, now: Instant, until: Instant): Promise<ClaimedMessage[]> {
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

    /**
     * Settles a claimed message. Its content stays only if `keepContent`.
     * @returns false, without a change, if another node has claimed it since.
     */
    async settle(
      on: Statements,
      message: ClaimedMessage,
      {
        state,
        channel,
        keepContent,
      }: { state: Exclude<MessageState, 'queued'>; channel: string; keepContent: boolean },
      now: Instant,
    ): Promise<boolean> {
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

    /**
     * Erases the content of up to `limit` messages that were dropped when they were queued, since an instant.
     * @returns how many.
     */
    async eraseDropped(means: readonly Medium[], since: Instant, limit: number): Promise<number> {
      const dropped = database.sql
        .selectFrom('message')
        .select('id')
        .where('state', '=', 'dropped')
        .where('means', 'in', means)
        // The time at which they were queued.
        .where('due_at', '>=', since)
        .where('sealed_content', 'is not', null)
        .limit(limit)
        .$if(database.engine === 'postgres', (query) => query.forUpdate().skipLocked());
      const { numUpdatedRows } = await database.sql
        .updateTable('message')
        .set({ sealed_content: null })
        .where('id', 'in', dropped)
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows);
    },

    /** Postpones a claimed message, or renews its claim. It changes nothing if another node has claimed it since. */
    async putOff(
      message: ClaimedMessage,
      { dueAt, doubtfulTries }: { dueAt: Instant; doubtfulTries?: number },
    ): Promise<void> {
      await database.sql
        .updateTable('message')
        .set({ due_at: dueAt, ...(doubtfulTries !== undefined && { doubtful_tries: doubtfulTries }) })
        .where('id', '=', message.id)
        .where('state', '=', 'queued')
        .where('tries', '=', message.tries)
        .execute();
    },

    /** Makes queued messages due now that are put off for longer than half their age and `slackSeconds`. */
    async correctDueTimes(slackSeconds: number, now: Instant): Promise<void> {
      const latest = addSeconds(now, slackSeconds);
      await database.sql
        .updateTable('message')
        .set({ due_at: now })
        .where('state', '=', 'queued')
        .where('due_at', '>', latest)
        // One from the future has no age: a clock that was ahead has queued it.
        .where(sql<boolean>`(due_at - ${latest}) * 2 > ${now} - created_at`)
        .execute();
    },

    /** Returns how many messages are queued by means, and when the oldest was. A means without messages may be missing. */
    async countQueued(): Promise<{ means: Medium; count: number; oldestAt: Instant }[]> {
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

    /** Returns the messages that this channel has sent, newest first, without those of `hidden` accounts. */
    async list(
      channel: string,
      hidden: readonly number[],
      { skip, take }: { skip: number; take: number },
    ): Promise<{ messages: StoredMessage[]; total: number }> {
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

    /** Deletes up to `limit` messages that were settled before `before`. */
    async deleteSettled(before: Instant, limit: number): Promise<void> {
      const old = database.sql
        .selectFrom('message')
        .select('id')
        .where('settled_at', '<', before)
        .where('created_at', '<', before)
        .limit(limit)
        .$call(database.skipLocked);
      await database.sql.deleteFrom('message').where('id', 'in', old).execute();
    },
  };
}
