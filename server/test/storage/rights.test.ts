// Rights on PostgreSQL: a service whose role may not use all tables says at its start which statements to run.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { openDatabase } from '../../src/storage/open.ts';
import { findSchemaToGrant, grantsTo } from '../../src/storage/rights.ts';
import { createDatabaseUrl, PATIENT } from '../support/databases.ts';

describe('the rights of a role that does not own the tables', () => {
  const suffix = randomUUID().slice(0, 8);
  const [owner, app] = [`Owner.${suffix}`, `App ${suffix}`];
  let url: string;

  const as = (role: string) => {
    const address = new URL(url);
    address.username = encodeURIComponent(role);
    return address.href;
  };
  async function command(text: string, role?: string) {
    const client = new pg.Client(role ? as(role) : url);
    await client.connect();
    await client.query(text).finally(() => client.end());
  }
  /** Opens the database as a role. @returns the notices. */
  async function open(role: string): Promise<string[]> {
    const notices: string[] = [];
    const database = await openDatabase(as(role), { onNotice: (one) => notices.push(one), timeLimits: PATIENT });
    await database.close();
    return notices;
  }

  before(async () => {
    url = await createDatabaseUrl('postgres');
    await command(
      `create role "${owner}" login; create role "${app}" login; grant create on schema public to "${owner}"`,
    );
  });
  after(async () => {
    for (const role of [owner, app]) await command(`drop owned by "${role}"; drop role "${role}"`);
  });

  it('are all that the owner has', async () => {
    assert.deepEqual(await open(owner), []);
  });

  it('are named when the service starts without some of them', async () => {
    const grants = grantsTo(app);
    await command(grants, owner);
    assert.deepEqual(await open(app), []);
    for (const missing of ['insert on session', 'usage on sequence audit_id_seq']) {
      await command(`revoke ${missing} from "${app}"`, owner);
      const [notice = '', ...others] = await open(app);
      assert.ok(notice.endsWith(`As the owner of the tables, run: ${grants}`), `${missing}: ${notice}`);
      assert.deepEqual(others, []);
      await command(grants, owner);
    }
    assert.deepEqual(await open(app), []);
  });

  it('are looked for among the tables of an owner whose name has capital letters and dots', async () => {
    const database = await openDatabase(as(owner), { timeLimits: PATIENT });
    assert.equal(await findSchemaToGrant(database.sql, app), undefined);
    await command(`revoke delete on session from "${app}"`, owner);
    assert.equal(await findSchemaToGrant(database.sql, app), 'public');
    await database.close();
  });
});
