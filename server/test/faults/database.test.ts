// The database goes away, hangs, refuses or drops connections: 503 meanwhile, nothing consumed, automatic recovery.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { often, spread } from '../support/scale.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { findViolations } from './checks.ts';
import { startLoad } from './load.ts';
import { type Person, paths } from './person.ts';
import { command, createGuardedDatabase, refusals } from './refusals.ts';
import { createRegistrants, type Registrants } from './registrants.ts';
import { report } from './report.ts';
import { allDone, allUnavailable, takeOneOfEach, tryOneOfEach } from './single-use.ts';
import { startWorld, type World, waitFor } from './world.ts';

const ROUNDS = often(1, 5);
const CUTS = often(12, 300);
const CUT_EVERY_MS = 100;

/** Far beyond the two seconds in which a call is answered: a slower call has not recovered by itself. */
const HANGING_MS = 15_000;

/** Time for calls that are under way to meet the fault. */
const SETTLE_MS = 300;

describe('PostgreSQL', () => {
  let postgres: TestPostgres;
  let proxy: TcpProxy;
  let world: World;
  let people: Person[];
  let registrants: Registrants;
  let passwords = 0;
  before(async () => {
    postgres = await startPostgres();
    proxy = await startTcpProxy(postgres.port);
    world = await startWorld('postgres', { databaseUrl: await createGuardedDatabase(postgres, proxy.port) });
    people = await world.createPeople(5);
    registrants = createRegistrants(world);
  });
  after(async () => {
    await world?.close();
    await proxy?.close();
    await postgres?.stop();
  });

  /** A password that no account has had before. */
  const freshPassword = () => {
    passwords += 1;
    return `staple gravel lantern ${passwords}`;
  };
  const health = async (what: 'live' | 'ready') => (await fetch(`${world.url()}/health/${what}`)).status;
  const isReady = async () => (await health('ready')) === 200 || undefined;

  const reportSince = (fault: string, first: number, injections: number) => {
    const { entries } = world.ledger;
    report(fault, { entries: entries.slice(first) }, injections, findViolations(entries));
  };

  const outages = {
    'PostgreSQL crashes and is started again': { begin: () => postgres.crash(), end: () => postgres.start() },
    'PostgreSQL stands still': { begin: () => postgres.suspend(), end: () => postgres.resume() },
    'the network to PostgreSQL swallows everything': { begin: () => proxy.swallow(), end: () => proxy.pass() },
  };

  for (const [fault, { begin, end }] of Object.entries(outages)) {
    it(`${fault}: 503 and nothing consumed, then every call works again`, async () => {
      const first = world.ledger.entries.length;
      for (let round = 0; round < ROUNDS; round += 1) {
        const held = await takeOneOfEach(world, people, registrants);
        const load = await startLoad(world, people.slice(3));
        await begin();
        await sleep(SETTLE_MS);
        const during = world.ledger.entries.length;
        const password = freshPassword();
        try {
          assert.deepEqual(await tryOneOfEach(people, registrants, held, password), allUnavailable);
          assert.deepEqual([await health('live'), await health('ready')], [200, 503]);
        } finally {
          await end();
        }
        for (const { call, status, startedAt, endedAt } of world.ledger.entries.slice(during)) {
          assert.equal(status, 503, call);
          assert.ok(endedAt - startedAt < HANGING_MS, `${call} hung`);
        }
        await waitFor('readiness', isReady);
        await load.end();
        assert.deepEqual(await tryOneOfEach(people, registrants, held, password), allDone);
      }
      reportSince(fault, first, ROUNDS);
    });
  }

  for (const [fault, { begin, end, within }] of spread(Object.entries(refusals), 3)) {
    it(`PostgreSQL refuses, since ${fault}: 503 and nothing consumed, then every call works again`, async () => {
      const first = world.ledger.entries.length;
      const held = await takeOneOfEach(world, people, registrants);
      const password = freshPassword();
      const during = world.ledger.entries.length;
      await command(postgres, begin, within);
      try {
        proxy.cut();
        assert.deepEqual(await tryOneOfEach(people, registrants, held, password), allUnavailable);
        for (const { call, status } of world.ledger.entries.slice(during)) assert.equal(status, 503, call);
        const answer = await fetch(`${world.url()}${paths.signOff}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${held.used.token}` },
        });
        assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1']);
        assert.equal(await health('ready'), 503);
      } finally {
        await command(postgres, end, within);
      }
      await waitFor('readiness', isReady);
      assert.deepEqual(await tryOneOfEach(people, registrants, held, password), allDone);
      reportSince(`PostgreSQL refuses, since ${fault}`, first, 1);
    });
  }

  it('drops all connections every 100 ms: acknowledged answers hold, and no call hangs', async () => {
    const first = world.ledger.entries.length;
    const load = await startLoad(world, people.slice(3));
    let cuts = 0;
    for (let turn = 0; turn < CUTS; turn += 1) {
      cuts += proxy.cut();
      await sleep(CUT_EVERY_MS);
    }
    await waitFor('readiness', isReady);
    await load.end();
    const held = await takeOneOfEach(world, people, registrants);
    assert.deepEqual(await tryOneOfEach(people, registrants, held, freshPassword()), allDone);
    assert.ok(cuts > 0);
    reportSince('connections to PostgreSQL are cut each 100 ms', first, cuts);
  });

  it('turns read-only: calls that write answer 503, and tokens are checked as before', async () => {
    const first = world.ledger.entries.length;
    const held = await takeOneOfEach(world, people, registrants);
    const turn = async (value: 'on' | 'off') => {
      const client = new pg.Client(`${postgres.url}?options=-c%20default_transaction_read_only%3Doff`);
      await client.connect();
      await client.query(`alter system set default_transaction_read_only = ${value}`);
      await client.query('select pg_reload_conf()');
      await client.end();
      proxy.cut();
      await waitFor('readiness', isReady);
    };
    const password = freshPassword();
    await turn('on');
    try {
      assert.deepEqual(await tryOneOfEach(people, registrants, held, password), { ...allUnavailable, use: 200 });
    } finally {
      await turn('off');
    }
    assert.deepEqual(await tryOneOfEach(people, registrants, held, password), allDone);
    reportSince('PostgreSQL is read-only', first, 1);
  });
});
