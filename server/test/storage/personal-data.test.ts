// The list of personal data: it names every table and column of both databases, so that no new one is forgotten.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { personalData } from '../../src/persons/index.ts';
import { engines, openTestDatabase } from '../support/databases.ts';

/** The tables of the migrations themselves. */
const OWN = /^(kysely_|migration|schema_)/;

for (const engine of engines) {
  describe(`personal data on ${engine}`, () => {
    it('is said of each table and column', async (t) => {
      const database = await openTestDatabase(engine);
      t.after(() => database.close());
      const tables = (await database.sql.introspection.getTables()).filter(({ name }) => !OWN.test(name));
      const stored = tables.map(({ name, columns }) => [name, columns.map((column) => column.name).sort()]);
      const listed = Object.entries(personalData).map(([name, { columns }]) => [
        name,
        (Array.isArray(columns) ? [...columns] : Object.keys(columns)).sort(),
      ]);
      assert.deepEqual(Object.fromEntries(listed), Object.fromEntries(stored));
    });
  });
}

describe('the guide on personal data', () => {
  it('has a row for each table, with the member of the export', () => {
    const guide = readFileSync(join(import.meta.dirname, '../../../docs/guide/persons.md'), 'utf8');
    const rows = [...guide.matchAll(/^\| `(\w+)` \| `(\w+)` \|/gm)].map(([, table, member]) => [table, member]);
    const tables = Object.entries(personalData).flatMap(([name, table]) =>
      'impersonal' in table ? [] : [[name, table.exported]],
    );
    assert.deepEqual(rows, tables);
  });
});
