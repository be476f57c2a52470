// Migration of changes: those of the version without numbers of accounts get the number of who made them.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import type { Instant } from '../../src/foundation/clock.ts';
import { systemRandom } from '../../src/foundation/random.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { createDatabaseUrl, createFormerDatabase, engines, PATIENT } from '../support/databases.ts';

const at = (milliseconds: number) => milliseconds as Instant;

for (const engine of engines) {
  it(`changes of the version before get the number of who made them, on ${engine}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-former-'));
    const url = engine === 'sqlite' ? `sqlite:${join(folder, 'latchkey.db')}` : await createDatabaseUrl('postgres');
    await createFormerDatabase(engine, url, 'changed by account', async (db) => {
      const account = (id: number, name: string, createdAt: number) => ({
        id,
        person_id: systemRandom.uuid(),
        user_name: name,
        user_name_key: name,
        name,
        surname: name,
        is_email_confirmed: 0 as const,
        is_mobile_confirmed: 0 as const,
        is_active: 1 as const,
        must_change_password: 0 as const,
        password_version: 1,
        roles: '[]',
        created_at: at(createdAt),
      });
      await db
        .insertInto('account')
        .values([account(7, 'ann', 1000), account(8, 'ben', 3000)])
        .execute();
      const changed = (name: string, by: string | null) => ({
        name,
        app_key: '',
        changed_at: at(2000),
        changed_by: by,
      });
      const changes = [changed('by ann', 'ann'), changed('before ben', 'ben'), changed('by nobody', null)];
      // The tables of this version have a column more.
      const former = db.withTables<Record<'setting_value' | 'setting_change', Record<string, unknown>>>();
      await former
        .insertInto('setting_value')
        .values(changes.map((one) => ({ ...one, value: '1' })))
        .execute();
      await former
        .insertInto('setting_change')
        .values(changes.map((one) => ({ ...one, new_value: '1' })))
        .execute();
    });
    const database = await openDatabase(url, { timeLimits: PATIENT });
    for (const table of ['setting_value', 'setting_change'] as const) {
      const rows = await database.sql.selectFrom(table).select(['name', 'changed_by_id']).orderBy('name').execute();
      assert.deepEqual(
        rows.map((row) => [row.name, row.changed_by_id]),
        [
          ['before ben', null],
          ['by ann', 7],
          ['by nobody', null],
        ],
      );
    }
    await database.close();
    rmSync(folder, { recursive: true });
  });
}
