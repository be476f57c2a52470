// Several workers on one machine: they are one node to callers, to administrators and to Prometheus.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { VERSION } from '../../src/config/version.ts';
import { createDatabaseUrl } from '../support/databases.ts';
import { findChildren, ownEnvironment, startInVain, startProcess, type TestProcess } from '../support/process.ts';
import { isLong } from '../support/scale.ts';
import { TEST_SECRET } from '../support/service.ts';

const COMMAND_LINE = join(import.meta.dirname, '../../../dist/package/server/main.js');

const WORKERS = 2;

/** More requests on new connections than workers: each worker gets some. */
const REQUESTS = 3 * WORKERS;
const LOOK_MS = 25;

const SIGN_IN = '/api/TokenAuth/Authenticate';
const SIGN_OFF = '/api/TokenAuth/SignOff';
const LOGIN_INFO = '/api/services/app/Session/GetCurrentLoginInfo';
const LIVE = '/health/live';
const LIVE_ANSWERS = `latchkey_http_request_duration_seconds_count{method="GET",route="${LIVE}",status="200"}`;

/** The limit of sign-ins from one address in its window, by default. */
const LOGIN_LIMIT = 10;

type Line = { level: string; msg: string; worker?: number; ended?: number };

/** The lines of the log, without what else the process has printed. */
const linesOf = (output: string): Line[] =>
  output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));

async function until(what: string, holds: () => boolean) {
  for (let looks = 0; !holds(); looks += 1) {
    assert.ok(looks < 2400, what);
    await sleep(LOOK_MS);
  }
}

type Input = { body?: object; token?: string; agent?: Agent };

/** Calls on a new connection, which the next worker gets, or on that of the agent. */
async function call(url: string, method: 'GET' | 'POST', { body, token, agent }: Input = {}) {
  const headers = {
    ...(body && { 'content-type': 'application/json' }),
    ...(token && { authorization: `Bearer ${token}` }),
  };
  const sent = request(url, { method, headers, agent: agent ?? false });
  sent.end(body && JSON.stringify(body));
  const [answer] = await once(sent, 'response');
  const chunks: Buffer[] = await answer.toArray();
  return { status: answer.statusCode as number, text: Buffer.concat(chunks).toString() };
}

describe('a node with two workers', () => {
  let service: TestProcess;
  let databaseUrl: string;
  before(async () => {
    databaseUrl = await createDatabaseUrl('postgres');
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-workers-secret-'));
    const file = join(folder, 'secret');
    writeFileSync(file, TEST_SECRET, { mode: 0o600 });
    const env = {
      LATCHKEY_WORKERS: String(WORKERS),
      LATCHKEY_DATABASE_URL: databaseUrl,
      LATCHKEY_SECRET_FILE: file,
    };
    service = await startProcess({ env });
    await untilReady(WORKERS);
    // Workers that replace others start without it.
    rmSync(folder, { recursive: true });
  });
  after(() => service?.stop());

  const lines = () => linesOf(service.output());
  const ready = () => lines().filter(({ msg }) => msg === 'Latchkey is ready');
  const untilReady = (count: number) => until(`${count} workers are ready`, () => ready().length === count);
  const workers = () => findChildren(service.child.pid ?? 0);
  const get = (path: string, input?: Input) => call(`${service.url}${path}`, 'GET', input);
  const post = (path: string, input?: Input) => call(`${service.url}${path}`, 'POST', input);
  const signIn = async (userNameOrEmailAddress: string, password: string) =>
    post(SIGN_IN, { body: { userNameOrEmailAddress, password } });

  async function readMetric(series: string): Promise<number> {
    const { text } = await get('/metrics');
    const line = text.split('\n').find((one) => one.startsWith(`${series} `));
    return Number(line?.slice(series.length + 1) ?? 0);
  }

  /** The password that the first start has printed. */
  const printedPassword = () => /\n {6}(\S+)\n/.exec(service.output())?.[1] ?? '';

  it('prints the first password once, and the log names the worker', () => {
    assert.equal(service.output().match(/Sign in at/g)?.length, 1);
    assert.notEqual(printedPassword(), '');
    assert.deepEqual(
      ready().map(({ worker }) => worker),
      [1, 2],
    );
    assert.deepEqual(
      lines().filter(({ worker }) => worker === undefined),
      [],
    );
    assert.equal(workers().length, WORKERS);
  });

  it('accepts a token on all workers, and revokes it on all at once', async () => {
    const { result } = JSON.parse((await signIn('admin', printedPassword())).text);
    const owners = async () => {
      const answers = [];
      for (let n = 0; n < REQUESTS; n += 1) answers.push(await get(LOGIN_INFO, { token: result.accessToken }));
      return answers.map(({ text }) => JSON.parse(text).result.user?.userName);
    };
    assert.deepEqual(await owners(), Array(REQUESTS).fill('admin'));
    assert.equal((await post(SIGN_OFF, { token: result.accessToken })).status, 200);
    assert.deepEqual(await owners(), Array(REQUESTS).fill(undefined));
  });

  it('counts the sign-ins of an address on all workers against one limit', async () => {
    const statuses = [];
    for (let n = 0; n < LOGIN_LIMIT + REQUESTS; n += 1) statuses.push((await signIn('nobody', 'wrong')).status);
    // The test before has signed in once.
    const allowed = LOGIN_LIMIT - 1;
    assert.deepEqual(statuses.slice(0, allowed), Array(allowed).fill(401));
    assert.deepEqual(statuses.slice(allowed), Array(REQUESTS + 1).fill(429));
    assert.equal(await readMetric('latchkey_refusals_total{reason="rateLimit.exceeded"}'), REQUESTS + 1);
  });

  it('has one set of metrics, whichever worker answers, and a worker that ends takes no counts with it', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let n = 0; n < REQUESTS; n += 1) await get(LIVE);
    for (let n = 0; n < REQUESTS; n += 1) await get(LIVE, { agent });
    agent.destroy();
    for (let n = 0; n < REQUESTS; n += 1) assert.equal(await readMetric(LIVE_ANSWERS), 2 * REQUESTS);
    assert.equal(await readMetric('latchkey_workers'), WORKERS);
    assert.equal(await readMetric(`latchkey_info{version="${VERSION}",store="postgres"}`), 1);
    for (let ended = 1; ended <= WORKERS; ended += 1) {
      process.kill(workers()[0] ?? 0, 'SIGKILL');
      await untilReady(WORKERS + ended);
      assert.equal(await readMetric(LIVE_ANSWERS), 2 * REQUESTS);
    }
    await get(LIVE);
    assert.equal(await readMetric(LIVE_ANSWERS), 2 * REQUESTS + 1);
    const errors = lines().filter(({ level }) => level === 'error');
    assert.deepEqual(
      errors.map(({ ended }) => ended),
      [1, 2],
    );
  });

  // It takes six starts of a worker. In the short form, the test of the supervisor holds it.
  if (isLong) {
    it('ends with the message and exit code of a worker that cannot start any more', async () => {
      const client = new pg.Client(databaseUrl);
      await client.connect();
      await client.query("insert into schema_migration (number, name) values (9999, 'of a newer program')");
      await client.end();
      process.kill(workers()[0] ?? 0, 'SIGKILL');
      const [code] = await once(service.child, 'exit');
      assert.equal(code, 1);
      assert.match(service.output(), /latchkey: The database is at version 9999, but this program knows/);
      assert.equal(lines().at(-1)?.worker, 2, 'the other worker finishes its requests');
    });
  }
});

