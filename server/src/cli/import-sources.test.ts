// The files of an import: what they are, and whether they stay as they are.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { CommandFailure } from './command.ts';
import { openImportSources } from './import-sources.ts';

describe('the files of an import', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-sources-'));
  after(() => rmSync(folder, { recursive: true }));
  const refusedWith = (pattern: RegExp) => (error: unknown) =>
    error instanceof CommandFailure && pattern.test(error.message);

  it('must not change while they are read', async () => {
    const path = join(folder, 'users.csv');
    writeFileSync(path, 'userName\nann\n');
    const files = await openImportSources([path]);
    await files.requireUnchanged();
    appendFileSync(path, 'bob\n');
    await assert.rejects(files.requireUnchanged(), refusedWith(/users\.csv changed while it was read\./));
    await files.close();
  });

  it('are files, folders and pipes, and no devices', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const text = 'userName\n'.repeat(50_000);
    const [files] = await Promise.all([openImportSources([pipe]), writeFile(pipe, text)]);
    assert.equal(files.sources[0]?.size, text.length);
    await files.close();
    const { TMPDIR } = process.env;
    process.env.TMPDIR = join(folder, 'none');
    const [told] = await Promise.allSettled([openImportSources([pipe]), writeFile(pipe, 'userName\n')]);
    assert.ok(told.status === 'rejected' && refusedWith(/none \(ENOENT\): set TMPDIR to a folder/)(told.reason));
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    for (const device of ['/dev/zero', '/dev/null'])
      await assert.rejects(openImportSources([device]), refusedWith(/is neither a file nor a pipe/));
  });
});
