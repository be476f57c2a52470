// The database as stores and journeys see it: its tables, and transactions that are passed along explicitly.
import type { Generated, Kysely } from 'kysely';
import type { Instant } from '../foundation/clock.ts';

/** A yes or no as both engines keep it. */
export type Flag = 0 | 1;

export type AccountTable = {
  id: Generated<number>;
  person_id: string;
  user_name: string;
  /** User name under NFKC case folding: unique. */
  user_name_key: string;
  name: string;
  surname: string;
  email: string | null;
  email_key: string | null;
  /** E.164. */
  mobile: string | null;
  is_email_confirmed: Flag;
  is_mobile_confirmed: Flag;
  is_active: Flag;
  must_change_password: Flag;
  password_hash: string | null;
  /** Grows with each new password (not with a stronger hash of the same), so that a check of the old one cannot win a race. */
  password_version: number;
  password_changed_at: Instant | null;
  /** JSON array of role names. */
  roles: string;
  last_sign_in_at: Instant | null;
  created_at: Instant;
};

export type SessionTable = {
  id: string;
  account_id: number;
  /** The one token of this session that is valid; every other one is blacklisted. */
  current_jti: string;
  front_end: string;
  /** `amr` of the sign-in: `pwd`, `otp` or `ext`. */
  method: string;
  /** 1 until a password that must be changed was changed. */
  must_change_password: Flag;
  ip_address: string | null;
  user_agent: string | null;
  signed_in_at: Instant;
  last_refreshed_at: Instant | null;
  /** The absolute end: no refresh beyond it. */
  expires_at: Instant;
  ended_at: Instant | null;
};

export type SigningKeyTable = {
  /** Counts the rotations: unique, so that of two nodes that rotate at once one wins. */
  number: number;
  kid: string;
  public_jwk: string;
  /** PKCS #8, sealed with the server's secret. */
  sealed_private_key: string;
  created_at: Instant;
  /** Signs from here on, until the next key does. */
  active_from: Instant;
};

export type LockoutTable = {
  subject: string;
  /** Failures since the last success or lock. */
  failures: number;
  /** Failures in a row, locks included. */
  streak: number;
  /** Attempts that were reserved and have no verdict yet. */
  pending: number;
  locked_until: Instant | null;
  /** Of the last reservation or verdict. */
  touched_at: Instant;
};

export type SettingValueTable = {
  name: string;
  /** The front end's key, or '' for what applies everywhere. */
  app_key: string;
  /** JSON. */
  value: string;
  changed_at: Instant;
  changed_by: string | null;
};

export type SettingChangeTable = {
  id: Generated<number>;
  name: string;
  app_key: string;
  old_value: string | null;
  new_value: string | null;
  changed_at: Instant;
  changed_by: string | null;
};

export type FrontEndTable = {
  id: string;
  app_key: string;
  name: string;
  description: string;
  created_at: Instant;
};

export type AuditTable = {
  id: Generated<number>;
  at: Instant;
  action: string;
  outcome: string;
  reason: string | null;
  user_id: number | null;
  user_name: string | null;
  ip_address: string | null;
  front_end: string | null;
  user_agent: string | null;
  /** JSON object. */
  details: string | null;
};

export type RateWindowTable = {
  policy: string;
  address: string;
  started_at: Instant;
  requests: number;
  refused_at: Instant | null;
};

/** Counts the announced changes of what nodes keep in memory: settings, front ends, keys. */
export type VersionTable = { topic: string; number: number };

export type Tables = {
  account: AccountTable;
  session: SessionTable;
  signing_key: SigningKeyTable;
  lockout: LockoutTable;
  setting_value: SettingValueTable;
  setting_change: SettingChangeTable;
  front_end: FrontEndTable;
  audit: AuditTable;
  rate_window: RateWindowTable;
  version: VersionTable;
};

/** Where statements go: the database itself (each commits alone) or a transaction. */
export type Statements = Kysely<Tables>;

/** A transaction under way. */
export interface Tx {
  readonly sql: Statements;
  /** Runs `effect` once the transaction is durable; never when it is rolled back. */
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

/** One store for accounts, sessions, settings: SQLite or PostgreSQL. */
export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  readonly sql: Statements;
  /**
   * Runs `work` in one transaction: durable when the promise resolves, undone when it rejects.
   * On SQLite transactions run one after the other, so `work` awaits nothing but its own statements.
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * The fast way to read committed rows by key: a prepared statement on SQLite; on PostgreSQL the keys of one
   * event-loop turn in one query.
   */
  keyedReader<Name extends keyof Tables, Column extends keyof Tables[Name]>(
    rows: KeyedRows<Name, Column>,
  ): (key: string | number) => Promise<Selected<Name, Column> | undefined>;
  /** Loads what is kept in memory under `topic`, now and whenever a transaction on any node has announced a change. */
  watch(topic: string, load: () => Promise<void>): Promise<void>;
  /** Resolves when the store answers; else rejects with `service.unavailable`. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
