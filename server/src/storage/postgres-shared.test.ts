// When shared transactions depart: one after the other, but none waits long for a database that hangs.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createSharingDriver } from './postgres-shared.ts';
import { createCombinations } from './statement-for-many.ts';

const MEMBERS = 64;

/** A driver whose database never gives a connection. Time passes when the test says so. */
function openHanging() {
  const pauses: (() => void)[] = [];
  let departed = 0;
  const pool = {
    connect() {
      departed += 1;
      return new Promise<never>(() => {});
    },
    count: () => ({ busy: 0, idle: 0, waiting: 0 }),
    command: async () => {},
    query: () => new Promise<never>(() => {}),
    queryAlone: () => new Promise<never>(() => {}),
    end: async () => {},
  };
  const clock = { elapsed: () => 0, sleep: () => new Promise<void>((end) => pauses.push(end)) };
  const driver = createSharingDriver(pool, createCombinations(), clock);
  return {
    departed: () => departed,
    async join(count: number) {
      for (let member = 0; member < count; member += 1) await driver.acquireConnection();
      await turn();
    },
    /** Ends all pauses that have begun so far. */
    async pass() {
      for (const end of pauses.splice(0)) end();
      await turn();
    },
  };
}

it('holds up a transaction for one pause, however many wait before it', async () => {
  const database = openHanging();
  await database.join(5 * MEMBERS + 1);
  assert.equal(database.departed(), 1, 'the others wait for the first one');
  await database.pass();
  assert.equal(database.departed(), 6);
  await database.join(1);
  assert.equal(database.departed(), 6);
  await database.pass();
  assert.equal(database.departed(), 7);
});
