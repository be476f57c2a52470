// Backup and restore, rehearsed by the guide's own commands: the data is there again, no revoked token works, and a collector
// of the audit trail learns of it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { AuditFeedItem } from '../../src/audit/index.ts';
import type { FeedPage } from '../../src/foundation/tail.ts';
import { createSite, runCommandLine } from '../cli/run.ts';
import { readGuideCommands, readGuideFile } from '../support/guide.ts';
import { findFreePort } from '../support/ports.ts';
import { createPostgresSite, initPostgres } from '../support/postgres.ts';
import { callProcess, type ProcessAnswer, startProcess } from '../support/process.ts';
import { itAtLength } from '../support/scale.ts';
import { ADMIN_PASSWORD, TEST_SECRET, USER_PASSWORD } from '../support/service.ts';

const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const REFRESH = '/api/TokenAuth/RefreshTokenAsync';
const SIGN_OFF = '/api/TokenAuth/SignOff';
const SESSIONS = '/api/services/app/Session/GetAll';
const CREATE = '/api/services/app/User/Create';
const AUDIT = '/api/services/app/Audit/GetAll?action=session.allEnded';

const CREATE_KEY = '/api/services/app/ServiceKey/Create';

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

/** Runs a block of the guide, line by line, as a person types it, and stops at the first failure. @returns its text. */
async function attempt({ folder, env, user }: Stage, title: string): Promise<string | undefined> {
  for (const line of readGuideCommands('operating.md', title)) {
    if (line.startsWith(LATCHKEY)) {
      const { code, err } = await runCommandLine(line.slice(LATCHKEY.length).split(' '), env, folder);
      if (code !== 0) return err;
    } else {
      const { PATH = '', HOME = '' } = process.env;
      const options = { ...user, cwd: folder, env: { PATH, HOME, ...env }, encoding: 'utf8' } as const;
      const { status, stderr } = spawnSync('sh', ['-c', line], { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
      if (status !== 0) return `${line}: ${stderr}`;
    }
  }
  return undefined;
}

const follow = async (stage: Stage, title: string) => assert.equal(await attempt(stage, title), undefined);

/** Fails unless only its owner can read the backup. */
function assertPrivate({ folder }: Stage, name: string) {
  assert.equal((statSync(join(folder, name)).mode & 0o077).toString(8), '0', `${name} is private`);
}

/** Returns a page of the audit feed. It waits for an entry. */
const readFeed = (url: string, key: string, cursor: string) =>
  fetch(`${url}/api/audit-feed?wait=25&after=${cursor}`, { headers: { authorization: `Bearer ${key}` } });

/** Reads the audit feed up to the creation of this account. @returns the cursor after it. */
async function collectUntil(userName: string, url: string, key: string): Promise<string> {
  for (let cursor = ''; ; ) {
    const { items, next } = (await (await readFeed(url, key, cursor)).json()) as FeedPage<AuditFeedItem>;
    if (items.some((item) => item.action === 'account.created' && item.userName === userName)) return next;
    cursor = next;
  }
}

/** Makes changes, backs up, makes more changes, loses the data, restores, and checks the result. */
async function rehearse(
  stage: Stage,
  backUp: (stage: Stage) => Promise<void>,
  restore: (stage: Stage) => Promise<void>,
) {
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
    const keyInput = { name: 'collector', permissions: ['audit'] };
    const { key } = (await post(CREATE_KEY, { token: await open(), body: keyInput })).result;
    const collected = await collectUntil('ann', service.url, key);
    const [refreshed, signedOff, untouched] = [await open(), await open(), await open()];
    await backUp(stage);
    const next: string = (await post(REFRESH, { token: refreshed })).result.accessToken;
    assert.equal((await post(SIGN_OFF, { token: signedOff })).status, 200);
    const late = await open();
    await create('bob');
    const lost = await collectUntil('bob', service.url, key);
    await service.stop();
    stage.breakDown();
    await restore(stage);

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
    const statuses = [collected, lost].map(async (cursor) => (await readFeed(service.url, key, cursor)).status);
    assert.deepEqual(await Promise.all(statuses), [200, 410], 'a collector learns which entries are lost');
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

/** The service's role owns its database, and may not create another one. */
type PostgresStage = Stage & {
  /** Runs a statement as superuser. */
  query(statement: string, database?: string): Promise<Record<string, unknown>[]>;
};

/** A separate server. @param tools where its programs lie, if they can dump it; else its files are copied. */
async function openPostgresStage(tools?: string): Promise<PostgresStage> {
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
  const query = async (statement: string, database = 'postgres') => {
    const client = new pg.Client(`postgres://postgres@127.0.0.1:${port}/${database}`);
    await client.connect();
    const { rows } = await client.query(statement);
    await client.end();
    return rows;
  };
  await query('create role latchkey login nosuperuser nocreatedb');
  await query("create database latchkey owner latchkey encoding 'UTF8' template template0");
  return {
    query,
    folder,
    user,
    env: {
      ...env,
      LATCHKEY_SECRET: TEST_SECRET,
      LATCHKEY_DATA_DIR: join(folder, 'data'),
      LATCHKEY_DATABASE_URL: `postgres://latchkey@127.0.0.1:${port}/latchkey`,
      PATH: [programs, process.env.PATH].join(delimiter),
      PGDATA: data,
      PGHOST: '127.0.0.1',
      PGPORT: port,
      PGUSER: 'latchkey',
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
      if (hasTool) {
        await follow(stage, 'back up the embedded database');
        return assertPrivate(stage, 'latchkey-backup.db');
      }
      const database = new DatabaseSync(join(stage.folder, 'data/latchkey.db'));
      await backup(database, join(stage.folder, 'latchkey-backup.db'));
      database.close();
    };
    await rehearse(await openEmbeddedStage(), backUp, (stage) => follow(stage, 'restore the embedded database'));
  });

  itAtLength('of the files of a PostgreSQL server', async () => {
    const backUp = async (stage: Stage) => {
      await follow(stage, 'copy the files of a PostgreSQL server');
      assertPrivate(stage, 'latchkey-files');
    };
    const restore = (stage: Stage) => follow(stage, 'restore the files of a PostgreSQL server');
    await rehearse(await openPostgresStage(), backUp, restore);
  });

  const tools = findDumpingTools();
  if (tools) {
    itAtLength(
      'of a PostgreSQL database that was dumped, by an owner who must first be allowed to create databases',
      async () => {
        const stage = await openPostgresStage(tools);
        const { query } = stage;
        const userNames = async (database: string) =>
          (await query('select user_name from account order by id', database)).map((row) => row.user_name);
        const backUp = async () => {
          await follow(stage, 'dump a PostgreSQL database');
          assertPrivate(stage, 'latchkey.dump');
        };
        const restore = async () => {
          assert.match(String(await attempt(stage, 'restore a dump')), /permission denied to create database/);
          assert.deepEqual(await userNames('latchkey'), ['admin', 'ann', 'bob'], 'nothing is lost');
          const [grant, ...others] = readGuideFile('operating.md', 'allow the role to create databases')
            .split('\n')
            .slice(1);
          assert.deepEqual(others, ['']);
          await query(grant ?? '');
          await follow(stage, 'restore a dump');
          assert.deepEqual(await userNames('latchkey'), ['admin', 'ann']);
          assert.deepEqual(await userNames('latchkey_old'), ['admin', 'ann', 'bob']);
        };
        await rehearse(stage, backUp, restore);
      },
    );
  }
});
