// The look of the pages: docs/design.md lists the tokens as they are, and no file of the pages has a look of its own.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Where colours, sizes and weights of text are named. The texts of the pages have examples of colours. */
const NAMING = /^web\/src\/(ui\/(tokens\.ts|theme\.ts|base\.css)|words\/)/;

/** What a file may not have: the class of fault, and how it looks. */
const faults: readonly [name: string, pattern: RegExp][] = [
  ['a colour', /['"`\s:(,]#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b|\b(?:rgba?|hsla?|oklch)\(/gi],
  [
    'a shade of Mantine',
    /\b(?:gray|dark|red|pink|grape|violet|indigo|blue|cyan|teal|green|lime|yellow|orange)[.-]\d\b/g,
  ],
  ['a size of text', /\bfz=\{\d|\bfontSize: ?['"]?\d|\bfont-size: ?[\d.]+(?:px|rem|em)/g],
  ['a weight of text', /\bfw=\{(?=\d)(?!400|500|600)|\b(?:fontWeight|font-weight): ?['"]?(?!400|500|600|inherit)\d/g],
];

const findFaults = (text: string) =>
  faults.flatMap(([name, pattern]) => [...text.matchAll(pattern)].map(([found]) => `${name}: ${found.trim()}`));

describe('the look of the pages', () => {
  it('finds each class of fault', () => {
    for (const text of [
      "fill='#fff'",
      'color: rgb(0 0 0)',
      "c='gray.6'",
      'var(--mantine-color-dark-6)',
      'fz={13}',
      'font-size: 13px',
      'fw={650}',
    ]) {
      assert.equal(findFaults(text).length, 1, text);
    }
    assert.deepEqual(findFaults('<Text fz="xs" fw={600} c="var(--text-3)" href="#top" />'), []);
  });

  it('has its tokens in one place', () => {
    const paths = globSync('web/src/**/*.{ts,tsx,css}', { cwd: root }).filter((path) => !NAMING.test(path));
    assert.ok(paths.length > 200);
    const found = paths.flatMap((path) => findFaults(read(path)).map((fault) => `${path}: ${fault}`));
    assert.deepEqual(found, []);
  });

  it('is written down', async () => {
    // The module of the pages, by a computed name: it is typed for browsers.
    const { tokens } = await import(new URL('../../../web/src/ui/tokens.ts', import.meta.url).href);
    const rows = [...read('docs/design.md').matchAll(/^\| `([\w-]+)` \| `(#\w+)` \| `(#\w+)` \|/gm)];
    assert.deepEqual(Object.fromEntries(rows.map(([, name, light, dark]) => [name, [light, dark]])), tokens);
  });
});
