// The embedded database is full or read-only: writes answer 503, token checks continue, and recovery is automatic.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { isLong, often } from '../support/scale.ts';
import { findViolations } from './checks.ts';
import type { Person } from './person.ts';
import { createRegistrants, type Registrants } from './registrants.ts';
import { report } from './report.ts';
import { allDone, allUnavailable, takeOneOfEach, tryOneOfEach } from './single-use.ts';
import { startWorld, type World, waitFor } from './world.ts';

const ROUNDS = often(1, 3);

/** A call that does not write to the store is never refused. */
const onlyReads = { ...allUnavailable, use: 200 };

describe('the embedded database', () => {
  let world: World;
  let people: Person[];
  let registrants: Registrants;
  before(async () => {
    world = await startWorld('sqlite');
    people = await world.createPeople(3);
    registrants = createRegistrants(world);
  });
  after(() => world?.close());

  /** Tries each call while the fault lasts, and again after it. */
  async function assertNothingConsumed(fault: string, begin: () => unknown, end: () => unknown) {
    const start = world.ledger.entries.length;
    for (let round = 0; round < ROUNDS; round += 1) {
      const held = await takeOneOfEach(world, people, registrants);
      const password = `staple gravel lantern ${fault} ${round}`;
      begin();
      try {
        assert.deepEqual(await tryOneOfEach(people, registrants, held, password), onlyReads);
        assert.equal((await fetch(`${world.url()}/health/live`)).status, 200);
      } finally {
        end();
      }
      await waitFor('readiness', async () => (await fetch(`${world.url()}/health/ready`)).status === 200);
      assert.deepEqual(await tryOneOfEach(people, registrants, held, password), allDone);
    }
    const { entries } = world.ledger;
    report(fault, { entries: entries.slice(start) }, ROUNDS, findViolations(entries));
  }

  // Only Linux can take disk space away from a running process.
  const itOnLinux = process.platform === 'linux' ? it : () => {};
  itOnLinux('that finds no room to write consumes nothing, and goes on when there is', async () => {
    const limit = (bytes: string) => {
      const { status, stderr } = spawnSync('prlimit', ['--pid', String(world.process().child.pid), `--fsize=${bytes}`]);
      assert.equal(status, 0, String(stderr));
    };
    await assertNothingConsumed(
      'the disk is full',
      () => limit('1:unlimited'),
      () => limit('unlimited'),
    );
  });

  // Each write waits for the lock as long as it may, so that all of them together take a while.
  const itAtLength = isLong ? it : () => {};
  itAtLength('that another program keeps locked consumes nothing, and goes on when it is free', async () => {
    const other = new DatabaseSync(world.databaseUrl.slice('sqlite:'.length), { timeout: 5000 });
    try {
      await assertNothingConsumed(
        'the database is locked',
        () => other.exec('begin immediate'),
        () => other.exec('rollback'),
      );
    } finally {
      other.close();
    }
  });
});
