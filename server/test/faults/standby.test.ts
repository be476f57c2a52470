// Failover: the primary is killed under load and its synchronous standby promoted; nothing acknowledged is lost.
// In the long form alone: it starts and promotes servers of PostgreSQL.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { AuthError } from '../../src/foundation/errors.ts';
import type { Database } from '../../src/storage/database.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { createSite } from '../cli/run.ts';
import { untilServed } from '../support/patience.ts';
import { startProcess, type TestProcess } from '../support/process.ts';
import { isLong } from '../support/scale.ts';
import { ADMIN_PASSWORD, TEST_SECRET } from '../support/service.ts';
import { type StandbyPair, startStandbyPair } from '../support/standby.ts';
import { findViolations } from './checks.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { type Load, openLoad } from './standby-load.ts';

const FAILOVERS = isLong ? 8 : 1;
const PEOPLE = 6;
const LONGEST_GAP_MS = 1000;
const LOOK_MS = 30;

/** A server that accepts connections and sends nothing. */
async function startSilence() {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => sockets.push(socket.on('error', () => {}))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as { port: number }).port}`,
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Trusted without it: it must not be told. */
const PASSWORD = 'hunter2';

const urlOf = (...addresses: string[]) => `postgres://postgres:${PASSWORD}@${addresses.join(',')}/postgres`;

/** The port of the server that a statement goes to, a read or a write. */
async function readPort({ sql: statements }: Database): Promise<string> {
  const { rows } = await sql<{ port: string }>`select current_setting('port') as port`.execute(statements);
  return String(rows[0]?.port);
}

const unavailable = (error: unknown) => error instanceof AuthError && error.reason === 'service.unavailable';

/** Acknowledged accounts that are missing, and people with fewer audit entries or refreshes than were acknowledged. */
async function findMissing({ query }: StandbyPair, { entries }: Ledger): Promise<string[]> {
  const accounts = new Set((await query('select user_name from account')).map(({ user_name: name }) => name));
  const recorded = new Map(
    (await query("select user_name, action, count(*)::int from audit where outcome = 'success' group by 1, 2")).map(
      ({ user_name: name, action, count }) => [`${name} ${action}`, Number(count)],
    ),
  );
  // Refreshes within a minute share an entry, and each session counts them.
  const refreshes = await query(
    'select user_name, sum(generation)::int as count from session join account on account_id = account.id group by 1',
  );
  for (const { user_name: name, count } of refreshes) recorded.set(`${name} refreshes`, Number(count));
  const actions: Record<string, string> = {
    'sign in': 'signIn.password',
    refresh: 'refreshes',
    'sign off': 'session.signedOff',
  };
  const acknowledged = new Map<string, number>();
  const missing: string[] = [];
  for (const { call, caller, outcome } of entries) {
    if (outcome !== 'done') continue;
    if (call === 'create account' && !accounts.has(caller)) missing.push(`account of ${caller}`);
    const key = `${caller} ${actions[call]}`;
    if (actions[call]) acknowledged.set(key, (acknowledged.get(key) ?? 0) + 1);
  }
  for (const [key, count] of acknowledged) {
    if ((recorded.get(key) ?? 0) < count) missing.push(`${key}: ${recorded.get(key)} of ${count}`);
  }
  return missing;
}

