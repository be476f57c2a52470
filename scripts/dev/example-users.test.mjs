// Example users are never added to an existing directory, and a failure leaves no half-filled directory.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createExampleData } from './example-users.ts';

describe('example users', () => {
  let folder = '';
  let dataDir = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'latchkey-examples-'));
    dataDir = join(folder, 'dev');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('come with a new data directory, once, and leave nothing beside it', async () => {
    assert.equal(await createExampleData(dataDir, {}), true);
    assert.ok(readdirSync(dataDir).includes('latchkey.db'));
    assert.equal(await createExampleData(dataDir, {}), false);
    assert.deepEqual(readdirSync(folder), ['dev']);
  });

  it('never come to the database that the environment names', async () => {
    const variables = { LATCHKEY_DATABASE_URL: `sqlite:${join(folder, 'other.db')}` };
    assert.equal(await createExampleData(dataDir, variables), true);
    assert.deepEqual(readdirSync(folder), ['dev']);
  });

  it('come to one directory when two commands start at once', async () => {
    const made = await Promise.all([createExampleData(dataDir, {}), createExampleData(dataDir, {})]);
    assert.deepEqual(made.toSorted(), [false, true]);
    assert.deepEqual(readdirSync(folder), ['dev']);
  });

  it('leave a directory alone that is there, also an empty one', async () => {
    mkdirSync(dataDir);
    assert.equal(await createExampleData(dataDir, {}), false);
    assert.deepEqual(readdirSync(dataDir), []);
    writeFileSync(join(dataDir, 'latchkey.db'), 'another database');
    assert.equal(await createExampleData(dataDir, {}), false);
    assert.deepEqual(readdirSync(dataDir), ['latchkey.db']);
  });

  it('leave nothing behind when they cannot be made', async () => {
    await assert.rejects(createExampleData(dataDir, { LATCHKEY_PUBLIC_URL: 'nowhere' }), /LATCHKEY_PUBLIC_URL/);
    assert.deepEqual(readdirSync(folder), []);
  });
});
