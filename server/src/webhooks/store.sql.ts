// The store of webhooks and deliveries in SQL.
import { type Selectable, sql } from 'kysely';
import { addSeconds, type Instant } from '../foundation/clock.ts';
import type { Database, Statements, WebhookDeliveryTable, WebhookTable } from '../storage/database.ts';
import { TEST_EVENT, type Webhook } from './webhook.ts';

/** A webhook with its sealed secrets. The former one also signs until `formerUntil`. */
export type StoredWebhook = Webhook & {
  readonly sealedSecret: string;
  readonly sealedFormerSecret: string | null;
  readonly formerUntil: Instant | null;
};

/** An event for one webhook. */
export type NewDelivery = {
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly type: string;
  /** The audit entry of the event. Null for an event without one. */
  readonly auditId: number | null;
  readonly createdAt: Instant;
};

/** A test is due before all other deliveries, however many wait. */
// Mutation: `0` becomes `1`. Either is before all others.
const FIRST_DUE = 0;

/** The outcome of a try. `error` is a sentence for administrators. */
export type TryResult = { readonly status: number | null; readonly durationMs: number; readonly error: string | null };

/** A delivery, and its last try. */
export type Delivery = NewDelivery & {
  readonly state: WebhookDeliveryTable['state'];
  readonly dueAt: Instant;
  readonly tries: number;
  /** Failed tries since it was queued, or queued again. */
  readonly failures: number;
  readonly lastStatus: number | null;
  readonly lastDurationMs: number | null;
  readonly lastError: string | null;
};

const toWebhook = (row: Selectable<WebhookTable>): StoredWebhook => ({
  id: row.id,
  url: row.url,
  actions: row.actions.split(' '),
  description: row.description,
  isEnabled: row.is_enabled === 1,
  disabledBecause: row.disabled_because,
  sealedSecret: row.sealed_secret,
  sealedFormerSecret: row.sealed_former_secret,
  formerUntil: row.former_until,
  failingSince: row.failing_since,
  fullSince: row.full_since,
  createdAt: row.created_at,
});

const toRow = (webhook: StoredWebhook): WebhookTable => ({
  id: webhook.id,
  url: webhook.url,
  actions: webhook.actions.join(' '),
  description: webhook.description,
  is_enabled: webhook.isEnabled ? 1 : 0,
  disabled_because: webhook.disabledBecause,
  sealed_secret: webhook.sealedSecret,
  sealed_former_secret: webhook.sealedFormerSecret,
  former_until: webhook.formerUntil,
  failing_since: webhook.failingSince,
  full_since: webhook.fullSince,
  created_at: webhook.createdAt,
});

const toDelivery = (row: Selectable<WebhookDeliveryTable>): Delivery => ({
  id: row.id,
  webhookId: row.webhook_id,
  eventId: row.event_id,
  type: row.type,
  auditId: row.audit_id,
  createdAt: row.created_at,
  state: row.state,
  dueAt: row.due_at,
  tries: row.tries,
  failures: row.failures,
  lastStatus: row.last_status,
  lastDurationMs: row.last_duration_ms,
  lastError: row.last_error,
});

const toColumns = ({ status, durationMs, error }: TryResult) => ({
  last_status: status,
  last_duration_ms: durationMs,
  last_error: error,
});

const deliveryColumns = {
  id: 'text',
  webhook_id: 'text',
  event_id: 'text',
  type: 'text',
  audit_id: 'bigint',
  created_at: 'bigint',
  due_at: 'bigint',
} as const;

/** A literal, so that SQLite finds the index of these rows. */
const queued = sql.lit('queued' as const);

export type WebhookStore = ReturnType<typeof createWebhookStore>;

