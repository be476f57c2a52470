// The audit feed misses nothing: many writers on several nodes, and collectors that read in each of the three ways meanwhile.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditFeedItem } from '../../src/audit/index.ts';
import { defineActions } from '../../src/foundation/events.ts';
import type { FeedPage } from '../../src/foundation/tail.ts';
import { createRunningClock } from '../support/clock.ts';
import { createMigratedUrl } from '../support/databases.ts';
import { openFeedStream } from '../support/feed-stream.ts';
import { often } from '../support/scale.ts';
import { startTestService, type TestService } from '../support/service.ts';

const PATH = '/api/audit-feed';
const WRITERS = 16;
const TRANSACTIONS = often(10, 25);
const NODES = 3;
/** After so many entries, a stream is cut and opened again. */
const CUT = 40;
const LAST = 'last';
const { done: action } = defineActions('test', { done: '' });

const folder = mkdtempSync(join(tmpdir(), 'latchkey-feed-'));
after(() => rmSync(folder, { recursive: true }));

const setUps = {
  SQLite: async () => [await startNode('sqlite', `sqlite:${join(folder, 'latchkey.db')}`)],
  async [`PostgreSQL with ${NODES} nodes`]() {
    const url = await createMigratedUrl('postgres');
    const nodes: TestService[] = [];
    for (let node = 0; node < NODES; node += 1) nodes.push(await startNode('postgres', url));
    return nodes;
  },
};

async function startNode(engine: 'sqlite' | 'postgres', url: string) {
  const node = await startTestService(engine, { url, clock: createRunningClock() });
  node.service.chainer.start();
  return node;
}

/** Writes entries in transactions of different lengths. Some are rolled back. @returns the reasons that are committed. */
async function write({ service: { database, audit } }: TestService, writer: number): Promise<string[]> {
  const committed: string[] = [];
  for (let number = 0; number < TRANSACTIONS; number += 1) {
    const reasons = Array.from({ length: 1 + (number % 4) }, (_, index) => `w${writer}.${number}.${index}`);
    const isUndone = (writer + number) % 7 === 0;
    const transaction = database.transaction(async (tx) => {
      for (const reason of reasons) await audit.record(tx, { action, outcome: 'refused', reason });
      for (let turn = 0; turn < (writer * 31 + number * 17) % 60; turn += 1) await nextTurn();
      if (isUndone) throw new Error('undone');
    });
    if (isUndone) await assert.rejects(transaction, /undone/);
    else {
      await transaction;
      committed.push(...reasons);
    }
  }
  return committed;
}

/** The ways to read. Each returns what it has read, in this order, when it has read the last entry. */
const collectors: Record<string, (url: string, key: string) => Promise<AuditFeedItem[]>> = {
  pages: (url, key) => readPages(url, key, ''),
  'long polls': (url, key) => readPages(url, key, '&wait=25'),
  async streams(url, key) {
    const items: AuditFeedItem[] = [];
    while (items.at(-1)?.reason !== LAST) {
      const cursor = items.at(-1)?.cursor;
      const stream = await openFeedStream<AuditFeedItem>(url, { key, path: PATH, ...(cursor && { cursor }) });
      await stream.until(() => stream.items.length >= CUT || stream.items.at(-1)?.reason === LAST);
      items.push(...stream.items);
      stream.close();
    }
    return items;
  },
};

async function readPages(url: string, key: string, query: string): Promise<AuditFeedItem[]> {
  const items: AuditFeedItem[] = [];
  for (let cursor = ''; items.at(-1)?.reason !== LAST; ) {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${url}${PATH}?after=${cursor}${query}`, { headers });
    assert.equal(response.status, 200);
    const page = (await response.json()) as FeedPage<AuditFeedItem>;
    items.push(...page.items);
    cursor = page.next;
  }
  return items;
}

for (const [name, start] of Object.entries(setUps)) {
  describe(`collectors of the audit trail on ${name}`, () => {
    let nodes: TestService[];
    let urls: string[];
    let key: string;
    before(async () => {
      nodes = await start();
      urls = await Promise.all(nodes.map(({ app }) => app.listen({ port: 0, host: '127.0.0.1' })));
      key = (await nodes[0]?.createServiceKey('collector', ['audit'])) ?? '';
    });
    after(async () => {
      for (const { service } of nodes) await service.chainer.stop();
      for (const node of nodes) await node.close();
    });

    it('miss no entry, in the order of the chain', async () => {
      const reading = Object.entries(collectors).flatMap(([way, collect]) =>
        urls.map(async (url) => ({ way, items: await collect(url, key) })),
      );
      const nodeOf = (index: number) => nodes[index % nodes.length] ?? assert.fail();
      const written = await Promise.all(Array.from({ length: WRITERS }, (_, index) => write(nodeOf(index), index)));
      const { service } = nodeOf(0);
      // A node that has stopped leaves its entries to the others.
      if (nodes.length > 1) await service.chainer.stop();
      const last = { action, outcome: 'refused', reason: LAST } as const;
      await service.database.transaction((tx) => service.audit.record(tx, last));
      for (const { way, items } of await Promise.all(reading)) {
        const first = items.filter(({ hash }, index) => items.findIndex((one) => one.hash === hash) === index);
        assert.deepEqual(
          first.map(({ sequence }) => sequence),
          first.map((_, index) => index + 1),
          way,
        );
        const reasons = first.filter((item) => item.action === action.name).map(({ reason }) => reason);
        assert.deepEqual(reasons.toSorted(), [...written.flat(), LAST].toSorted(), way);
      }
    });
  });
}
