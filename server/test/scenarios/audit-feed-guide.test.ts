// The collector of the guide on the audit feed, run as printed: killed in the middle of a line, and after a restored backup.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { AuditFeedItem } from '../../src/audit/index.ts';
import { createRunningClock } from '../support/clock.ts';
import { readGuideFile } from '../support/guide.ts';
import { startTestService, type TestService } from '../support/service.ts';

describe('collector.mjs of the guide on the audit feed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-collector-'));
  const file = join(folder, 'trail.jsonl');
  const watcher = watch(folder);
  let test: TestService;
  let env: Record<string, string>;
  let collector: ChildProcess | undefined;
  before(async () => {
    test = await startTestService('sqlite', { clock: createRunningClock() });
    test.service.chainer.start();
    const LATCHKEY_URL = await test.app.listen({ port: 0, host: '127.0.0.1' });
    env = { LATCHKEY_URL, LATCHKEY_SERVICE_KEY: await test.createServiceKey('collector', ['audit']) };
    writeFileSync(join(folder, 'collector.mjs'), readGuideFile('audit-feed.md', 'collector.mjs'));
  });
  after(async () => {
    await kill();
    watcher.close();
    rmSync(folder, { recursive: true });
    await test.service.chainer.stop();
    await test.close();
  });

  function start() {
    collector = spawn(process.execPath, ['collector.mjs'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  }
  async function kill() {
    if (!collector) return;
    const exit = once(collector, 'exit');
    collector.kill('SIGKILL');
    await exit;
    collector = undefined;
  }
  const readLines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []);
  const readEntries = (): AuditFeedItem[] => readLines().map((line) => JSON.parse(line));
  const readChain = () =>
    test.service.database.sql.selectFrom('audit').select(['id', 'sequence', 'hash']).orderBy('sequence').execute();

  /** Waits until the file has these entries, and fails if it has one twice. */
  async function untilCollected(hashes: readonly (string | null)[]) {
    while (readLines().length < hashes.length) await once(watcher, 'change');
    assert.deepEqual(
      readEntries().map(({ hash }) => hash),
      hashes,
    );
  }

  it('has each entry once, also after it was killed in the middle of a line', async () => {
    start();
    await test.createUser('thandi');
    await test.service.chainer.chainAll();
    await untilCollected((await readChain()).map(({ hash }) => hash));
    await kill();
    appendFileSync(file, '{"cursor":"99');
    await test.createUser('sipho');
    start();
    await test.service.chainer.chainAll();
    await untilCollected((await readChain()).map(({ hash }) => hash));
  });

  it('loses nothing when it can write nothing at its start', async () => {
    await kill();
    const kept = readFileSync(file, 'utf8');
    appendFileSync(file, '{"cursor":"99');
    await test.createUser('naledi');
    await test.service.chainer.chainAll();
    // As on a full disk.
    const blocked = spawn('/bin/sh', ['-c', 'ulimit -f 0 && exec "$0" collector.mjs', process.execPath], {
      cwd: folder,
      env,
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    const exit = once(blocked, 'exit');
    await once(blocked.stderr, 'data');
    blocked.kill('SIGKILL');
    await exit;
    const left = readFileSync(file, 'utf8');
    start();
    assert.equal(left, kept);
    await untilCollected((await readChain()).map(({ hash }) => hash));
  });

  it('keeps what a restored backup does not have, and goes on with what it has', async () => {
    const { database, chainer } = test.service;
    const collected = readEntries().map(({ hash }) => hash);
    const [cut] = (await readChain()).slice(-3);
    const [before] = (await readChain()).slice(-4);
    const to = { head_sequence: before?.sequence ?? 0, head_hash: before?.hash ?? '' };
    await database.transaction(async (tx) => {
      await tx.sql
        .deleteFrom('audit')
        .where('id', '>=', cut?.id ?? 0)
        .execute();
      await tx.sql.updateTable('audit_chain').set(to).execute();
    });
    await test.createUser('lerato');
    await chainer.chainAll();
    const now = (await readChain()).map(({ hash }) => hash);
    await untilCollected([...collected, ...now.filter((hash) => !collected.includes(hash ?? ''))]);
  });
});
