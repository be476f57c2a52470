// The database as stores and journeys see it: its tables (tables.ts), and transactions that callers pass explicitly.
import type { Compilable, Generated, Kysely, RawBuilder, Selectable, SelectQueryBuilder } from 'kysely';
import type { Transaction } from '../foundation/transaction.ts';
import type { Tables } from './tables.ts';

export type * from './tables.ts';

/** Runs statements: on the database itself, where each commits alone, or in a transaction. */
export type Statements = Kysely<Tables>;

/** A running transaction, with its statements. */
export interface Tx extends Transaction {
  readonly sql: Statements;
}

/** The rows of a keyed reader: `columns` of the row of `table` whose `key` column has the given value. */
export type KeyedRows<Name extends keyof Tables, Column extends keyof Tables[Name]> = {
  readonly table: Name;
  readonly key: Column & string;
  readonly columns: readonly (Column & string)[];
};

/** The values of a table's columns, as selected. */
export type Selected<Name extends keyof Tables, Column extends keyof Tables[Name]> = {
  [C in Column]: Tables[Name][C] extends Generated<infer Value> ? Value : Tables[Name][C];
};

/** Returns the placeholder of a value while a statement is built. */
export type Given<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name];

/** Builds a statement from placeholders for its values. */
export type BuildStatement<Values, Row> = (on: Statements, given: Given<Values>) => Compilable<Row>;

/** The columns of rows of values, and their types in PostgreSQL. */
export type GivenColumns = Readonly<Record<string, 'text' | 'bigint'>>;

/** A row of values. */
export type GivenRow<Columns extends GivenColumns> = {
  readonly [Name in keyof Columns]: (Columns[Name] extends 'text' ? string : number) | null;
};

/** The reference to each column of rows of values, while a statement is written. */
export type References<Columns extends GivenColumns> = { readonly [Name in keyof Columns]: RawBuilder<unknown> };

/** A query of rows that have an id. */
export type RowsWithId = { orderBy(column: 'id'): { forUpdate(): { execute(): Promise<unknown> } } };

export type TransactionOptions = { readonly durable?: boolean; readonly joins?: Transaction | undefined };

/** The one database of the service: SQLite or PostgreSQL. */
export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  readonly sql: Statements;
  /**
   * Runs `work` in one transaction: durable when the promise resolves, rolled back when it rejects.
   * On SQLite transactions run one after the other, so `work` awaits only its own statements. A statement outside the
   * transaction would not see what the transaction has written.
   * @param options `durable: false` for data that loses its value if this machine fails. The transaction is as atomic
   * and visible, but need not be on disk yet. PostgreSQL makes it durable anyway, because nodes outlive its machine.
   * `joins`: the running transaction in which the work is done. It is kept or rolled back with that one.
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>, options?: TransactionOptions): Promise<Result>;
  /**
   * Returns a function that does frequent work for a caller. Callers that come together share a transaction, see `createGroups`.
   * @param work does the work for all callers, and returns their results in the same order. It returns `undefined` for a caller
   * for whom it has changed nothing. It may run again for one caller alone.
   */
  grouped<Caller, Result>(
    work: (tx: Tx, callers: readonly Caller[]) => Promise<(Result | undefined)[]>,
  ): (caller: Caller) => Promise<Result | undefined>;
  /**
   * Returns a fast reader of committed rows by key: a prepared statement on SQLite. PostgreSQL reads all keys of one
   * event-loop turn in one query.
   */
  keyedReader<Name extends keyof Tables, Column extends keyof Tables[Name]>(
    rows: KeyedRows<Name, Column>,
  ): (key: string | number) => Promise<Selected<Name, Column> | undefined>;
  /**
   * Declares a statement that is built once, when it first runs. Later runs only fill in the values.
   * @returns a function that runs the statement with its values, on the database or in a transaction, and returns its rows.
   */
  statement<Values, Row>(build: BuildStatement<Values, Row>): (on: Statements, values: Values) => Promise<Row[]>;
  /**
   * Declares an insert for rows of values. PostgreSQL runs it once for all of them.
   * @param build gets the reference to each column, and returns an insert of `from(values)`.
   * @returns a function that adds the rows in their order, and returns the rows of the result in the same order.
   */
  insertForRows<Columns extends GivenColumns, Row>(
    columns: Columns,
    build: (
      given: References<Columns>,
      from: (values: readonly RawBuilder<unknown>[]) => RawBuilder<unknown>,
    ) => RawBuilder<Row>,
  ): (on: Statements, rows: readonly GivenRow<Columns>[]) => Promise<Row[]>;
  /**
   * Declares a change of the rows of a table that rows of values name by `id`, each under its condition. PostgreSQL runs it once
   * for all of them. Of several, it then leaves out those that another transaction has locked. So it waits for no row, and two
   * transactions cannot wait for each other.
   * @returns a function that changes the rows, and returns the changed ones in no order.
   */
  updateForRows<
    Name extends keyof Tables & string,
    Columns extends GivenColumns & { readonly id: GivenColumns[string] },
  >(
    table: Name,
    columns: Columns,
    build: (given: References<Columns>) => { set: RawBuilder<unknown>; where: RawBuilder<unknown> },
  ): (on: Statements, rows: readonly GivenRow<Columns>[]) => Promise<Selectable<Tables[Name]>[]>;
  /**
   * Locks the rows of a query in the order of their ids, until the transaction ends. A statement that changes several rows locks them in
   * any order, so that two could deadlock: call this before. SQLite runs one transaction at a time.
   */
  lockInOrder(rows: RowsWithId): Promise<void>;
  /** Leaves out of a job's query what another transaction has locked: the next run finds it. Call it with `$call`. */
  skipLocked<Name extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, Name, Row>,
  ): SelectQueryBuilder<Tables, Name, Row>;
  /** Calls `load` now, and again after a transaction on any node has announced a change of `topic`. */
  watch(topic: string, load: () => Promise<void>): Promise<void>;
  /** Resolves if the service can read its tables. @throws AuthError `service.unavailable`. */
  ping(): Promise<void>;
  /** Returns the number of busy and idle connections, and of callers that wait for one. Returns `undefined` on SQLite. */
  connections(): { busy: number; idle: number; waiting: number } | undefined;
  /**
   * Removes from the files what was deleted. SQLite overwrites deleted data, and keeps older pages in its log until then.
   * PostgreSQL does it with its next vacuum.
   * @returns false if it has to be tried again, as long as another process reads an older state.
   */
  forgetDeleted(): Promise<boolean>;
  close(): Promise<void>;
}