it('each worker closes the channels of extensions when it stops', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-workers-'));
  const [extension, closed] = [join(folder, 'pigeon.mjs'), join(folder, 'closed')];
  writeFileSync(
    extension,
    `import { appendFileSync } from 'node:fs';
    const close = () => appendFileSync(${JSON.stringify(closed)}, 'closed');
    export function initialize({ registerChannel }) {
      registerChannel({ name: 'pigeon', means: 'sms', send: async () => {}, close });
    }`,
  );
  const service = await startProcess({
    env: {
      LATCHKEY_WORKERS: String(WORKERS),
      LATCHKEY_DATABASE_URL: await createDatabaseUrl('postgres'),
      LATCHKEY_SECRET: TEST_SECRET,
      LATCHKEY_EXTENSIONS: extension,
    },
  });
  const countReady = () => linesOf(service.output()).filter(({ msg }) => msg === 'Latchkey is ready').length;
  await until('all workers are ready', () => countReady() === WORKERS).finally(service.stop);
  assert.equal(readFileSync(closed, 'utf8'), 'closed'.repeat(WORKERS));
  rmSync(folder, { recursive: true });
});

describe('a node whose first worker cannot start', () => {
  let dataDir: string;
  before(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'latchkey-workers-'));
  });
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  const unreachable = 'postgres://latchkey@127.0.0.1:1/latchkey';
  for (const [what, env, message] of [
    [
      'its secret is too short',
      { LATCHKEY_DATABASE_URL: unreachable, LATCHKEY_SECRET: 'short' },
      /LATCHKEY_SECRET must/,
    ],
    [
      'its database is out of reach',
      { LATCHKEY_DATABASE_URL: unreachable, LATCHKEY_SECRET: TEST_SECRET },
      /ECONNREFUSED/,
    ],
    ['it has the embedded database', {}, /LATCHKEY_WORKERS is 3, but only one process/],
  ] as const) {
    it(`says once that ${what}, and ends`, async () => {
      const { code, output } = await startInVain({ dataDir, env: { LATCHKEY_WORKERS: '3', ...env } });
      assert.equal(code, 1, output);
      assert.match(output, message);
      assert.equal(output.trim().split('\n').length, 1, output);
    });
  }

  it('refuses a worker of another version: its package was replaced while the service runs', async () => {
    const env = { ...ownEnvironment(), LATCHKEY_WORKER: '2', LATCHKEY_WORKER_VERSION: '0.0.1' };
    const worker = fork(COMMAND_LINE, ['serve'], { env, silent: true });
    const said = worker.stderr?.toArray();
    const [code] = await once(worker, 'exit');
    const text = Buffer.concat((await said) ?? []).toString();
    assert.deepEqual(
      [code, text],
      [1, `latchkey: Latchkey ${VERSION} was installed while 0.0.1 runs: restart the service.\n`],
    );
  });
});
