// The database as stores and journeys see it: its tables (tables.ts), and transactions that are passed along explicitly.
import type { Compilable, Generated, Kysely } from 'kysely';
import type { Tables } from './tables.ts';

export type * from './tables.ts';

/** Where statements go: the database itself (each commits alone) or a transaction. */
export type Statements = Kysely<Tables>;

/** A transaction under way. */
export interface Tx {
  readonly sql: Statements;
  /** Runs `effect` once the transaction is durable, or committed if it need not be; never when it is rolled back. */
  afterCommit(effect: () => void): void;
  /**
   * Says that what nodes keep in memory under `topic` has changed: this node reloads it before the transaction's
   * promise resolves, every other one within 2 s.
   */
  announce(topic: string): Promise<void>;
}

/** Which rows a keyed reader gives: `columns` of the row of `table` whose `key` has the value asked for. */
export type KeyedRows<Name extends keyof Tables, Column extends keyof Tables[Name]> = {
  readonly table: Name;
  readonly key: Column & string;
  readonly columns: readonly (Column & string)[];
};

/** Plain values of a table's columns, as selected. */
export type Selected<Name extends keyof Tables, Column extends keyof Tables[Name]> = {
  [C in Column]: Tables[Name][C] extends Generated<infer Value> ? Value : Tables[Name][C];
};

/** Stands for a value while a statement is built. */
export type Given<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name];

/** Builds a statement from the names of its values alone. */
export type BuildStatement<Values, Row> = (on: Statements, given: Given<Values>) => Compilable<Row>;

/** One store for accounts, sessions, settings: SQLite or PostgreSQL. */
export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  readonly sql: Statements;
  /**
   * Runs `work` in one transaction: durable when the promise resolves, undone when it rejects.
   * On SQLite transactions run one after the other, so `work` awaits nothing but its own statements: any other would not
   * see what those before it have written, either.
   * @param options `durable: false` for what is worth nothing once this machine has failed: it is as atomic, and all
   * others see it, but it need not be on disk yet. PostgreSQL makes it durable all the same: nodes outlive its machine.
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>, options?: { durable?: boolean }): Promise<Result>;
  /**
   * The fast way to read committed rows by key: a prepared statement on SQLite; on PostgreSQL the keys of one
   * event-loop turn in one query.
   */
  keyedReader<Name extends keyof Tables, Column extends keyof Tables[Name]>(
    rows: KeyedRows<Name, Column>,
  ): (key: string | number) => Promise<Selected<Name, Column> | undefined>;
  /**
   * A statement that is built when it first runs, and from then on only filled in.
   * @returns runs it with its values, on the database or in a transaction; gives its rows.
   */
  statement<Values, Row>(build: BuildStatement<Values, Row>): (on: Statements, values: Values) => Promise<Row[]>;
  /** Loads what is kept in memory under `topic`, now and whenever a transaction on any node has announced a change. */
  watch(topic: string, load: () => Promise<void>): Promise<void>;
  /** Resolves when the store answers; else rejects with `service.unavailable`. */
  ping(): Promise<void>;
  /** Connections by what they are doing, and callers that wait for one. Nothing on SQLite, where nobody waits for one. */
  connections(): { busy: number; idle: number; waiting: number } | undefined;
  close(): Promise<void>;
}
