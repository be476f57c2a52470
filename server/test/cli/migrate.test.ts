// latchkey migrate: one role changes the tables, and the service serves with another that has rights on rows alone.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { migrations } from '../../src/storage/migrations/index.ts';
import { createDatabaseUrl } from '../support/databases.ts';
import { callProcess } from '../support/process.ts';
import { createSite, type Site } from './run.ts';

describe('latchkey migrate', () => {
  const suffix = randomUUID().slice(0, 8);
  const [owner, app] = [`owner_${suffix}`, `App ${suffix}`];
  let site: Site;
  let url: string;

  const as = (role: string) => {
    const address = new URL(url);
    address.username = role;
    return address.href;
  };
  async function command(text: string, role?: string) {
    const client = new pg.Client(role ? as(role) : url);
    await client.connect();
    await client.query(text).finally(() => client.end());
  }

  before(async () => {
    url = await createDatabaseUrl('postgres');
    await command(`create role ${owner} login; create role "${app}" login; grant create on schema public to ${owner}`);
    site = await createSite('postgres');
    Object.assign(site.env, { LATCHKEY_DATABASE_URL: as(app), LATCHKEY_MIGRATION_DATABASE_URL: as(owner) });
  });
  after(async () => {
    await site.close();
    for (const role of [owner, `"${app}"`]) await command(`drop owned by ${role}; drop role ${role}`);
  });

  it('serves nothing with a role that may not change tables, and says so', async () => {
    const { code, err } = await site.run(['user', 'list']);
    const told = `The database is at version 0 of ${migrations.length}, and its role may not change tables: run "latchkey migrate"`;
    assert.ok(err.includes(told), err);
    assert.equal(code, 1);
  });

  it('names the variable whose database is not there', async () => {
    const env = { LATCHKEY_MIGRATION_DATABASE_URL: `postgres://${owner}@127.0.0.1:1/latchkey` };
    const { code, err } = await site.run(['migrate'], { env });
    assert.match(err, /^latchkey: LATCHKEY_MIGRATION_DATABASE_URL: the database is not available \(/);
    assert.equal(code, 1);
  });

  it('makes the tables, and says which rights the service needs', async () => {
    const { code, out, err } = await site.run(['migrate']);
    assert.equal(out, `The database is at version ${migrations.length}, which this program needs.\n`);
    const grants = /Run with the role of the migration: (GRANT .*;)$/m.exec(err)?.[1] ?? '';
    assert.ok(grants.includes(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO "${app}";`), err);
    assert.equal(code, 1);
    const refused = await site.run(['user', 'list']);
    assert.ok(refused.err.includes(`As the owner of the tables, run: ${grants}`), refused.err);
    await command(grants, owner);
    assert.deepEqual(await site.run(['migrate']), { code: 0, out, err: '' });
  });

  it('then serves with rights on rows alone', async () => {
    const service = await site.serve();
    const body = { userNameOrEmailAddress: 'admin', password: 'correct horse battery' };
    const { result } = await callProcess(service.url, 'POST', '/api/TokenAuth/Authenticate', { body });
    const { accessToken: token } = result;
    assert.equal((await callProcess(service.url, 'POST', '/api/TokenAuth/SignOff', { token })).status, 200);
    await assert.rejects(command('create table own (id integer)', app), /permission denied for schema public/);
    await assert.rejects(command('drop table session', app), /must be owner/);
    await service.stop();
  });

  it('then imports people with their ids, and moves', async () => {
    writeFileSync(join(site.folder, 'people.jsonl'), '{"id":5000,"userName":"ann"}\n');
    const imported = await site.run(['import', 'users', 'people.jsonl']);
    assert.equal(imported.code, 0, imported.err);
    const moved = await site.run(['move', '--to', `sqlite:${join(site.folder, 'moved.db')}`]);
    assert.equal(moved.code, 0, moved.err);
  });

  it('names the version of a database from a newer program', async () => {
    const number = migrations.length + 1;
    await command(`insert into schema_migration (number, name, needs) values (${number}, 'newer', 0)`, owner);
    const { code, out } = await site.run(['migrate']);
    const knows = `this one knows ${migrations.length} and may go on`;
    assert.deepEqual(
      { code, out },
      { code: 0, out: `The database is at version ${number}, from a newer program: ${knows}.\n` },
    );
  });
});
