// The list of personal data: it names every table and column of both databases, so that no new one is forgotten.
import assert from 'node:assert/strict';
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
