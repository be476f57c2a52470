// The high-water mark of the restore check: the newest audit entry that is known to be on disk.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createEvents, defineActions } from '../foundation/events.ts';
import type { Service } from './compose.ts';
import { watchForRestore } from './restore-check.ts';

const fail = (error: unknown) => assert.fail(String(error));
const { happened: action } = defineActions('test', { happened: '' });

/** A watch over an audit trail with the newest readable entry `newest`. */
async function watch(folder: string, newest: number) {
  const events = createEvents(fail);
  const trail = { newest };
  const service = {
    database: { engine: 'sqlite', transaction: async () => {} },
    auditStore: { newest: async () => trail.newest },
    events,
  };
  const { stop, wasRestored } = await watchForRestore(
    service as unknown as Service,
    `sqlite:${folder}/latchkey.db`,
    fail,
  );
  async function publish(...entries: number[]) {
    for (const entry of entries) events.publish({ action, outcome: 'success' }, entry);
    await nextTurn();
    await nextTurn();
  }
  return { trail, wasRestored, publish, stop };
}

describe('the high-water mark', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'latchkey-mark-'));
  });
  after(() => rmSync(folder, { recursive: true }));
  const mark = () => Number(readFileSync(join(folder, 'latchkey.mark'), 'utf8'));

  it('follows durable entries only', async () => {
    const { trail, publish, stop, wasRestored } = await watch(folder, 5);
    assert.deepEqual([mark(), wasRestored], [5, false]);
    trail.newest = 12;
    await publish(9, 7);
    assert.equal(mark(), 9);
    await stop();
    assert.equal(mark(), 12);
  });

  it('is not lowered below the entries of another process', async () => {
    const server = await watch(folder, 12);
    const command = await watch(folder, 12);
    await command.publish(15);
    await command.stop();
    await server.publish(13);
    assert.equal(mark(), 15);
    await server.stop();
    assert.equal(mark(), 15);
  });
});
