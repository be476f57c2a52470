// The errors that docstrings promise: each reason after `@throws AuthError` stands in the catalogue.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { errorKinds } from '../../src/app/catalogue.ts';

const root = join(import.meta.dirname, '../../..');
const reasons = new Set(errorKinds.map(({ reason }) => reason));

/** The names in backquotes of each `@throws AuthError`, up to the next tag or the end of the comment. */
function promised(text: string): string[] {
  const clauses = text.matchAll(/@throws AuthError((?:(?!@|\*\/)[\s\S])*)/g);
  return [...clauses].flatMap(([, clause = '']) =>
    [...clause.matchAll(/`([a-z][A-Za-z]*\.[a-zA-Z]+)`/g)].map(([, name = '']) => name),
  );
}

/** A member of the error kinds that a caller hands in, such as `method.wrong`. */
const isHandedIn = (name: string) => /^(method|attempt)\.wrong$/.test(name);

describe('docstrings', () => {
  const files = globSync('server/src/**/*.ts', { cwd: root }).map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }));

  it('promise only errors that exist', () => {
    const unknown = files.flatMap(({ path, text }) =>
      promised(text)
        .filter((name) => !reasons.has(name) && !isHandedIn(name))
        .map((name) => `${path}: ${name}`),
    );
    assert.deepEqual(unknown, []);
    assert.ok(files.flatMap(({ text }) => promised(text)).length > 50, 'the pattern finds what docstrings promise');
  });

  it('name errors in one form', () => {
    const other = files.filter(({ text }) => /Ends in(?: also)? `|Rejects with `[a-z]+\.[a-z]/.test(text));
    assert.deepEqual(
      other.map(({ path }) => path),
      [],
      'write "@throws AuthError `reason`"',
    );
  });
});
