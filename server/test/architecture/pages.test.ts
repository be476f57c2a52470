// The pages before sign-in: the service answers 404 for a path that it does not know, though the browser shows the page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { pageEntries } from '../../src/http/pages.ts';

it('the service knows the path of every page before sign-in', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../web/src/sign-in/main.tsx'), 'utf8');
  const pages = [...text.matchAll(/^ {2}'(\/[^']*)':/gm)].map(([, path]) => path);
  const known = pageEntries['sign-in.html']?.map((path) => path.replace('/*', ''));
  assert.deepEqual(pages, known);
});
