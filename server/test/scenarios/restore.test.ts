// Backup and restore, rehearsed by the guide's own commands: the data is there again, and no revoked token works.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createSite, runCommandLine } from '../cli/run.ts';
import { readGuideCommands } from '../support/guide.ts';
import { findFreePort } from '../support/ports.ts';
import { createPostgresSite, initPostgres } from '../support/postgres.ts';
import { callProcess, type ProcessAnswer, startProcess } from '../support/process.ts';
import { ADMIN_PASSWORD, TEST_SECRET, USER_PASSWORD } from '../support/service.ts';

const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const REFRESH = '/api/TokenAuth/RefreshTokenAsync';
const SIGN_OFF = '/api/TokenAuth/SignOff';
const SESSIONS = '/api/services/app/Session/GetAll';
const CREATE = '/api/services/app/User/Create';
const AUDIT = '/api/services/app/Audit/GetAll?action=session.allEnded';

const LATCHKEY = 'latchkey ';
const PAUSE_MS = 50;

/** Where a rehearsal happens. */
type Stage = {
  /** The folder in which the guide's commands run; `data` is the data directory. */
  readonly folder: string;
  /** The environment of service and commands. */
  readonly env: Record<string, string>;
  /** The user that runs the shell. */
  readonly user?: { uid?: number; gid?: number };
  /** The failure after the service has stopped, which makes the restore necessary. */
  breakDown(): void;
  close(): void;
};

