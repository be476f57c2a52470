// Starts, once for a whole test run, the PostgreSQL server that the tests share.
import { createTemplate } from './support/databases.ts';
import { startPostgres, type TestPostgres } from './support/postgres.ts';

let server: TestPostgres | undefined;

export async function globalSetup() {
  server = await startPostgres({ autovacuum: 'off' });
  process.env.LATCHKEY_TEST_POSTGRES = server.url;
  process.env.LATCHKEY_TEST_TEMPLATE = await createTemplate(server.url);
}

export async function globalTeardown() {
  await server?.stop();
}
