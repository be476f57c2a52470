// Starts, once for a whole test run, the PostgreSQL server that the tests share.
import { startPostgres, type TestPostgres } from './support/postgres.ts';

let server: TestPostgres | undefined;

export async function globalSetup() {
  server = await startPostgres();
  process.env.LATCHKEY_TEST_POSTGRES = server.url;
}

export async function globalTeardown() {
  await server?.stop();
}
