// Set-ups: the service as it may run, alone on either engine or as two nodes that share a PostgreSQL database.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManualClock } from './clock.ts';
import { createDatabaseUrl } from './databases.ts';
import { startTestService, type TestService } from './service.ts';

/** Two doors into one service: the same node twice, or two nodes with one clock. */
export interface SetUp {
  readonly here: TestService;
  readonly there: TestService;
  close(): Promise<void>;
}

async function startAlone(engine: 'sqlite' | 'postgres', url: string): Promise<SetUp> {
  const node = await startTestService(engine, { url });
  return { here: node, there: node, close: node.close };
}

/** Each set-up under its name; SQLite in a file, so that readers and the writer have connections of their own. */
export const setUps: Record<string, () => Promise<SetUp>> = {
  async SQLite() {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-test-'));
    const alone = await startAlone('sqlite', `sqlite:${join(folder, 'latchkey.db')}`);
    return {
      ...alone,
      async close() {
        await alone.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
  PostgreSQL: async () => startAlone('postgres', await createDatabaseUrl('postgres')),
  'PostgreSQL with two nodes': startTwoNodes,
};

/** Two nodes on one new PostgreSQL database. */
export async function startTwoNodes(): Promise<SetUp> {
  const shared = { url: await createDatabaseUrl('postgres'), clock: createManualClock() };
  const here = await startTestService('postgres', shared);
  const there = await startTestService('postgres', shared);
  return {
    here,
    there,
    async close() {
      await there.close();
      await here.close();
    },
  };
}
