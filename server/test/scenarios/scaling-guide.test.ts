// The guide to scaling: the service works on its partitions on a real PostgreSQL; shared statement names are safe.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import pg from 'pg';
import { createDatabaseUrl, openPatiently } from '../support/databases.ts';
import { runGuideStatements } from '../support/guide.ts';
import { startTestService } from '../support/service.ts';

const guide = readFileSync(join(import.meta.dirname, '../../../docs/guide/scaling.md'), 'utf8');
const AUDIT = '/api/services/app/Audit/GetAll';
const SESSIONS = '/api/services/app/Session/GetAll';

/** The address of a new database, for a role that owns it and has no other right. */
async function createOwnedDatabaseUrl(): Promise<string> {
  const url = new URL(await createDatabaseUrl('postgres'));
  const name = url.pathname.slice(1);
  const client = new pg.Client(url.href);
  await client.connect();
  await client.query(`create role ${name} login nosuperuser nocreatedb nocreaterole`);
  await client.query(`alter database ${name} owner to ${name}`);
  await client.end();
  url.username = name;
  return url.href;
}

/** The indexes of the audit trail: the name, columns and condition of each. */
async function readIndexes(client: pg.Client): Promise<unknown[]> {
  const { rows } = await client.query(`
    select indexname, substring(indexdef from ' USING .*') as columns from pg_indexes
    where schemaname = current_schema() and tablename = 'audit' and indexname <> 'audit_pkey' order by indexname`);
  return rows;
}

describe('the guide to scaling', () => {
  it('makes partitions of the audit trail with which the service keeps working', async (context) => {
    const [partitions = '', missingIndex = '', ...more] = Array.from(
      guide.matchAll(/```sql\n(.*?)```/gs),
      ([, block = '']) => block,
    );
    assert.deepEqual(more, []);
    const url = await createOwnedDatabaseUrl();
    const before = await startTestService('postgres', { url });
    await before.admin();
    await before.close();
    const client = new pg.Client(url);
    await client.connect();
    context.after(() => client.end());
    const indexes = await readIndexes(client);
    await runGuideStatements(client, partitions);
    assert.deepEqual(await readIndexes(client), indexes);
    await client.query('drop index audit_by_administrator');
    await runGuideStatements(client, missingIndex);
    assert.deepEqual(await readIndexes(client), indexes);

    const test = await startTestService('postgres', { url });
    context.after(() => test.close());
    const token = await test.admin();
    const refreshed = await test.post('/api/TokenAuth/RefreshTokenAsync', { token });
    assert.deepEqual([refreshed.status, (await test.get(SESSIONS, { token })).status], [200, 401]);
    const { result } = await test.get(AUDIT, { token: refreshed.result.accessToken, query: { maxResultCount: 100 } });
    const { rows } = await client.query('select count(*)::int as count, count(distinct id)::int as ids from audit');
    assert.deepEqual([rows[0].count, rows[0].ids], [result.totalCount, result.totalCount]);
    assert.ok(result.totalCount >= 4, 'entries from before, and entries since');
  });

  it('is right that the name of a prepared statement means the same on every node', async (context) => {
    const url = await createDatabaseUrl('postgres');
    const nodes = [await openPatiently(url), await openPatiently(url)];
    context.after(() => Promise.all(nodes.map((node) => node.close())));
    const prepared = new Map<string, string>();
    for (const [index, { sql }] of nodes.entries()) {
      const queries = [sql.selectFrom('account').select('id'), sql.selectFrom('session').select('id')];
      for (const query of index === 0 ? queries : queries.toReversed()) await query.execute();
      const { rows } = await sql.executeQuery<{ name: string; statement: string }>({
        ...queries[0]?.compile(),
        sql: 'select name, statement from pg_prepared_statements',
        parameters: [],
      } as never);
      assert.ok(rows.length >= 2);
      for (const { name, statement } of rows) {
        assert.equal(prepared.get(name) ?? statement, statement, name);
        prepared.set(name, statement);
      }
    }
  });
});
