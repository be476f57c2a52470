// Statements for rows of values: PostgreSQL runs one for all rows, so that many callers cost no more messages than one.
import { type RawBuilder, sql } from 'kysely';
import type { Database, Given, GivenColumns, References, Statements } from './database.ts';
import { createStatement } from './statement.ts';

type Run<Row> = (on: Statements, rows: readonly Readonly<Record<string, unknown>>[]) => Promise<Row[]>;

/** Returns the reference to a column of the rows. */
type Refer = (name: string) => RawBuilder<unknown>;

const bind = <Row>(text: RawBuilder<Row>, on: Statements) => ({ compile: () => text.compile(on) });

/** Declares a statement for one row of values, which runs for one after the other. */
function forOne<Row>(build: (value: Refer) => RawBuilder<Row>): Run<Row> {
  const run = createStatement((on, given: Given<Record<string, unknown>>) =>
    bind(
      build((name) => sql`${given(name)}`),
      on,
    ),
  );
  return async (on, rows) => {
    // Every refresh on SQLite has one row. It needs no other array of its rows.
    const [only] = rows;
    if (only && rows.length === 1) return run(on, only);
    const found: Row[] = [];
    for (const row of rows) found.push(...(await run(on, row)));
    return found;
  };
}

/** Declares a statement for rows of values. Each column is an array, so that the text is the same for any number of rows. */
function forMany<Row>(
  columns: GivenColumns,
  build: (rows: RawBuilder<unknown>, values: Refer) => RawBuilder<Row>,
): Run<Row> {
  const names = Object.keys(columns);
  const run = createStatement((on, given: Given<Record<string, unknown>>) => {
    const values: Refer = (name) => sql`${given(name)}::${sql.raw(`${columns[name]}[]`)}`;
    const places = sql.join([...names, 'place'].map(columnOf));
    const rows = sql`unnest(${sql.join(names.map(values))}) with ordinality as given(${places})`;
    return bind(build(rows, values), on);
  });
  return (on, rows) => run(on, Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name])])));
}

const columnOf: Refer = (name) => sql.raw(`given_${name}`);

function referTo<Columns extends GivenColumns>(columns: Columns, refer: Refer) {
  // `Object.fromEntries` forgets the names.
  return Object.fromEntries(Object.keys(columns).map((name) => [name, refer(name)])) as References<Columns>;
}

/** SQLite runs the statement for one row, because it has no messages to save. So does PostgreSQL if there is only one. */
export function createForRows(engine: Database['engine']): Pick<Database, 'insertForRows' | 'updateForRows'> {
  const choose =
    <Row>(one: Run<Row>, many: Run<Row>): Run<Row> =>
    (on, rows) =>
      (engine === 'postgres' && rows.length > 1 ? many : one)(on, rows);
  return {
    insertForRows: (columns, build) =>
      choose(
        forOne((value) => build(referTo(columns, value), (values) => sql`values (${sql.join(values)})`)),
        forMany(columns, (rows) =>
          build(
            referTo(columns, columnOf),
            (values) => sql`select ${sql.join(values)} from ${rows} order by given_place`,
          ),
        ),
      ),
    updateForRows(table, columns, build) {
      const target = sql.table(table);
      return choose(
        forOne((value) => {
          const { set, where } = build(referTo(columns, value));
          return sql`update ${target} set ${set} where id = ${value('id')} and ${where} returning *`;
        }),
        // The conditions are those of the locked rows, which no other transaction changes any more.
        forMany(columns, (rows, values) => {
          const { set, where } = build(referTo(columns, columnOf));
          return sql`with locked as (select * from ${target} where id = any(${values('id')}) for update skip locked),
            given as (select given.* from locked, ${rows} where id = given_id and ${where})
            update ${target} set ${set} from given where id = given_id returning *`;
        }),
      );
    },
  };
}
