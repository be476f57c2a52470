// Locks that a test holds on PostgreSQL, so that the statements of transactions meet in an order that it chooses.
import { sql } from 'kysely';
import pg from 'pg';
import type { Database } from '../../src/storage/database.ts';
import { beside } from './databases.ts';
import { until } from './patience.ts';

/** A connection of the test's own beside those of the service. */
export interface Locks {
  /** Holds what these commands lock, until `release`. */
  hold(commands: string): Promise<void>;
  /** Waits until so many statements wait for a lock in this database. */
  untilWaiting(count: number): Promise<void>;
  release(): Promise<void>;
  close(): Promise<void>;
}

const WAITING = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** Waits until a statement waits for a lock in this database. */
export const untilWaiting = ({ sql: on }: Database): Promise<void> =>
  beside(() => until(async () => (await sql.raw(WAITING).execute(on)).rows.length > 0));

export async function openLocks(url: string): Promise<Locks> {
  const client = new pg.Client(url);
  await client.connect();
  return {
    hold: async (commands) => void (await client.query(`begin; ${commands}`)),
    untilWaiting: (count) =>
      until(async () => {
        // A transaction would go on seeing the connections that there were at its first look.
        await client.query('select pg_stat_clear_snapshot()');
        return (await client.query(WAITING)).rows.length >= count;
      }),
    release: async () => void (await client.query('rollback')),
    close: () => client.end(),
  };
}

/** Locks the announcements of this topic. */
export const ofTopic = (topic: string) =>
  `insert into version (topic, number) values ('${topic}', 1) on conflict (topic) do update set number = version.number`;
