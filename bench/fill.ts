// Fills a database that the service has migrated: with bare accounts and open sessions, or with revocations.
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

/** A year in milliseconds: the sessions stay open. */
const YEAR_MS = 31_536_000_000;

const DAY_MS = 86_400_000;

/** Rows per statement. */
const BATCH = 50_000;

/** How each engine generates a series and an id, and what it would otherwise do about new rows during a measurement. */
const dialects = {
  sqlite: {
    series: (from: number, to: number) =>
      `(with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${to}) select i from n)`,
    id: 'lower(hex(randomblob(16)))',
    uuid: `lower(printf('%s-%s-4%s-8%s-%s', hex(randomblob(4)), hex(randomblob(2)), substr(hex(randomblob(2)), 2),
      substr(hex(randomblob(2)), 2), hex(randomblob(6))))`,
    settle: ['analyze'],
  },
  postgres: {
    series: (from: number, to: number) => `(select i from generate_series(${from}, ${to}) as n(i))`,
    id: 'gen_random_uuid()::text',
    uuid: 'gen_random_uuid()::text',
    settle: ['vacuum (analyze)', 'checkpoint'],
  },
} as const;

/** Adds `count` accounts, each with one open session. @param url as `LATCHKEY_DATABASE_URL`. */
export async function fill(url: string, count: number): Promise<void> {
  const { series, id, settle, run, end } = await open(url);
  const now = Date.now();
  const account = `insert into account (person_id, user_name, user_name_key, name, surname, email, email_key, mobile,
      is_email_confirmed, is_mobile_confirmed, is_active, must_change_password, password_hash, password_version,
      password_changed_at, roles, last_sign_in_at, created_at)
    select ${id}, 'filler' || i, 'filler' || i, 'Filler', 'Number ' || i, 'filler' || i || '@example.com',
      'filler' || i || '@example.com', '+2790' || i, 1, 1, 1, 0,
      '$argon2id$v=19$m=19456,t=2,p=1$' || substr(${id}, 1, 22) || '$' || ${id} || substr(${id}, 1, 11), 1,
      ${now}, '[]', ${now}, ${now}`;
  const session = `insert into session (id, account_id, current_jti, front_end, amr, must_change_password, ip_address,
      user_agent, signed_in_at, last_refreshed_at, expires_at, ended_at)
    select ${id}, i, ${id}, 'default', 'pwd', 0, '192.0.2.1', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0',
      ${now}, ${now}, ${now + YEAR_MS}, null`;
  for (let from = 1; from <= count; from += BATCH) {
    const rows = series(from, Math.min(count, from + BATCH - 1));
    await run(`${account} from ${rows} as rows`);
    await run(`${session} from ${rows} as rows`);
  }
  for (const statement of settle) await run(statement);
  await end();
}

/** Adds revocations of `count` sessions, as after a copy from another database. @param url as `LATCHKEY_DATABASE_URL`. */
export async function fillRevocations(url: string, count: number): Promise<void> {
  const { series, uuid, settle, run, end } = await open(url);
  const now = Date.now();
  for (let from = 1; from <= count; from += BATCH) {
    await run(`insert into revocation (transaction_id, number, at, session_id, generation, expires_at)
      select 0, i, ${now}, ${uuid}, 1, ${now + DAY_MS} from ${series(from, Math.min(count, from + BATCH - 1))} as rows`);
  }
  for (const statement of settle) await run(statement);
  await end();
}

async function open(url: string) {
  if (!url.startsWith('sqlite:')) return { ...dialects.postgres, ...(await openPostgres(url)) };
  return { ...dialects.sqlite, ...(await openSqlite(url.slice('sqlite:'.length))) };
}

async function openSqlite(path: string) {
  const database = new DatabaseSync(path);
  return { run: async (sql: string) => database.exec(sql), end: async () => database.close() };
}

async function openPostgres(url: string) {
  const client = new pg.Client(url);
  await client.connect();
  return { run: (sql: string) => client.query(sql), end: () => client.end() };
}