describe('a database with a standby', () => {
  let pair: StandbyPair;
  before(async () => {
    pair = await startStandbyPair();
  });
  after(() => pair.stop());

  it('is used where it accepts writes, even when other addresses in the list hang', async () => {
    const silence = await startSilence();
    const nobody = '127.0.0.1:1';
    try {
      // It is about the server that is chosen, and not about the time: this machine may be busy.
      const patience = { timeLimits: { connectMs: 4000, statementMs: 4000 } };
      const database = await openDatabase(urlOf(silence.address, nobody, pair.standby(), pair.primary()), patience);
      const ports = await Promise.all(Array.from({ length: 20 }, () => readPort(database)));
      assert.deepEqual([...new Set(ports)], [pair.primary().split(':')[1]]);
      await database.close();
      const alone = openDatabase(urlOf(silence.address, nobody, pair.standby()), patience);
      await assert.rejects(alone, (error) => {
        assert.ok(unavailable(error));
        assert.match(String((error as Error).cause), /1: timeout.*2: .*ECONNREFUSED.*3: it takes no writes/);
        return true;
      });
    } finally {
      silence.stop();
    }
  });

  it('is checked by the doctor, which reports when a failover would lose data', async () => {
    const site = await createSite('postgres');
    const LATCHKEY_DATABASE_URL = urlOf(pair.standby(), pair.primary());
    const examine = async () => (await site.run(['doctor'], { env: { LATCHKEY_DATABASE_URL } })).out;
    const risk = /^warn {2}database .*set synchronous_standby_names/m;
    try {
      assert.match(await examine(), /^ok {4}database +PostgreSQL/m);
      assert.doesNotMatch(await examine(), risk);
      await pair.query("alter system set synchronous_commit = 'local'");
      await pair.query('select pg_reload_conf()');
      assert.match(await examine(), risk);
      await pair.query('alter system reset synchronous_commit');
      await pair.query('select pg_reload_conf()');
    } finally {
      await site.close();
    }
  });

  it('loses nothing acknowledged when the primary is killed, and works on without a restart', async (t) => {
    const ledger = createLedger();
    const env = {
      LATCHKEY_DATABASE_URL: urlOf(pair.addresses),
      LATCHKEY_SECRET: TEST_SECRET,
      LATCHKEY_ADMIN_PASSWORD: ADMIN_PASSWORD,
      LATCHKEY_ADMIN_PASSWORD_FINAL: 'true',
      LATCHKEY_PUBLIC_URL: 'http://localhost:8080',
    };
    const nodes: TestProcess[] = [];
    let load: Load | undefined;
    try {
      for (let node = 0; node < 2; node += 1) nodes.push(await startProcess({ env }));
      load = await openLoad(
        ledger,
        nodes.map(({ url }) => url),
        PEOPLE,
      );
      for (let failover = 0; failover < FAILOVERS; failover += 1) {
        if (failover > 0) await pair.rejoin();
        await load.untilBusy();
        // What is written from now on is lost with the primary, and must not be acknowledged.
        pair.cut();
        await sleep(Math.random() * LONGEST_GAP_MS);
        await pair.kill();
        const killedAt = Date.now();
        await pair.promote();
        await load.untilBusy();
        t.diagnostic(`failover ${failover}: all back ${Date.now() - killedAt} ms after the kill`);
        await load.showAll();
      }
      await load.stop();
      for (const { child, output } of nodes) {
        assert.equal(child.exitCode ?? child.signalCode, null);
        assert.equal(output().includes(PASSWORD), false);
      }
      assert.deepEqual(findViolations(ledger.entries), []);
      assert.deepEqual(await findMissing(pair, ledger), []);
      t.diagnostic(JSON.stringify(ledger.summary()));
    } finally {
      await load?.stop();
      for (const node of nodes) await node.stop();
    }
  });

  it('serves from the promoted standby when the primary hangs, and sends the old primary nothing when it resumes', async () => {
    await pair.rejoin();
    const database = await openDatabase(urlOf(pair.primary(), pair.standby()));
    const [, newer] = pair.standby().split(':');
    try {
      await Promise.all(Array.from({ length: 20 }, () => untilServed(() => readPort(database))));
      await pair.suspend();
      await pair.promote();
      assert.equal(await untilServed(() => readPort(database)), newer);
      pair.resume();
      await pair.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'latchkey'");
      assert.equal(await untilServed(() => readPort(database)), newer);
      await pair.kill();
      for (let look = 0; look < 20; look += 1) {
        await assert.rejects(readPort(database), unavailable);
        await sleep(LOOK_MS);
      }
    } finally {
      pair.resume();
      await database.close();
    }
  });
});
