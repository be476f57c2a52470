// New files: complete or not there, whatever happens while they are written.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, describe, it } from 'node:test';
import { CommandFailure } from './command.ts';
import { writeNewFile } from './new-file.ts';

describe('a new file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-new-file-'));
  after(() => rmSync(folder, { recursive: true }));
  const path = (name: string) => join(folder, name);
  const refusedWith = (pattern: RegExp) => (error: unknown) =>
    error instanceof CommandFailure && pattern.test(error.message);

  it('appears when it is complete, for its owner alone', async () => {
    let during: string[] = [];
    await writeNewFile(
      path('users.jsonl'),
      Readable.from(
        (async function* () {
          yield 'first\n';
          during = readdirSync(folder);
          yield 'second\n';
        })(),
      ),
    );
    assert.deepEqual(during, [`users.jsonl.${process.pid}.part`]);
    assert.deepEqual(readdirSync(folder), ['users.jsonl']);
    assert.equal(readFileSync(path('users.jsonl'), 'utf8'), 'first\nsecond\n');
    assert.equal(statSync(path('users.jsonl')).mode & 0o777, 0o600);
  });

  it('is not there when its content fails', async () => {
    const failing = Readable.from(
      (async function* () {
        yield 'first\n';
        throw new Error('The database is gone.');
      })(),
    );
    await assert.rejects(writeNewFile(path('half.jsonl'), failing), /The database is gone/);
    assert.deepEqual(readdirSync(folder), ['users.jsonl']);
  });

  it('replaces nothing, and follows no link', async () => {
    symlinkSync(path('elsewhere'), path('link'));
    for (const name of ['users.jsonl', 'link']) {
      await assert.rejects(writeNewFile(path(name), Readable.from(['other'])), refusedWith(/exists already/));
    }
    // Another command may be faster.
    const late = Readable.from(
      (async function* () {
        writeFileSync(path('both'), 'faster');
        yield 'slower';
      })(),
    );
    await assert.rejects(writeNewFile(path('both'), late), refusedWith(/exists already/));
    assert.equal(readFileSync(path('both'), 'utf8'), 'faster');
    assert.deepEqual(readdirSync(folder), ['both', 'link', 'users.jsonl']);
  });

  it('needs a place that takes it, and the message names the reason', async () => {
    const longest = 'x'.repeat(300);
    for (const [name, code] of [
      ['missing/users.jsonl', 'ENOENT'],
      ['users.jsonl/users.jsonl', 'ENOTDIR'],
      [longest, 'ENAMETOOLONG'],
    ] as const) {
      const pattern = new RegExp(`Cannot write .* \\(${code}\\)`);
      await assert.rejects(writeNewFile(path(name), Readable.from(['other'])), refusedWith(pattern), code);
    }
  });
});
