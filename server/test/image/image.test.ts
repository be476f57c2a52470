// The container image: built twice, unpacked by umoci, and run by runc as a careful operator runs it.
// In the long form alone: it builds the image twice, and runs it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'yaml';
import { VERSION } from '../../src/config/version.ts';
import { createDatabaseUrl, withPort } from '../support/databases.ts';
import { readDeployFile } from '../support/deployment.ts';
import { findFreePort } from '../support/ports.ts';
import { callProcess } from '../support/process.ts';
import { buildImage, type UnpackedImage, unpackImage } from './container.ts';

const SECRET = 'F4xkRk2Qm0tVbEwqzPpGJh8sNnYd1aLu';
const PASSWORD = 'seven green bottles';
const ADMINISTRATOR = { LATCHKEY_ADMIN_PASSWORD: PASSWORD, LATCHKEY_ADMIN_PASSWORD_FINAL: 'true' };
const GOAL_BYTES = 75e6;
const LOOK_MS = 20;

/** More rows than SQLite keeps in memory: they go to a temporary file. */
const SPILL = `
  const database = new (require('node:sqlite').DatabaseSync)('');
  database.exec("create table filler (text); insert into filler with recursive n (x) as (select 1 union all select x + 1 from n where x < 10000) select hex(zeroblob(1000)) from n");`;

type Blob = { digest: string; size: number };

