// The mark of the restore check: how far the database is known to have come, on disk.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Service } from './compose.ts';
import { createEvents, defineActions } from './foundation/events.ts';
import { watchForRestore } from './restore-check.ts';

const fail = (error: unknown) => assert.fail(String(error));
const { happened: action } = defineActions('test', { happened: '' });

it('follows the entries that are durable, and not those that can only be read', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-mark-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const events = createEvents(fail);
  let readable = 5;
  const service = { database: { engine: 'sqlite' }, auditStore: { newest: async () => readable }, events };
  const watch = await watchForRestore(service as unknown as Service, `sqlite:${folder}/latchkey.db`, fail);
  const mark = () => Number(readFileSync(join(folder, 'latchkey.mark'), 'utf8'));
  assert.deepEqual([mark(), watch.wasRestored], [5, false]);

  readable = 12;
  for (const entry of [9, 7]) events.publish({ action, outcome: 'success' }, entry);
  await nextTurn();
  await nextTurn();
  assert.equal(mark(), 9);
  await watch.stop();
  assert.equal(mark(), 9);
});
