// The store of persons in SQL: reads and erases the rows of one person in every table that the list of personal data names.
import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '../foundation/clock.ts';
import type { Database, Statements } from '../storage/database.ts';
import type { Person } from './person.ts';
import { type PersonalTable, personalTables } from './personal-data.ts';

export type Row = Readonly<Record<string, unknown>>;

/** The place of an entry in the trail of an account, which is ordered by time, then by number. */
export type Place = { readonly at: Instant; readonly id: number };

/** Returns the condition for a person's rows, or `undefined` if the person has no value that could find one. */
function isOfPerson({ rows }: PersonalTable, person: Person): RawBuilder<boolean> | undefined {
  const conditions = rows.flatMap(({ column, has, unless, since }) => {
    const values = person[has];
    if (values.length === 0) return [];
    const isFound = sql`${sql.ref(column)} in (${sql.join(values)})`;
    const all = [
      isFound,
      ...(unless === undefined ? [] : [sql`${sql.ref(unless)} is null`]),
      ...(since === undefined ? [] : [sql`${sql.ref(since)} >= ${person.createdAt}`]),
    ];
    return [sql`(${sql.join(all, sql` and `)})`];
  });
  return conditions.length === 0 ? undefined : sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

const every = sql<boolean>`1 = 1`;

/** Returns a table with the rows of it that an erasure takes at once. */
const part = (name: PersonalTable['name'], only: RawBuilder<boolean>) =>
  personalTables.filter((table) => table.name === name).map((table) => ({ table, only }));

/**
 * The tables in the order in which an erasure locks their rows. It begins with the rows that a request for a pin or a link locks, in its
 * order. A try of a pin locks its count of another kind after the pin, and a link is locked after the pin that was sent with it.
 */
const inOrder = [
  ...part('pin_budget', sql<boolean>`kind = 'asked'`),
  ...part('pin_budget', sql<boolean>`kind = 'sent'`),
  ...part('pin', every),
  ...personalTables.map((table) => ({ table, only: every })),
];

export type PersonStore = ReturnType<typeof createPersonStore>;

export function createPersonStore(database: Database) {
  return {
    /** Returns the rows of a person in a table. */
    async read(table: PersonalTable, person: Person): Promise<Row[]> {
      const condition = isOfPerson(table, person);
      if (!condition) return [];
      const { rows } = await sql<Row>`select * from ${sql.table(table.name)} where ${condition}`.execute(database.sql);
      return rows;
    },

    /** Returns up to `limit` entries of an account, newest first, that are older than `before`. */
    async readEntries(accountId: number, before: Place | undefined, limit: number) {
      let query = database.sql.selectFrom('audit').selectAll().where('user_id', '=', accountId);
      if (before) query = query.where((eb) => eb(eb.refTuple('at', 'id'), '<', eb.tuple(before.at, before.id)));
      return query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute();
    },

    /**
     * Deletes or empties the rows of a person in all tables but those of the trail, which needs its keys longer.
     * @param when `later`, `lastly`: the account itself is gone, so that its table is left alone, and the rows that had to stay until
     *   then go too.
     */
    async erase(on: Statements, person: Person, when: 'now' | 'later' | 'lastly'): Promise<void> {
      for (const { table, only } of inOrder) {
        const isOfTrail = table.name === 'audit' || table.name === 'audit_key';
        const isGone = when !== 'now' && table.name === 'account';
        const mustStay = table.erased === 'lastly' ? when !== 'lastly' : table.erased === 'later' && when === 'now';
        const condition = isOfTrail || isGone || mustStay ? undefined : isOfPerson(table, person);
        if (!condition) continue;
        const name = sql.table(table.name);
        if (typeof table.erased === 'string') await sql`delete from ${name} where ${condition} and ${only}`.execute(on);
        else {
          const emptied = table.erased.emptied.map((column) => sql`${sql.ref(column)} = null`);
          await sql`update ${name} set ${sql.join(emptied)} where ${condition} and ${only}`.execute(on);
        }
      }
    },
  };
}
