// Verifiers while the feed is cut, processes are killed or paused, clocks are set and a backup is restored: they refuse each
// dead token in time, and accept live ones again in time.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommandLine } from '../cli/run.ts';
import { itAtLength, often } from '../support/scale.ts';
import { TEST_SECRET } from '../support/service.ts';
import { createSettableClock } from '../support/settable-clock.ts';
import { createChance } from './chance.ts';
import { LONG_MS, startVerifiers, type Verifiers } from './verifiers.ts';
import { startWorld, type World } from './world.ts';

const PEOPLE = 4;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** Time for some calls, and for a sign of life of the service, which comes every two seconds. */
const MOMENT_MS = 300;
const BEAT_MS = 2000;

describe('verifiers of a service on sqlite', () => {
  const clocks = { service: createSettableClock(), verifier: createSettableClock() };
  const chance = createChance('verifiers');
  let world: World;
  let verifiers: Verifiers;
  before(async () => {
    world = await startWorld('sqlite', { env: clocks.service.env });
    verifiers = await startVerifiers(world, await world.createPeople(PEOPLE), clocks.verifier.env);
  });
  after(async () => {
    await verifiers?.close();
    await world?.close();
    for (const clock of Object.values(clocks)) clock.close();
  });

  /** Breaks and repairs something this often. @returns how often a verifier could not judge a token. */
  async function breakOften(fault: string, rounds: number, work: () => Promise<void>): Promise<number> {
    for (let round = 0; round < rounds; round += 1) {
      await verifiers.during(work);
      await verifiers.settle();
    }
    return verifiers.conclude(fault, rounds);
  }

  it('survive a feed that is cut in the middle of its data', async () => {
    await breakOften('the feed is cut in the middle', often(1, 10), async () => {
      verifiers.proxy.tear();
      await sleep(MOMENT_MS + chance() * BEAT_MS);
      verifiers.proxy.pass();
    });
  });

  itAtLength('survive a feed that is silent', async () => {
    const stale = await breakOften('the feed is silent', often(1, 10), async () => {
      verifiers.proxy.swallow();
      await sleep(LONG_MS);
      verifiers.proxy.pass();
    });
    assert.ok(stale > 0);
  });

  itAtLength('survive a feed that is late', async () => {
    const stale = await breakOften('the feed is late', often(1, 10), async () => {
      for (const late of [chance() * BEAT_MS, 2 * LONG_MS]) {
        verifiers.proxy.delay(late);
        await sleep(LONG_MS);
      }
      verifiers.proxy.pass();
    });
    assert.ok(stale > 0);
  });

  it('survive kill -9 of the service', async () => {
    await breakOften('kill -9 of the service', often(1, 20), async () => {
      await sleep(chance() * MOMENT_MS);
      await world.kill();
      await world.start();
    });
  });

  it('survive kill -9 of a verifier, which knows all that matters when it starts', async () => {
    await breakOften('kill -9 of a verifier', often(1, 20), async () => {
      await sleep(chance() * MOMENT_MS);
      const { child } = verifiers.sidecar();
      child.kill('SIGKILL');
      await once(child, 'exit');
      await verifiers.startSidecar();
    });
  });

  itAtLength('survive a pause of a verifier', async () => {
    await breakOften('a verifier is paused', often(1, 10), async () => {
      const { child } = verifiers.sidecar();
      child.kill('SIGSTOP');
      await sleep(LONG_MS);
      child.kill('SIGCONT');
    });
  });

  itAtLength('survive a clock of a verifier that is set', async () => {
    const steps = [HOUR, -HOUR, DAY, 0];
    for (let round = 0; round < often(1, 5); round += 1) {
      for (const seconds of steps) {
        await verifiers.during(() => clocks.verifier.set(seconds));
        await sleep(MOMENT_MS);
        await verifiers.settle();
      }
    }
    await verifiers.conclude('the clock of a verifier is set', often(1, 5) * steps.length);
  });

  itAtLength('survive a clock of the service that is set', async () => {
    const steps = [HOUR, 0, -HOUR, 0];
    for (let round = 0; round < often(1, 5); round += 1) {
      let now = 0;
      for (const seconds of steps) {
        await verifiers.during(async () => {
          await sleep(MOMENT_MS);
          if (seconds > now) return clocks.service.set(seconds);
          // Tokens of a clock that was ahead are not valid yet. The service refuses them, too.
          await verifiers.rest();
          await verifiers.endAll('set the clock back', async () => {
            await clocks.service.set(seconds);
            return false;
          });
        });
        now = seconds;
        await sleep(MOMENT_MS);
        await verifiers.settle();
      }
    }
    await verifiers.conclude('the clock of the service is set', often(1, 5) * steps.length);
  });

  it('survive a restored backup and latchkey sessions end-all', async () => {
    const file = join(world.dataDir, 'latchkey.db');
    const copy = join(world.dataDir, 'backup');
    const env = {
      LATCHKEY_DATABASE_URL: world.databaseUrl,
      LATCHKEY_DATA_DIR: world.dataDir,
      LATCHKEY_SECRET: TEST_SECRET,
    };
    await breakOften('a backup is restored', often(1, 5), async () => {
      const database = new DatabaseSync(file, { readOnly: true });
      await backup(database, copy);
      database.close();
      await sleep(MOMENT_MS);
      await world.kill();
      for (const old of globSync('latchkey.{db*,mark*}', { cwd: world.dataDir })) rmSync(join(world.dataDir, old));
      cpSync(copy, file);
      // Nothing is acknowledged meanwhile: the service is down.
      await verifiers.rest();
      await verifiers.endAll('end all sessions', async () => {
        const { code, err } = await runCommandLine(['sessions', 'end-all', '--yes'], env, world.dataDir);
        assert.equal(code, 0, err);
        return true;
      });
      await world.start();
    });
  });
});
