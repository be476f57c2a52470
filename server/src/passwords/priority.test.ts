// The priority of hash threads, as the kernel reports it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { describe, it } from 'node:test';
import { lowerHashPriority } from './priority.ts';

/** Returns the nice values of this process's threads by name. */
function nicenessByName(): Map<string, Set<number>> {
  const byName = new Map<string, Set<number>>();
  for (const thread of readdirSync('/proc/self/task')) {
    const name = readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim();
    byName.set(name, (byName.get(name) ?? new Set()).add(getPriority(Number(thread))));
  }
  return byName;
}

describe('the priority of hash threads', () => {
  it('is five steps below that of all other threads', async () => {
    const own = getPriority();
    const lowered = await lowerHashPriority();
    assert.ok(lowered > 1, `${lowered} threads have a lower priority`);
    for (const [name, found] of nicenessByName()) {
      assert.deepEqual([...found], [name === 'libuv-worker' ? own + 5 : own], name);
    }
  });

  it('stays there when it is lowered again', async () => {
    const own = getPriority();
    assert.equal(await lowerHashPriority(), await lowerHashPriority());
    assert.deepEqual([...(nicenessByName().get('libuv-worker') ?? [])], [own + 5]);
  });
});
