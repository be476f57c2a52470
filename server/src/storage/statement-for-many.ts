// A declared statement for many callers on PostgreSQL: one run of it does what a run for each caller would do.
import {
  createQueryId,
  DummyDriver,
  InsertQueryNode,
  Kysely,
  type OperationNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  SelectQueryNode,
  sql,
  UpdateQueryNode,
  ValueListNode,
  ValuesNode,
} from 'kysely';
import type { BuildStatement, Database, Given, Tables } from './database.ts';
import { createStatement } from './statement.ts';

type Row = Record<string, unknown>;

/** The rows of each caller. */
type Assigned = (Row[] | undefined)[];

type Filled = { readonly sql: string; readonly parameters: readonly unknown[] };

/** A statement for many callers. `assign` gives each caller its rows of the result. */
export type ForMany = Filled & {
  assign(rows: readonly Row[]): Assigned;
  /** Returns the places of callers without rows, whose row meets the conditions now and may be locked. */
  readonly findMatching?: Filled;
};

/** Returns the statement for callers with these parameters, or `undefined` if it can only run for each of them. */
export type CombineStatement = (callers: Callers) => ForMany | undefined;

/** The parameters of each caller. */
type Callers = readonly (readonly unknown[])[];

const compiler = new PostgresQueryCompiler();
const builder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => compiler,
  },
});

/** Declared statements, and how to combine their runs. */
export interface Combinations {
  readonly statement: Database['statement'];
  /** Returns how to combine runs of the statement with this text. */
  find(sql: string): CombineStatement | undefined;
}

export function createCombinations(): Combinations {
  const known = new Map<string, CombineStatement>();
  return {
    statement: (build) => createStatement(build, (text, places) => known.set(text, createCombination(build, places))),
    find: (text) => known.get(text),
  };
}

/** @param places the place of each value among the parameters of the statement for one caller. */
function createCombination<Values, Built>(
  build: BuildStatement<Values, Built>,
  places: ReadonlyMap<string, number>,
): CombineStatement {
  const compiled = new Map<string, ReturnType<typeof compile>>();

  function compile(types: readonly (string | undefined)[]) {
    const columns = [...places].map(([name, place], index) => {
      return { name, place, type: types[index], column: sql.raw(`given_${index}`), placeholder: Symbol(name) };
    });
    const arrays = columns.filter(({ type }) => type !== undefined);
    if (arrays.length === 0) return undefined;
    const typed = arrays.map(({ placeholder, type = '' }) => sql`${placeholder}::${sql.raw(type)}[]`);
    const names = sql.join(arrays.map(({ column }) => column));
    const given = sql`unnest(${sql.join(typed)}) with ordinality as given(${names}, given_place)`;
    const references = new Map(columns.map(({ name, type, column }) => [name, type ? column : sql.raw('null')]));
    // The statement is only compiled with it: a reference stands where the statement for one caller has a value.
    const refer: Given<Values> = (name) => references.get(name) as never;
    const form = formOf(build(builder, refer).compile().query, given);
    if (!form) return undefined;
    const placeOf = new Map(arrays.map(({ placeholder, place }) => [placeholder, place]));
    const fillLater = (text: RawBuilder<unknown>) => {
      const query = compiler.compileQuery(text.toOperationNode(), createQueryId());
      return (callers: Callers): Filled => ({
        sql: query.sql,
        parameters: query.parameters.map((parameter) => {
          const place = typeof parameter === 'symbol' ? placeOf.get(parameter) : undefined;
          return place === undefined ? parameter : callers.map((values) => values[place]);
        }),
      });
    };
    const { text, matching, assign } = form;
    return { fill: fillLater(text), fillMatching: matching && fillLater(matching), assign };
  }

  return (callers) => {
    const types = [...places.values()].map((place) => typeOf(callers.map((values) => values[place])));
    const key = types.join();
    if (!compiled.has(key)) compiled.set(key, compile(types));
    const found = compiled.get(key);
    if (!found) return undefined;
    const { fill, fillMatching, assign } = found;
    return {
      ...fill(callers),
      assign: (rows) => assign(rows, callers.length),
      ...(fillMatching && { findMatching: fillMatching(callers) }),
    };
  };
}