describe('the container image', () => {
  let folder: string;
  let image: UnpackedImage;
  const readJson = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'));
  const readBlob = ({ digest }: Blob) => readJson(`one/blobs/${digest.replace(':', '/')}`);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'latchkey-layouts-'));
    const other = `sleep 2; umask 077; cd /; mkdir '${folder}/tmp'; export TMPDIR='${folder}/tmp' TZ=Asia/Tokyo LC_ALL=C HOME=/`;
    await Promise.all([buildImage(join(folder, 'one')), buildImage(join(folder, 'other'), other)]);
    image = await unpackImage(join(folder, 'one'), VERSION);
  });
  after(async () => {
    await image.remove();
    rmSync(folder, { recursive: true });
  });

  /** Starts the service on a free port, and waits until it is ready. */
  async function start(env: Record<string, string>, volume?: string, port?: number, command?: string) {
    const free = port ?? (await findFreePort());
    const container = image.start({ LATCHKEY_PORT: `${free}`, ...env }, volume, command);
    const url = `http://127.0.0.1:${free}`;
    while (!(await isReady(url))) {
      assert.ok(!container.hasEnded(), container.output());
      await pause(LOOK_MS);
    }
    return { ...container, url, port: free };
  }

  const signIn = async (url: string) => {
    const body = { userNameOrEmailAddress: 'admin', password: PASSWORD };
    const { result } = await callProcess(url, 'POST', '/api/TokenAuth/Authenticate', { body });
    return result.accessToken;
  };
  const readUser = async (url: string, token: string) => {
    const { result } = await callProcess(url, 'GET', '/api/services/app/Session/GetCurrentLoginInfo', { token });
    return result?.user?.userName;
  };

  it('is the same after a build at another time, with another umask, locale and time zone', () => {
    assert.deepEqual(readJson('other/index.json'), readJson('one/index.json'));
  });

  it('is small, and has the configuration that the guide names', () => {
    const [manifest] = readJson('one/index.json').manifests;
    const { layers, config } = readBlob(manifest);
    const sizes = layers.map((layer: Blob) => layer.size);
    assert.equal(sizes.length, 2);
    assert.ok(sizes[0] + sizes[1] < GOAL_BYTES, `${sizes} bytes`);
    const { User, Volumes, ExposedPorts, StopSignal, Healthcheck, Labels } = readBlob(config).config;
    assert.deepEqual([User, StopSignal], ['10001:10001', 'SIGTERM']);
    assert.deepEqual([Volumes, ExposedPorts], [{ '/data': {} }, { '8080/tcp': {} }]);
    const { test, interval, timeout, start_period } = parse(readDeployFile('compose.yaml'))['x-node'].healthcheck;
    const { Test, Interval, Timeout, StartPeriod } = Healthcheck;
    const [minutes, ...seconds] = [StartPeriod / 60e9, Interval / 1e9, Timeout / 1e9];
    assert.deepEqual(Test, test);
    assert.deepEqual([`${minutes}m`, ...seconds.map((number) => `${number}s`)], [start_period, interval, timeout]);
    assert.equal(Labels['org.opencontainers.image.version'], VERSION);
    assert.match(Labels['io.latchkey.rolls-from'], /^\d+\.\d+\.\d+ \([0-9a-f]{40}\)$/);
  });

  it('has the licence of the Node in it', () => {
    const root = join(import.meta.dirname, '../../..');
    const ours = readFileSync(join(root, 'scripts/image/node-license.txt'), 'utf8');
    // `npm ci` leaves the package of the platform there, and `npm install` removes it.
    const published = join(root, `node_modules/node/node_modules/node-${process.platform}-${process.arch}/LICENSE`);
    if (existsSync(published)) assert.equal(ours, readFileSync(published, 'utf8'), `Copy ${published}`);
    assert.match(ours, /^Node\.js is licensed for use as follows:/);
  });

  it('serves as process 1 without any right, on a read-only file system, and keeps its data', async () => {
    const volume = await image.createVolume();
    const first = await start(ADMINISTRATOR, volume);
    const status = await first.readStatus();
    assert.match(status, /^NSpid:.*\t1$/m);
    assert.match(status, /^Uid:(\t10001){4}$/m);
    assert.match(status, /^CapBnd:\t0+$/m);
    assert.match(status, /^NoNewPrivs:\t1$/m);
    const token = await signIn(first.url);
    assert.equal(await readUser(first.url, token), 'admin');
    const live = await first.exec('latchkey', 'doctor', '--live');
    assert.deepEqual([live.code, live.out], [0, `ok    service        answers on port ${first.port}\n`]);
    const doctor = await first.exec('latchkey', 'doctor');
    assert.doesNotMatch(doctor.out, /^fail/m);
    assert.match(doctor.out, /^ok {4}data directory \/data, open to its owner only$/m);
    assert.equal((await first.exec('latchkey', 'user', 'create', 'thandi')).code, 0);
    const spilled = await first.exec('node', '--eval', SPILL);
    assert.deepEqual([spilled.code, spilled.err], [0, '']);
    assert.equal(await first.stop(), 0);

    // The issuer of the token has the port.
    const second = await start({}, volume, first.port);
    assert.equal(await readUser(second.url, token), 'admin');
    assert.match((await second.exec('latchkey', 'user', 'list')).out, /^2 +thandi /m);
    assert.equal(await second.stop(), 0);
  });

  it('needs no volume with PostgreSQL', async () => {
    const database = {
      LATCHKEY_DATABASE_URL: withPort(await createDatabaseUrl('postgres')).href,
      LATCHKEY_SECRET: SECRET,
    };
    const container = await start({ ...ADMINISTRATOR, ...database });
    assert.equal(await readUser(container.url, await signIn(container.url)), 'admin');
    const doctor = await container.exec('latchkey', 'doctor');
    assert.equal(doctor.code, 0, doctor.out);
    assert.match(doctor.out, /^ok {4}database +PostgreSQL/m);
    assert.match(doctor.out, /^ok {4}data directory \/data is not writable, and need not be/m);
    assert.equal(await container.stop(), 0);
  });

  it('serves tests, and needs no volume', async () => {
    const LATCHKEY_TEST_KEY = 'the-key-of-these-tests';
    const container = await start({ LATCHKEY_TEST_KEY }, undefined, undefined, 'test-server');
    const answer = await fetch(`${container.url}/test-server/sign-in`, {
      method: 'POST',
      headers: { authorization: `Bearer ${LATCHKEY_TEST_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ userName: 'admin' }),
    });
    const { token } = JSON.parse(await answer.text());
    assert.equal(await readUser(container.url, token), 'admin');
    assert.equal(await container.stop(), 0);
  });

  it('stops while it starts', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const database = { LATCHKEY_DATABASE_URL: `postgres://me@127.0.0.1:${port}/none`, LATCHKEY_SECRET: SECRET };
    try {
      const container = image.start(database);
      await once(silent, 'connection');
      assert.equal(await container.stop(), 128 + constants.signals.SIGTERM);
    } finally {
      silent.close();
    }
  });

  it('runs commands, and says in one line what is wrong', async () => {
    assert.equal((await image.run('--version')).out, `latchkey ${VERSION}\n`);
    const away = await image.run('doctor', '--live');
    assert.deepEqual([away.code, away.err], [1, '']);
    assert.match(away.out, /^fail {2}service .*ECONNREFUSED.*\n$/);
    const unwritable = await image.run('serve');
    assert.equal(unwritable.code, 1);
    assert.match(unwritable.err, /^latchkey: [^\n]*\/data[^\n]*\n$/);
  });
});

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health/ready`)).status === 200;
  } catch {
    return false;
  }
}
