// Several workers on one machine: a worker, or all of them, killed or stopped under load.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findChildren, isRunning } from '../support/process.ts';
import { isLong, often } from '../support/scale.ts';
import { createChance } from './chance.ts';
import { findFailedBefore, findViolations } from './checks.ts';
import { startLoad } from './load.ts';
import type { Person } from './person.ts';
import { report } from './report.ts';
import { takePin } from './single-use.ts';
import { startWorld, type World, waitFor } from './world.ts';

const WORKERS = 2;
const LONGEST_LIFE_MS = 400;
const DRAIN_DELAY_MS = 150;
const PROBE_MS = 5;

/** Far beyond the time of any answer. */
const HANGING_MS = 30_000;

/** Two workers are killed in turn: each lives longer than ten seconds. */
const SETTLED_MS = 6000;

describe('a node with two workers, under load', () => {
  let world: World;
  let people: Person[];
  before(async () => {
    world = await startWorld('postgres', { env: { LATCHKEY_WORKERS: String(WORKERS) } });
    people = await world.createPeople(6);
  });
  after(() => world?.close());

  const findWorkers = () => findChildren(world.process().child.pid ?? 0);
  /** Counts the workers that serve. */
  const countReady = async () => {
    const metrics = await fetch(`${world.url()}/metrics`).then(
      (answer) => answer.text(),
      () => '',
    );
    return Number(/^latchkey_workers (\d+)$/m.exec(metrics)?.[1]);
  };
  const untilComplete = () => waitFor('all workers', async () => (await countReady()) === WORKERS || undefined);

  /** Asks whether the node is ready, each time on a new connection. @returns all statuses, and the errors without an answer. */
  function probe() {
    const statuses = new Set<number | string>();
    let isOver = false;
    const probing = (async () => {
      while (!isOver) {
        const signal = AbortSignal.timeout(HANGING_MS);
        const asked = fetch(`${world.url()}/health/ready`, { headers: { connection: 'close' }, signal });
        const status = asked.then(
          (answer) => answer.status,
          ({ name }: Error) => name,
        );
        statuses.add(await status);
        await sleep(PROBE_MS);
      }
    })();
    return async () => {
      isOver = true;
      await probing;
      return statuses;
    };
  }

  it('kill -9 of a worker: it is replaced, the node stays ready, and nothing is lost or doubled', async () => {
    const start = world.ledger.entries.length;
    const chance = createChance('kill -9 of a worker');
    const rounds = often(2, 40);
    const endProbing = probe();
    let newest = 0;
    for (let round = 0; round < rounds; round += 1) {
      // A worker that ends soon after its start counts as one that cannot start.
      if (isLong) await sleep(SETTLED_MS);
      await untilComplete();
      const workers = findWorkers();
      const load = await startLoad(world, people);
      await sleep(chance() * LONGEST_LIFE_MS);
      const victim = workers.find((pid) => pid !== newest);
      assert.ok(victim, 'no worker runs');
      process.kill(victim, 'SIGKILL');
      await sleep(chance() * LONGEST_LIFE_MS);
      await Promise.all((await load.end()).map((held, index) => people[index]?.use(held)));
      await untilComplete();
      const started = findWorkers().filter((pid) => !workers.includes(pid));
      assert.equal(started.length, 1, 'one worker is new');
      newest = started[0] ?? 0;
      // Worker 1 sends the messages, and so does its replacement.
      const { person, operationId, pin } = await takePin(world, people[0] as Person);
      assert.ok(await person.givePin(operationId, pin));
    }
    const statuses = await endProbing();
    // A connection ends with its worker: this is a TypeError. It does not stay open without an answer.
    statuses.delete('TypeError');
    assert.deepEqual([...statuses], [200]);
    const { entries } = world.ledger;
    assert.ok(entries.some(({ outcome }) => outcome === 'done'));
    report('kill -9 of one worker of two', { entries: entries.slice(start) }, rounds, findViolations(entries));
  });

  it('SIGTERM to the node, and to the workers as systemd sends it: no request fails', async () => {
    const start = world.ledger.entries.length;
    await untilComplete();
    const rounds = often(1, 10);
    for (let round = 0; round < rounds; round += 1) {
      const before = world.ledger.entries.length;
      const load = await startLoad(world, people);
      const stoppedAt = performance.now();
      const stopping = world.process().stop();
      for (const worker of findWorkers()) process.kill(worker, 'SIGTERM');
      await sleep(DRAIN_DELAY_MS);
      await load.end();
      assert.equal(await stopping, 0);
      const since = world.ledger.entries.slice(before);
      assert.ok(since.length > people.length);
      assert.deepEqual(findFailedBefore(since, stoppedAt + DRAIN_DELAY_MS), []);
      await world.start();
      await untilComplete();
    }
    const { entries } = world.ledger;
    report('SIGTERM to a node with two workers', { entries: entries.slice(start) }, rounds, findViolations(entries));
  });

  it('kill -9 of the supervisor ends all workers', async () => {
    const start = world.ledger.entries.length;
    const workers = findWorkers();
    assert.equal(workers.length, WORKERS);
    const load = await startLoad(world, people);
    await world.kill();
    await waitFor('the end of all workers', () => workers.every((pid) => !isRunning(pid)) || undefined);
    await world.start();
    await load.end();
    const { entries } = world.ledger;
    report('kill -9 of the supervisor of two workers', { entries: entries.slice(start) }, 1, findViolations(entries));
  });
});
