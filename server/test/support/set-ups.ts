// Set-ups: one node on either engine, or two nodes that share a PostgreSQL database.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManualClock } from './clock.ts';
import { createMigratedUrl, migratedSqlite } from './databases.ts';
import { isLong } from './scale.ts';
import { startTestService, type TestService, type TestServiceOptions } from './service.ts';

/** Two entrances to one service: the same node twice, or two nodes with one clock. */
export interface SetUp {
  readonly here: TestService;
  readonly there: TestService;
  close(): Promise<void>;
}

type SetUpOptions = Pick<TestServiceOptions, 'additions' | 'around'>;

async function startAlone(engine: 'sqlite' | 'postgres', options: TestServiceOptions): Promise<SetUp> {
  const node = await startTestService(engine, options);
  return { here: node, there: node, close: node.close };
}

type Start = (options?: SetUpOptions) => Promise<SetUp>;

const oneNode: Record<string, Start> = {
  PostgreSQL: async (options) => startAlone('postgres', { ...options, url: await createMigratedUrl('postgres') }),
};

/**
 * Each set-up by name; SQLite in a file, so that readers and the writer have separate connections. Two nodes meet all that
 * one node on PostgreSQL meets, which therefore has its turn in the long form.
 */
export const setUps: Record<string, Start> = {
  async SQLite(options = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-test-'));
    const path = join(folder, 'latchkey.db');
    writeFileSync(path, await migratedSqlite());
    const alone = await startAlone('sqlite', { ...options, url: `sqlite:${path}` });
    return {
      ...alone,
      async close() {
        await alone.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
  ...(isLong && oneNode),
  'PostgreSQL with two nodes': startTwoNodes,
};

/** Two nodes on one new PostgreSQL database. What `set` changes applies to both when it returns. */
export async function startTwoNodes(options: SetUpOptions = {}): Promise<SetUp> {
  const shared = { ...options, url: await createMigratedUrl('postgres'), clock: createManualClock() };
  const here = await startTestService('postgres', shared);
  const there = await startTestService('postgres', shared);
  const withPeer = (node: TestService, peer: TestService): TestService => ({
    ...node,
    async set(...change) {
      await node.set(...change);
      await peer.service.settings.load();
    },
  });
  return {
    here: withPeer(here, there),
    there: withPeer(there, here),
    async close() {
      await there.close();
      await here.close();
    },
  };
}
