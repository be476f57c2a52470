// Starts, once for a whole test run, the PostgreSQL server that the tests share.
import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createTemplate } from './support/databases.ts';
import { startPostgres, type TestPostgres } from './support/postgres.ts';

/** The run makes hundreds of databases, and no standby and no crash needs what the server would write for these. */
const SETTINGS = { autovacuum: 'off', wal_level: 'minimal', max_wal_senders: '0', full_page_writes: 'off' };

/** Files in memory. Each database has hundreds of files, and a disk takes longer to create them than PostgreSQL. */
const MEMORY = '/dev/shm';

/** In bytes: the databases of all tests, and what the tests need beside them. */
const ALL_DATABASES = 8 * 2 ** 30;
const MEMORY_OF_TESTS = 4 * 2 ** 30;

let server: TestPostgres | undefined;

export async function globalSetup() {
  server = await startPostgres(SETTINGS, hasRoom() ? MEMORY : tmpdir());
  process.env.LATCHKEY_TEST_POSTGRES = server.socketUrl;
  process.env.LATCHKEY_TEST_TEMPLATE = await createTemplate(server.socketUrl);
}

export async function globalTeardown() {
  await server?.stop();
}

function hasRoom() {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ALL_DATABASES && process.availableMemory() > ALL_DATABASES + MEMORY_OF_TESTS;
}
