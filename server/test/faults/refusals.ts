// Refusals: how the owner of a PostgreSQL server keeps the service out, and lets it in again.
import { chownSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { localhostCertificate, localhostKey } from '../support/mail-server.ts';
import type { TestPostgres } from '../support/postgres.ts';

const ROLE = 'latchkey';
const PASSWORD = 'seven-green-bottles';
const DATABASE = 'latchkey';

/** The statements that begin and end a refusal. Each commits alone. `within` the service's database, or beside it. */
export type Refusal = { readonly begin: readonly string[]; readonly end: readonly string[]; readonly within?: true };

export const refusals: Record<string, Refusal> = {
  'its role has another password': {
    begin: [`alter role ${ROLE} password 'rotated'`],
    end: [`alter role ${ROLE} password '${PASSWORD}'`],
  },
  'its database accepts no connections': {
    begin: [`alter database ${DATABASE} allow_connections false`],
    end: [`alter database ${DATABASE} allow_connections true`],
  },
  'its database is dropped': {
    begin: [
      `alter database ${DATABASE} allow_connections false`,
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${DATABASE}'`,
      `create database kept template ${DATABASE} owner ${ROLE}`,
      `drop database ${DATABASE} with (force)`,
    ],
    end: [`alter database kept rename to ${DATABASE}`],
  },
  'it has no TLS any more': {
    begin: ['alter system set ssl = off', 'select pg_reload_conf()'],
    end: ['alter system set ssl = on', 'select pg_reload_conf()'],
  },
  'its role has no rights on the tables': {
    begin: [`revoke all on all tables in schema public from ${ROLE}`],
    end: [`grant all on all tables in schema public to ${ROLE}`],
    within: true,
  },
  'its tables are gone': {
    begin: ['alter schema public rename to away'],
    end: ['alter schema away rename to public'],
    within: true,
  },
};

/** Runs statements as the owner of the server. @param within the service's database, or beside it. */
export async function command({ url }: TestPostgres, statements: readonly string[], within = false): Promise<void> {
  const client = new pg.Client(within ? url.replace(/[^/]+$/, DATABASE) : url);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Makes a database whose role needs a password and TLS. @returns its address at this port. */
export async function createGuardedDatabase(postgres: TestPostgres, port: number): Promise<string> {
  const client = new pg.Client(postgres.url);
  await client.connect();
  const { rows } = await client.query("select current_setting('data_directory') as folder");
  await client.end();
  const folder: string = rows[0].folder;
  const write = (name: string, content: string) => {
    const path = join(folder, name);
    const { uid, gid } = statSync(folder);
    writeFileSync(path, content, { mode: 0o600 });
    chownSync(path, uid, gid);
  };
  const rules = readFileSync(join(folder, 'pg_hba.conf'), 'utf8');
  write('pg_hba.conf', `hostssl all ${ROLE} all scram-sha-256\nhost all ${ROLE} all reject\n${rules}`);
  write('server.crt', localhostCertificate);
  write('server.key', localhostKey);
  await command(postgres, [
    ...['alter system set ssl = on', 'select pg_reload_conf()'],
    `create role ${ROLE} login password '${PASSWORD}'`,
    `create database ${DATABASE} owner ${ROLE}`,
  ]);
  return `postgres://${ROLE}:${PASSWORD}@127.0.0.1:${port}/${DATABASE}?sslmode=no-verify`;
}