/** Stored values are texts, whole numbers and null. `undefined`: all are null, which has any type. */
function typeOf(values: readonly unknown[]): string | undefined {
  const known = values.find((value) => value !== null);
  return known === undefined ? undefined : typeof known === 'number' ? 'bigint' : 'text';
}

type Form = {
  readonly text: RawBuilder<unknown>;
  readonly matching?: RawBuilder<unknown>;
  assign(rows: readonly Row[], count: number): Assigned;
};

function formOf(node: OperationNode, given: RawBuilder<unknown>): Form | undefined {
  if (UpdateQueryNode.is(node) && hasOnly(node, 'table', 'where', 'updates', 'returning'))
    return updateMany(node, given);
  if (InsertQueryNode.is(node) && hasOnly(node, 'into', 'columns', 'values', 'onConflict', 'returning'))
    return insertMany(node, given);
  if (SelectQueryNode.is(node) && hasOnly(node, 'from', 'selections', 'where')) return selectMany(node, given);
  return undefined;
}

/** Returns whether the statement has no other part, such as a limit or a lock: its form would lose that part. */
const hasOnly = (node: OperationNode, ...parts: readonly string[]) =>
  Object.entries(node).every(([name, value]) => value === undefined || name === 'kind' || parts.includes(name));

const part = (node: OperationNode) => sql`${{ toOperationNode: () => node }}`;
const list = (nodes: readonly OperationNode[]) => sql.join(nodes.map(part));

/**
 * Changes only rows that no other transaction has locked. So the statement never waits for a row, and two of them cannot wait
 * for each other.
 */
function updateMany(
  { table, where, updates = [], returning }: UpdateQueryNode,
  given: RawBuilder<unknown>,
): Form | undefined {
  if (!table || !where || !returning) return undefined;
  const target = part(table);
  const isAll = returning.selections.some(({ selection }) => selection.kind === 'SelectAllNode');
  const conditions = part(where.where);
  // A place in a table names one row only together with the table, which may be one of several partitions.
  const text = sql`with free as (
    select ${target}.tableoid as given_table, ${target}.ctid as given_row, given.* from ${target}, ${given}
    where ${conditions} for update of ${target} skip locked)
    update ${target} set ${list(updates)} from free
    where ${target}.tableoid = given_table and ${target}.ctid = given_row and ${conditions}
    returning ${isAll ? sql`${target}.*` : list(returning.selections)}, given_place`;
  return {
    text,
    matching: sql`select given_place from ${target}, ${given} where ${conditions}`,
    assign(rows, count) {
      const found = byPlace(rows);
      return Array.from({ length: count }, (_, place) => found.get(place));
    },
  };
}

function selectMany({ from, selections = [], where }: SelectQueryNode, given: RawBuilder<unknown>): Form | undefined {
  if (!from || !where) return undefined;
  const text = sql`select ${list(selections)}, given_place from ${list(from.froms)}, ${given} where ${part(where.where)}`;
  return {
    text,
    assign(rows, count) {
      const found = byPlace(rows);
      return Array.from({ length: count }, (_, place) => found.get(place) ?? []);
    },
  };
}

/** PostgreSQL numbers and returns the inserted rows in the order of the places. */
function insertMany({ into, columns, values, onConflict, returning }: InsertQueryNode, given: RawBuilder<unknown>) {
  const [row] = values && ValuesNode.is(values) ? values.values : [];
  if (!into || !columns || !row || !ValueListNode.is(row)) return undefined;
  const text = sql`insert into ${part(into)} (${list(columns)}) select ${list(row.values)} from ${given}
    order by given_place ${onConflict ? part(onConflict) : sql``} ${returning ? part(returning) : sql``}`;
  return {
    text,
    assign(rows: readonly Row[], count: number): Assigned {
      if (returning && rows.length !== count) throw new Error('PostgreSQL has not inserted a row for each caller');
      return Array.from({ length: count }, (_, place) => rows.slice(place, place + 1));
    },
  };
}

/** The rows by the caller that they are for. */
function byPlace(rows: readonly Row[]): Map<number, Row[]> {
  const found = new Map<number, Row[]>();
  for (const { given_place: ordinal, ...row } of rows) {
    const place = Number(ordinal) - 1;
    found.set(place, [...(found.get(place) ?? []), row]);
  }
  return found;
}
