// Rows: how many bytes an account, a session and an audit entry take, with their indexes, on both engines.
import { DatabaseSync } from 'node:sqlite';
import { newAccount } from '../server/src/accounts/index.ts';
import type { Service } from '../server/src/app/compose.ts';
import { createLogger } from '../server/src/app/log.ts';
import { openService } from '../server/src/app/main.ts';
import { readEnvironment } from '../server/src/config/environment.ts';
import type { Origin } from '../server/src/foundation/events.ts';
import { signInActions } from '../server/src/sign-in/declarations.ts';
import { startPostgres } from '../server/test/support/postgres.ts';
import type { Arena } from './arena.ts';
import { environmentOf, PASSWORD } from './latchkey.ts';
import { renderSection, type Section } from './report.ts';

/** Enough to make everything besides the rows negligible. */
const ROWS = 200_000;
const ROWS_PER_TRANSACTION = 500;

const TABLES = ['account', 'session', 'audit'] as const;

/** What one of the tables takes, in bytes. */
type Size = { readonly table: number; readonly indexes: number };
type Sizes = Readonly<Record<(typeof TABLES)[number], Size>>;

/** A user agent of the usual length. */
const USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** Accounts, and for each one sign-in: its session and its audit entry. */
async function fill({ accounts, sessions, audit, database, passwords }: Service) {
  const passwordHash = await passwords.hash(PASSWORD);
  const now = Date.now() as Parameters<typeof accounts.addAll>[2];
  for (let start = 0; start < ROWS; start += ROWS_PER_TRANSACTION) {
    const people = Array.from({ length: Math.min(ROWS_PER_TRANSACTION, ROWS - start) }, (_, n) => toPerson(start + n));
    await database.transaction(async (tx) => {
      const added = people.map((person) => ({ ...newAccount(person.userName, person), passwordHash }));
      const ids = await accounts.addAll(tx.sql, added, now);
      for (const [n, { userName, emailAddress: email }] of people.entries()) {
        const id = ids[n] as number;
        const origin: Origin = { ipAddress: `198.51.${n % 256}.17`, userAgent: USER_AGENT, frontEnd: 'default-app' };
        const subject = { id, userName, fullName: 'Thandiwe Mokoena', email, roles: [] };
        await sessions.open(tx, subject, { amr: ['pwd'], mustChangePassword: false, origin });
        const user = { id, name: userName };
        await audit.record(tx, { action: signInActions.password, outcome: 'success', user, origin });
      }
    });
  }
}

function toPerson(n: number) {
  const userName = `thandiwe.mokoena${n}`;
  return {
    userName,
    name: 'Thandiwe',
    surname: 'Mokoena',
    emailAddress: `${userName}@example.com`,
    mobileNumber: `+2782${1_000_000 + n}`,
    isEmailConfirmed: true,
    isMobileConfirmed: true,
  };
}

async function measureOn(variables: Record<string, string>, measure: (service: Service) => Promise<Sizes>) {
  const service = await openService(readEnvironment(variables), createLogger('silent'));
  try {
    await fill(service);
    return await measure(service);
  } finally {
    await service.database.close();
  }
}

const ofEach = async (read: (name: string) => Promise<Size> | Size): Promise<Sizes> => {
  const sizes = await Promise.all(TABLES.map(async (name) => [name, await read(name)] as const));
  return Object.fromEntries(sizes) as Sizes;
};

async function readSqlite(file: string): Promise<Sizes> {
  const db = new DatabaseSync(file, { readOnly: true });
  const text = `select coalesce(sum(pgsize), 0) as bytes from dbstat where name in
    (select name from sqlite_master where tbl_name = ? and type = ?)`;
  const read = (name: string, type: string) => Number(db.prepare(text).get(name, type)?.bytes);
  const sizes = await ofEach((name) => ({ table: read(name, 'table'), indexes: read(name, 'index') }));
  db.close();
  return sizes;
}

const readPostgres = ({ database }: Service) =>
  ofEach((name) =>
    database.sql
      .selectNoFrom(({ fn, val }) => [
        fn<number>('pg_table_size', [val(name)]).as('table'),
        fn<number>('pg_indexes_size', [val(name)]).as('indexes'),
      ])
      .executeTakeFirstOrThrow(),
  );

export const rows: Section = {
  name: 'rows',
  title: 'Bytes a row',
  expect: () => 120,
  async measure(arena: Arena) {
    const file = arena.newFile();
    const sqlite = await measureOn(environmentOf(file), () => readSqlite(`${file}/latchkey.db`));
    const { url } = arena.keep(await startPostgres());
    const postgres = await measureOn(environmentOf(arena.newFile(), { LATCHKEY_DATABASE_URL: url }), readPostgres);
    const line = (engine: string, sizes: Sizes) =>
      TABLES.map((name) => {
        const { table, indexes } = sizes[name];
        return [
          `${name}, ${engine}`,
          ...[table, indexes, table + indexes].map((bytes) => String(Math.round(bytes / ROWS))),
        ];
      });
    const about = `${ROWS.toLocaleString('en-US')} accounts with names, addresses and an argon2id hash, a session and an entry in the audit trail for each, written as the service writes them; nothing was changed or removed since.`;
    const head = ['', 'table', 'indexes', 'together'];
    return renderSection({ title: this.title, about }, [
      head,
      ...line('SQLite', sqlite),
      ...line('PostgreSQL', postgres),
    ]);
  },
};
