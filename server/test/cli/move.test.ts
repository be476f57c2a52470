// latchkey move: everything goes from SQLite to PostgreSQL and back, tokens and the chain of the trail included.
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { migrations } from '../../src/storage/migrations/index.ts';
import { createDatabaseUrl, createMigratedUrl } from '../support/databases.ts';
import { callProcess } from '../support/process.ts';
import { createSite, SECRET, type Site } from './run.ts';

const PASSWORD = 'correct horse battery';

describe('latchkey move', () => {
  let site: Site;
  let postgres: string;
  before(async () => {
    site = await createSite('sqlite');
    site.env.LATCHKEY_SECRET = SECRET;
    // The issuer of tokens, whatever the port is.
    site.env.LATCHKEY_PUBLIC_URL = 'http://localhost:8080';
    postgres = await createDatabaseUrl('postgres');
  });
  after(() => site.close());

  const file = () => join(site.folder, 'data/latchkey.db');
  const signIn = async (url: string) => {
    const body = { userNameOrEmailAddress: 'admin', password: PASSWORD };
    return (await callProcess(url, 'POST', '/api/TokenAuth/Authenticate', { body })).result.accessToken as string;
  };
  const read = async (url: string, path: string, token: string) => {
    const { status, result } = await callProcess(url, 'GET', path, { token });
    assert.equal(status, 200, path);
    return result;
  };
  /** Serves the database, while `work` runs. */
  async function serving<Result>(env: Record<string, string>, work: (url: string) => Promise<Result>): Promise<Result> {
    Object.assign(site.env, env);
    const service = await site.serve();
    try {
      return await work(service.url);
    } finally {
      await service.stop();
    }
  }
  const move = (to: string) => site.run(['move', '--to', to]);

  it('refuses while the service runs, and a target that is not empty', async () => {
    const used = await createMigratedUrl('postgres');
    const other = await createSite('postgres');
    other.env.LATCHKEY_DATABASE_URL = used;
    assert.equal((await other.run(['user', 'list'])).code, 0);
    await serving({}, async (url) => {
      await signIn(url);
      const { code, err } = await move(postgres);
      assert.match(err, /The database is in use: stop the service on all machines/);
      assert.equal(code, 1);
    });
    const { code, err } = await move(used);
    assert.match(err, /The target is not empty: its table \w+ has rows\. Use an empty database\./);
    assert.equal(code, 1);
    await other.serve();
    const back = await other.run(['move', '--to', `sqlite:${join(other.folder, 'new.db')}`]);
    assert.match(back.err, /The database is in use/);
    await other.close();
  });

  it('moves everything from SQLite to PostgreSQL and back, and tokens stay valid', async () => {
    const { token, trail, users } = await serving({}, async (url) => {
      const first = await signIn(url);
      const create = (userName: string) =>
        callProcess(url, 'POST', '/api/services/app/User/Create', { token: first, body: { userName } });
      for (const name of ['thandi', 'zoë', 'erased']) await create(name);
      const { items } = await read(url, '/api/services/app/User/GetAll', first);
      const { id } = items.find(({ userName }: { userName: string }) => userName === 'erased');
      assert.equal(
        (await callProcess(url, 'DELETE', `/api/services/app/User/Delete?id=${id}`, { token: first })).status,
        200,
      );
      return {
        token: first,
        users: (await read(url, '/api/services/app/User/GetAll', first)).items,
        trail: (await read(url, '/api/services/app/Audit/GetAll', first)).items,
      };
    });
    // With its password, the address does not stand in the list of processes.
    site.env.LATCHKEY_MOVE_TO = postgres;
    const there = await site.run(['move']);
    delete site.env.LATCHKEY_MOVE_TO;
    assert.match(there.out, /^Moved \d+ rows in \d+ tables\. Their numbers and checksums are equal\.$/m, there.err);
    assert.equal(there.code, 0);
    const highest = Math.max(...users.map(({ id }: { id: number }) => id));
    await serving({ LATCHKEY_DATABASE_URL: postgres }, async (url) => {
      assert.deepEqual((await read(url, '/api/services/app/User/GetAll', token)).items, users);
      assert.deepEqual((await read(url, '/api/services/app/Audit/GetAll', token)).items, trail);
      const { result } = await callProcess(url, 'POST', '/api/services/app/User/Create', {
        token,
        body: { userName: 'later' },
      });
      assert.ok(result.id > highest + 1, 'the number of an account that was deleted does not come again');
    });
    assert.equal((await site.run(['audit', 'verify'])).code, 0);
    const again = await move(`sqlite:${file()}`);
    assert.match(again.err, /The target is not empty/);
    renameSync(file(), `${file()}.former`);
    mkdirSync(join(site.folder, 'data'), { recursive: true });
    // Beside a former database that had come further, which the service would take this one for a copy of.
    writeFileSync(join(site.folder, 'data/latchkey.mark'), '0000000000009999');
    const back = await move(`sqlite:${file()}`);
    assert.equal(back.code, 0, back.err);
    assert.equal(statSync(file()).mode & 0o777, 0o600);
    await serving({ LATCHKEY_DATABASE_URL: `sqlite:${file()}` }, async (url) => {
      const { items } = await read(url, '/api/services/app/User/GetAll', token);
      assert.deepEqual(items.map(({ userName }: { userName: string }) => userName).toSorted(), [
        'admin',
        'later',
        'thandi',
        'zoë',
      ]);
      assert.equal((await callProcess(url, 'POST', '/api/TokenAuth/SignOff', { token })).status, 200);
    });
    assert.equal((await site.run(['audit', 'verify'])).code, 0);
  });

  it('leaves nothing in the target when it fails, and says why', async () => {
    const target = await createMigratedUrl('postgres');
    const client = new pg.Client(target);
    await client.connect();
    await client.query(
      'alter table webhook add constraint full_disk check (false); alter table audit add constraint closed check (id < 3)',
    );
    const { code, err } = await move(target);
    assert.match(err, /violates check constraint "closed"/);
    assert.equal(code, 1);
    const { rows } = await client.query('select count(*)::int as count from account');
    assert.deepEqual(rows, [{ count: 0 }]);
    await client.end();
    for (const [to, problem] of [
      ['mysql://h/d', /--to must be sqlite:PATH or postgres:/],
      ['sqlite::memory:', /--to must be sqlite:PATH or postgres:/],
      [`sqlite:${join(site.folder, 'missing/new.db')}`, /The target cannot be opened \(unable to open database file\)/],
      [site.env.LATCHKEY_DATABASE_URL ?? '', /--to is the database of LATCHKEY_DATABASE_URL itself/],
      [
        `sqlite:${join(site.folder, 'data/../data/latchkey.db')}`,
        /--to is the database of LATCHKEY_DATABASE_URL itself/,
      ],
    ] as const) {
      const refused = await move(to);
      assert.match(refused.err, problem);
      assert.equal(refused.code, 1);
    }
  });

  it('does not blame the source when the target fails', async () => {
    const target = await createMigratedUrl('postgres');
    const client = new pg.Client(target);
    await client.connect();
    await client.query(`create function fail() returns trigger language plpgsql as
      $$ begin raise exception 'the target shuts down' using errcode = '57P01'; end $$;
      create trigger fail before delete on webhook execute function fail()`);
    await client.end();
    const { code, err } = await move(target);
    assert.match(err, /^latchkey: The move has failed \(the target shuts down\)\. Check both databases/);
    assert.equal(code, 1);
  });

  it('refuses a database to which a newer program has added, though this one could serve it', async () => {
    const newer = new DatabaseSync(file());
    const number = migrations.length + 1;
    newer.prepare('insert into schema_migration (number, name, needs) values (?, ?, 1)').run(number, 'later');
    newer.close();
    const { code, err } = await move(await createMigratedUrl('postgres'));
    assert.match(err, new RegExp(`at version ${number} of ${migrations.length}\\. Move it with the newer program\\.`));
    assert.equal(code, 1);
  });
});
