// The store of hourly counts in SQL.
import { type Instant, toInstant } from '../foundation/clock.ts';
import type { Database, Given } from '../storage/database.ts';
import { type Count, FIGURES, type HourlyCount } from './figure.ts';

/** The figure of the row that tells since when the service counts. The cleanup job keeps it. */
const START = 'start';

const keyOf = ({ hour, figure, part }: HourlyCount) => `${hour} ${figure} ${part}`;

/** All nodes lock rows in this order, so that no two wait for each other. */
const inOrder = (one: HourlyCount, other: HourlyCount) => (keyOf(one) < keyOf(other) ? -1 : 1);

export type CounterStore = ReturnType<typeof createCounterStore>;

export function createCounterStore(database: Database) {
  const sum = database.statement((on, given: Given<{ from: Instant; to: Instant }>) =>
    on
      .selectFrom('hourly_count')
      .select((eb) => ['figure', 'part', eb.fn.sum<number>('count').as('count')])
      .where('hour', '>=', given('from'))
      .where('hour', '<', given('to'))
      .groupBy(['figure', 'part']),
  );
  const findBeginning = async () => {
    const row = await database.sql
      .selectFrom('hourly_count')
      .select((eb) => eb.fn.min('hour').as('hour'))
      .executeTakeFirst();
    return row?.hour == null ? undefined : toInstant(Number(row.hour));
  };
  return {
    /** Adds to the stored counts, all or none. Several nodes may add at the same time. */
    async add(counts: readonly HourlyCount[]): Promise<void> {
      const rows = counts.toSorted(inOrder).map(({ hour, figure, part, count }) => ({ hour, figure, part, count }));
      const work = (on: Database['sql']) =>
        on
          .insertInto('hourly_count')
          .values(rows)
          .onConflict((conflict) =>
            conflict.columns(['hour', 'figure', 'part']).doUpdateSet((eb) => ({
              count: eb('hourly_count.count', '+', eb.ref('excluded.count')),
            })),
          )
          .execute();
      // Figures may lose the last seconds before this machine fails, so they need not wait for the disk.
      await database.transaction(({ sql }) => work(sql), { durable: false });
    },

    /** Returns the sums of the hours from `from` (inclusive) to `to` (exclusive). Parts that did not occur are left out. */
    async sum(from: Instant, to: Instant): Promise<Count[]> {
      const rows = await sum(database.sql, { from, to });
      return rows.flatMap(({ figure: name, part, count }) => {
        const figure = FIGURES.find((known) => known === name);
        return figure ? [{ figure, part, count: Number(count) }] : [];
      });
    },

    /** Records that the service counts from this hour on, unless it already did. */
    async begin(hour: Instant): Promise<void> {
      if ((await findBeginning()) !== undefined) return;
      await database.sql
        .insertInto('hourly_count')
        .values({ hour, figure: START, part: '', count: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Returns the first hour that was counted. */
    findBeginning,

    /** Deletes the counts of the oldest hour before `before`. */
    async deleteOldest(before: Instant): Promise<void> {
      const oldest = database.sql
        .selectFrom('hourly_count')
        .select((eb) => eb.fn.min('hour').as('hour'))
        .where('hour', '<', before)
        .where('figure', '<>', START);
      await database.sql.deleteFrom('hourly_count').where('hour', '=', oldest).where('figure', '<>', START).execute();
    },
  };
}