/** Runs a block of the guide, line by line, as a person types it. */
async function follow({ folder, env, user }: Stage, title: string) {
  for (const line of readGuideCommands('operating.md', title)) {
    if (line.startsWith(LATCHKEY)) {
      const { code, err } = await runCommandLine(line.slice(LATCHKEY.length).split(' '), env, folder);
      assert.equal(code, 0, err);
    } else {
      const { PATH = '', HOME = '' } = process.env;
      const options = { ...user, cwd: folder, env: { PATH, HOME, ...env }, encoding: 'utf8' } as const;
      const { status, stderr } = spawnSync('sh', ['-c', line], { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
      assert.equal(status, 0, `${line}: ${stderr}`);
    }
  }
}

/** Makes changes, backs up, makes more changes, loses the data, restores, and checks the result. */
async function rehearse(stage: Stage, backUp: (stage: Stage) => Promise<void>, restore: string) {
  const options = { dataDir: join(stage.folder, 'data'), env: stage.env };
  let service = await startProcess(options);
  const post = async (path: string, input: { token?: string; body?: unknown }): Promise<ProcessAnswer> => {
    const answer = await callProcess(service.url, 'POST', path, input);
    if (answer.status !== 503) return answer;
    await sleep(PAUSE_MS);
    return post(path, input);
  };
  const signIn = (userNameOrEmailAddress: string, password: string) =>
    post(AUTHENTICATE, { body: { userNameOrEmailAddress, password } });
  const open = async (): Promise<string> => (await signIn('admin', ADMIN_PASSWORD)).result.accessToken;
  const create = async (userName: string) =>
    assert.equal(
      (await post(CREATE, { token: await open(), body: { userName, password: USER_PASSWORD } })).status,
      200,
    );
  try {
    await create('ann');
    const [refreshed, signedOff, untouched] = [await open(), await open(), await open()];
    await backUp(stage);
    const next: string = (await post(REFRESH, { token: refreshed })).result.accessToken;
    assert.equal((await post(SIGN_OFF, { token: signedOff })).status, 200);
    const late = await open();
    await create('bob');
    await service.stop();
    stage.breakDown();
    await follow(stage, restore);

    service = await startProcess(options);
    for (const [what, token] of Object.entries({ refreshed, signedOff, untouched, next, late })) {
      const { status, error } = await callProcess(service.url, 'GET', SESSIONS, { token });
      assert.deepEqual([status, error?.reason], [401, 'token.revoked'], `${what} is not valid`);
      assert.equal((await post(REFRESH, { token })).status, 401, `${what} cannot be refreshed`);
    }
    assert.equal((await signIn('ann', USER_PASSWORD)).status, 200);
    assert.equal((await signIn('bob', USER_PASSWORD)).error.reason, 'signIn.invalidCredentials');
    const { result } = await callProcess(service.url, 'GET', AUDIT, { token: await open() });
    assert.equal(result.totalCount, 1);
  } finally {
    await service.stop();
    stage.close();
  }
}

const env = {
  LATCHKEY_ADMIN_PASSWORD: ADMIN_PASSWORD,
  LATCHKEY_ADMIN_PASSWORD_FINAL: 'true',
  LATCHKEY_PUBLIC_URL: 'http://localhost:8080',
};

/** An embedded database whose machine is lost with its data directory; a copy of the secret exists elsewhere. */
async function openEmbeddedStage(): Promise<Stage> {
  const { folder, close } = await createSite('sqlite');
  const data = join(folder, 'data');
  return {
    folder,
    env: { ...env, LATCHKEY_DATA_DIR: data },
    breakDown() {
      const secret = readFileSync(join(data, 'secret'));
      rmSync(data, { recursive: true });
      mkdirSync(data, { mode: 0o700 });
      writeFileSync(join(data, 'secret'), secret, { mode: 0o600 });
    },
    close,
  };
}

/** A separate server. @param tools where its programs lie, if they can dump it; else its files are copied. */
async function openPostgresStage(tools?: string): Promise<Stage> {
  const site = await createPostgresSite(tools);
  const { folder, user, binaries } = site;
  const programs = dirname(binaries.postgres);
  const data = join(folder, 'files');
  const port = String(await findFreePort());
  initPostgres(site, data);
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: folder, fsync: 'off' };
  for (const [name, value] of Object.entries(settings)) {
    appendFileSync(join(data, 'postgresql.conf'), `${name} = '${value}'\n`);
  }
  const control = (...words: string[]) => {
    const { status } = spawnSync(join(programs, 'pg_ctl'), [...words, '-D', data], {
      ...user,
      cwd: folder,
      stdio: 'ignore',
    });
    return status === 0;
  };
  assert.ok(control('start', '-l', join(folder, 'server.log')));
  const client = new pg.Client(`postgres://postgres@127.0.0.1:${port}/postgres`);
  await client.connect();
  await client.query("create database latchkey encoding 'UTF8' template template0");
  await client.end();
  return {
    folder,
    user,
    env: {
      ...env,
      LATCHKEY_SECRET: TEST_SECRET,
      LATCHKEY_DATA_DIR: join(folder, 'data'),
      LATCHKEY_DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/latchkey`,
      PATH: [programs, process.env.PATH].join(delimiter),
      PGDATA: data,
      PGHOST: '127.0.0.1',
      PGPORT: port,
      PGUSER: 'postgres',
    },
    breakDown() {
      if (!tools) control('stop');
    },
    close() {
      control('stop', '-m', 'immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const searched = (process.env.PATH ?? '').split(delimiter);

/** The folder of programs of one version that can create and dump a server; those from npm cannot. */
function findDumpingTools(): string | undefined {
  const names = ['initdb', 'postgres', 'pg_ctl', 'pg_dump', 'pg_restore'];
  const folders = [...searched, ...globSync('/usr/lib/postgresql/*/bin')];
  return folders.find((folder) => names.every((name) => existsSync(join(folder, name))));
}

describe('a backup that is restored as the guide says', () => {
  it('of an embedded database', async (t) => {
    const hasTool = searched.some((folder) => existsSync(join(folder, 'sqlite3')));
    t.diagnostic(hasTool ? 'with sqlite3' : 'without sqlite3: by the same function of SQLite');
    const backUp = async (stage: Stage) => {
      if (hasTool) return follow(stage, 'back up the embedded database');
      const database = new DatabaseSync(join(stage.folder, 'data/latchkey.db'));
      await backup(database, join(stage.folder, 'latchkey-backup.db'));
      database.close();
    };
    await rehearse(await openEmbeddedStage(), backUp, 'restore the embedded database');
  });

  it('of the files of a PostgreSQL server', async () => {
    const backUp = (stage: Stage) => follow(stage, 'copy the files of a PostgreSQL server');
    await rehearse(await openPostgresStage(), backUp, 'restore the files of a PostgreSQL server');
  });

  const tools = findDumpingTools();
  if (tools) {
    it('of a PostgreSQL database that was dumped', async () => {
      const backUp = (stage: Stage) => follow(stage, 'dump a PostgreSQL database');
      await rehearse(await openPostgresStage(tools), backUp, 'restore a dump');
    });
  }
});