export function createWebhookStore(database: Database) {
  const insert = database.insertForRows(deliveryColumns, (given, from) => {
    const names = [...Object.keys(deliveryColumns), 'state', 'tries', 'failures'].map((name) => sql.ref(name));
    const values = [...Object.values(given), sql.lit('queued'), sql.lit(0), sql.lit(0)];
    return sql<{ id: string }>`insert into "webhook_delivery" (${sql.join(names)}) ${from(values)} returning id`;
  });
  const find = async (on: Statements, id: string) => {
    const row = await on.selectFrom('webhook').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toWebhook(row);
  };
  return {
    /** Returns all webhooks, the oldest first. */
    async readAll(on: Statements = database.sql): Promise<StoredWebhook[]> {
      const rows = await on.selectFrom('webhook').selectAll().orderBy('created_at').orderBy('id').execute();
      return rows.map(toWebhook);
    },
    find,
    async countIn(on: Statements): Promise<number> {
      const row = await on
        .selectFrom('webhook')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    async add(on: Statements, webhook: StoredWebhook): Promise<void> {
      await on.insertInto('webhook').values(toRow(webhook)).execute();
    },
    /** Returns the webhook as the transaction sees it, and locks it until the transaction ends. */
    async findForUpdate(on: Statements, id: string): Promise<StoredWebhook | undefined> {
      // On both engines, an update that changes nothing takes the row's lock.
      const row = await on
        .updateTable('webhook')
        .set((eb) => ({ url: eb.ref('url') }))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return row && toWebhook(row);
    },
    async replace(on: Statements, webhook: StoredWebhook): Promise<void> {
      await on.updateTable('webhook').set(toRow(webhook)).where('id', '=', webhook.id).execute();
    },
    /** Deletes a webhook. Its deliveries remain until `deleteDeliveries`. @returns the deleted one. */
    async remove(on: Statements, id: string): Promise<StoredWebhook | undefined> {
      const row = await on.deleteFrom('webhook').where('id', '=', id).returningAll().executeTakeFirst();
      return row && toWebhook(row);
    },

    /** Queues deliveries in the transaction of what they tell, a test before those that wait. */
    async queue(on: Statements, deliveries: readonly NewDelivery[]): Promise<void> {
      await insert(
        on,
        deliveries.map((one) => ({
          id: one.id,
          webhook_id: one.webhookId,
          event_id: one.eventId,
          type: one.type,
          audit_id: one.auditId,
          created_at: one.createdAt,
          due_at: one.type === TEST_EVENT ? FIRST_DUE : one.createdAt,
        })),
      );
    },

    /** Whether the webhook has a due delivery. */
    async hasDue(webhookId: string, now: Instant): Promise<boolean> {
      const row = await database.sql
        .selectFrom('webhook_delivery')
        .select('id')
        .where('state', '=', queued)
        .where('webhook_id', '=', webhookId)
        .where('due_at', '<=', now)
        // So that PostgreSQL does not scan the table, because it expects to meet a due one soon.
        // Mutation: `.orderBy('due_at')` becomes nothing. Any due one will do.
        .orderBy('due_at')
        // Mutation: `.limit(1)` becomes nothing, `1` becomes `2`. Only the first row is looked at.
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Returns how many deliveries of the webhook wait. */
    async countQueued(webhookId: string): Promise<number> {
      const row = await database.sql
        .selectFrom('webhook_delivery')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('state', '=', queued)
        .where('webhook_id', '=', webhookId)
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    /** Claims up to `limit` due deliveries of an enabled webhook for one node until `until`. */
    async claim(webhookId: string, limit: number, now: Instant, until: Instant): Promise<Delivery[]> {
      const rows = await database.sql
        .with('due', (db) =>
          db
            .selectFrom('webhook_delivery')
            .select('id')
            .where('state', '=', queued)
            .where('webhook_id', '=', webhookId)
            .where('due_at', '<=', now)
            .where((eb) =>
              eb.exists(
                eb
                  .selectFrom('webhook')
                  .select('webhook.id')
                  .where('webhook.id', '=', webhookId)
                  .where('is_enabled', '=', 1),
              ),
            )
            // Mutation: `.orderBy('due_at')` becomes nothing. In a small table, the index gives them in this order.
            .orderBy('due_at')
            .limit(limit)
            // Nodes that wait for each other could deadlock.
            .$if(database.engine === 'postgres', (query) => query.forUpdate().skipLocked()),
        )
        .updateTable('webhook_delivery')
        .set((eb) => ({ due_at: until, tries: eb('tries', '+', 1) }))
        .where('id', 'in', (db) => db.selectFrom('due').select('id'))
        .returningAll()
        .execute();
      return rows.map(toDelivery);
    },

    /** Renews a claim, or puts off a claimed delivery that was not tried. It changes nothing if another node has claimed it since. */
    async putOff({ id, tries }: Delivery, dueAt: Instant): Promise<void> {
      await database.sql
        .updateTable('webhook_delivery')
        .set({ due_at: dueAt })
        .where('id', '=', id)
        .where('state', '=', 'queued')
        .where('tries', '=', tries)
        .execute();
    },

    /** Stores the outcome of a try. @returns false, without a change, if another node has claimed the delivery since. */
    async settle(
      { id, tries }: Delivery,
      next: Pick<Delivery, 'state' | 'failures'> & { readonly dueAt?: Instant | undefined },
      result: TryResult,
    ): Promise<boolean> {
      const { state, failures, dueAt } = next;
      const row = await database.sql
        .updateTable('webhook_delivery')
        .set({ state, failures, ...(dueAt !== undefined && { due_at: dueAt }), ...toColumns(result) })
        .where('id', '=', id)
        .where('state', '=', 'queued')
        .where('tries', '=', tries)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Makes a delivery due now, as if it had never been tried. @returns it, or `undefined` if there is none. */
    async queueAgain(on: Statements, id: string, now: Instant): Promise<Delivery | undefined> {
      const row = await on
        .updateTable('webhook_delivery')
        // A node that tries it just now settles nothing.
        .set((eb) => ({ state: 'queued', failures: 0, due_at: now, tries: eb('tries', '+', 1) }))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return row && toDelivery(row);
    },

    async findDelivery(id: string): Promise<Delivery | undefined> {
      const one = database.sql.selectFrom('webhook_delivery').selectAll().where('id', '=', id);
      const row = await one.executeTakeFirst();
      return row && toDelivery(row);
    },

    /** Returns the newest deliveries of a webhook, newest first. */
    async listDeliveries(webhookId: string, limit: number): Promise<Delivery[]> {
      const rows = await database.sql
        .selectFrom('webhook_delivery')
        .selectAll()
        .where('webhook_id', '=', webhookId)
        .orderBy('created_at', 'desc')
        // Mutation: `.orderBy('id', 'desc')` becomes nothing. In a small table, the index gives them in this order.
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toDelivery);
    },

    /**
     * Makes queued deliveries of a webhook due now that are put off for longer than they can be.
     * @param longest the longest wait in milliseconds by the failures so far, and `asked` after an answer.
     */
    async correctDueTimes(
      webhookId: string,
      longest: { readonly waits: readonly number[]; readonly asked: number },
      now: Instant,
    ): Promise<void> {
      // Mutation: `0` becomes `1`. The default is only for the compiler.
      const [fresh = 0, ...waits] = longest.waits;
      const cases = waits.map((wait, index) => sql`when failures = ${sql.lit(index + 1)} then ${sql.lit(wait)}`);
      const longestWait = sql<number>`case when failures = 0 then ${sql.lit(fresh)}
        when last_status is not null then ${sql.lit(longest.asked)}
        ${sql.join(cases, sql` `)} else ${sql.lit(longest.asked)} end`;
      await database.sql
        .updateTable('webhook_delivery')
        .set({ due_at: now })
        .where('webhook_id', '=', webhookId)
        .where('state', '=', queued)
        // No longest wait is shorter: the index serves.
        // Mutation: `.where('due_at', '>', addSeconds(now, fresh / 1000))` becomes nothing, `'>'` becomes `'>='`. The next condition decides.
        .where('due_at', '>', addSeconds(now, fresh / 1000))
        .where(sql<boolean>`due_at - ${now} > ${longestWait}`)
        .execute();
    },

    /** Deletes up to `limit` settled deliveries of a webhook, without its newest `kept`. */
    async deleteSettled(webhookId: string, kept: number, limit: number): Promise<void> {
      const old = database.sql
        .selectFrom('webhook_delivery')
        .select('id')
        .where('webhook_id', '=', webhookId)
        .where('state', '!=', queued)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(kept)
        .limit(limit);
      // One that was queued again meanwhile stays.
      // Mutation: `.where('state', '!=', 'queued')` becomes nothing. Only one that is queued again within this statement differs.
      await database.sql.deleteFrom('webhook_delivery').where('id', 'in', old).where('state', '!=', 'queued').execute();
    },

    /** Deletes up to `limit` queued deliveries of a webhook that are older than `before`, and were due before `dueBefore`. */
    async deleteOld(webhookId: string, before: Instant, dueBefore: Instant, limit: number): Promise<void> {
      const old = database.sql
        .selectFrom('webhook_delivery')
        .select('id')
        .where('webhook_id', '=', webhookId)
        .where('created_at', '<', before)
        // Mutation: `'<'` becomes `'<='`. The deletion asks again.
        .where('due_at', '<', dueBefore)
        // Mutation: `.where('state', '=', queued)` becomes nothing. As above.
        .where('state', '=', queued)
        .limit(limit);
      await database.sql
        .deleteFrom('webhook_delivery')
        .where('id', 'in', old)
        // One that was queued again meanwhile stays.
        // Mutation: `.where('due_at', '<', dueBefore)` becomes nothing, `'<'` becomes `'<='`. Only one that is queued again within this statement differs.
        .where('due_at', '<', dueBefore)
        // Mutation: `.where('state', '=', 'queued')` becomes nothing. As above.
        .where('state', '=', 'queued')
        .execute();
    },

    /** Deletes up to `limit` deliveries of a webhook that was deleted. */
    async deleteDeliveries(webhookId: string, limit: number): Promise<void> {
      const some = database.sql
        .selectFrom('webhook_delivery')
        .select('id')
        .where('webhook_id', '=', webhookId)
        .limit(limit);
      await database.sql.deleteFrom('webhook_delivery').where('id', 'in', some).execute();
    },

    /** Returns the next id after this one for which there are deliveries, whether the webhook exists or not. */
    async findNextWithDeliveries(after: string): Promise<string | undefined> {
      const row = await database.sql
        .selectFrom('webhook_delivery')
        .select((eb) => eb.fn.min('webhook_id').as('id'))
        .where('webhook_id', '>', after)
        .executeTakeFirst();
      return row?.id ?? undefined;
    },

    /** Stores since when every try has failed, or with null that one did not. */
    async setFailing(id: string, since: Instant | null): Promise<void> {
      await database.sql
        .updateTable('webhook')
        .set({ failing_since: since })
        .where('id', '=', id)
        .where('failing_since', since === null ? 'is not' : 'is', null)
        .execute();
    },

    /** Whether a delivery waits that has failed for minutes, not only at the first tries of a burst. */
    async hasRetried(on: Statements, webhookId: string): Promise<boolean> {
      const row = await on
        .selectFrom('webhook_delivery')
        .select('id')
        .where('state', '=', queued)
        .where('webhook_id', '=', webhookId)
        .where('failures', '>', 2)
        // Mutation: `.limit(1)` becomes nothing, `1` becomes `2`. Only the first row is looked at.
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Whether a delivery since then was accepted. */
    async hasDelivered(on: Statements, webhookId: string, since: Instant): Promise<boolean> {
      const row = await on
        .selectFrom('webhook_delivery')
        .select('id')
        .where('webhook_id', '=', webhookId)
        .where('created_at', '>=', since)
        // So that the index of those that do not wait serves: many may wait.
        // Mutation: `.where('state', '!=', queued)` becomes nothing. What was sent does not wait.
        .where('state', '!=', queued)
        .where('state', '=', 'sent')
        // Mutation: `.limit(1)` becomes nothing, `1` becomes `2`. Only the first row is looked at.
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
