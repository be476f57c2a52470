// Changes under a running service: its clock moves back and forth, keys rotate, a stored setting is broken.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import type { Engine } from '../support/databases.ts';
import { often } from '../support/scale.ts';
import { TEST_SECRET } from '../support/service.ts';
import { createSettableClock } from '../support/settable-clock.ts';
import { findViolations } from './checks.ts';
import { startLoad } from './load.ts';
import type { Person } from './person.ts';
import { report } from './report.ts';
import { takePin, takeSession } from './single-use.ts';
import { startWorld, type World, waitFor } from './world.ts';

const COMMAND_LINE = join(import.meta.dirname, '../../../dist/package/server/main.js');
const HOUR = 3600;

/** A key signs this long after it was published, in seconds. */
const PUBLISHED_AHEAD = 601;

const engines: readonly Engine[] = often(1, 2) === 1 ? ['sqlite'] : ['sqlite', 'postgres'];

for (const engine of engines) {
  describe(`a running service on ${engine}`, () => {
    const clock = createSettableClock();
    let world: World;
    let people: Person[];
    before(async () => {
      world = await startWorld(engine, { env: clock.env });
      people = await world.createPeople(3);
    });
    after(async () => {
      await world.close();
      clock.close();
    });

    it('accepts no token that has expired by its clock, however the clock is set, and keeps serving', async () => {
      const [first, second, pinned] = people as [Person, Person, Person];
      const start = world.ledger.entries.length;
      await world.set('Latchkey.Tokens', { accessTokenLifetime: HOUR, sessionLifetime: 30 * 24 * HOUR });
      const pin = await takePin(world, pinned);
      const load = await startLoad(world, [second]);
      let moves = 0;
      for (let round = 0; round < often(1, 10); round += 1) {
        const held = await takeSession(first);
        for (const [seconds, status, what] of [
          [-HOUR, 401, 'a token of an hour ahead'],
          [0, 200, 'a token in its time'],
          [HOUR + 120, 401, 'an expired token'],
          [0, 401, 'a token that was refused as expired once'],
        ] as const) {
          await clock.set(seconds);
          moves += 1;
          const answer = await first.use(held);
          assert.equal(answer?.status, status, `${what}: ${answer?.text}`);
          assert.equal((await fetch(`${world.url()}/health/ready`)).status, 200);
          const fresh = await takeSession(first);
          assert.equal((await first.use(fresh))?.status, 200);
          assert.equal((await first.signOff(fresh))?.status, 200);
        }
      }
      await load.end();
      assert.ok(await pinned.givePin(pin.operationId, pin.pin));
      // By then tokens were refused because they expired, which no operation of the ledger explains.
      const broken = findViolations(world.ledger.entries).filter(({ rule }) => rule !== 'acknowledged holds');
      report(
        `the clock is set back and forth, ${engine}`,
        { entries: world.ledger.entries.slice(start) },
        moves,
        broken,
      );
    });

    it('signs with the next key once it is due, and still accepts the tokens of the previous one', async () => {
      const [first, second] = people as [Person, Person, Person];
      const start = world.ledger.entries.length;
      const kidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
      const old = await takeSession(first);
      const load = await startLoad(world, [second]);
      const { PATH = '' } = process.env;
      const { status, stderr } = spawnSync(process.execPath, [COMMAND_LINE, 'keys', 'rotate'], {
        env: {
          PATH,
          LATCHKEY_DATABASE_URL: world.databaseUrl,
          LATCHKEY_DATA_DIR: world.dataDir,
          LATCHKEY_SECRET: TEST_SECRET,
        },
        encoding: 'utf8',
      });
      assert.equal(status, 0, stderr);
      await clock.set(PUBLISHED_AHEAD);
      const fresh = await waitFor('the next key', async () => {
        const held = await takeSession(first);
        return kidOf(held.token) === kidOf(old.token) ? undefined : held;
      });
      for (const held of [old, fresh]) assert.equal((await first.use(held))?.status, 200);
      assert.equal((await first.refresh(old)).answer?.status, 200);
      await load.end();
      await clock.set(0);
      const entries = world.ledger.entries.slice(start);
      report(`the signing key is rotated under load, ${engine}`, { entries }, 1, findViolations(entries));
    });

    it('keeps the last good value of a setting that is broken in its table, and logs an error', async () => {
      const [first] = people as [Person];
      const start = world.ledger.entries.length;
      const name = 'Latchkey.Tokens';
      await world.set(name, { accessTokenLifetime: 7200 });
      for (const bad of ['{"accessTokenLifetime": -1}', 'no JSON at all']) {
        const before = world.process().output().length;
        await write(world, [
          `update setting_value set value = '${bad}' where name = '${name}'`,
          `update version set number = number + 1 where topic = 'settings'`,
        ]);
        await waitFor('a loud log', () => {
          const said = world.process().output().slice(before);
          return said.split('\n').some((line) => line.includes('"level":"error"') && line.includes(name));
        });
        const held = await takeSession(first);
        const { exp, iat } = JSON.parse(Buffer.from(held.token.split('.')[1] ?? '', 'base64url').toString());
        assert.equal(exp - iat, 7200);
      }
      await world.set(name, { accessTokenLifetime: 7300 });
      const entries = world.ledger.entries.slice(start);
      report(`a setting is broken in its table, ${engine}`, { entries }, 2, findViolations(entries));
    });
  });
}

/** Runs statements on the world's database, bypassing the service. */
async function write({ engine, databaseUrl }: World, statements: string[]) {
  if (engine === 'sqlite') {
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(databaseUrl.slice('sqlite:'.length), { timeout: 5000 });
    for (const statement of statements) database.exec(statement);
    database.close();
    return;
  }
  const client = new pg.Client(databaseUrl);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
