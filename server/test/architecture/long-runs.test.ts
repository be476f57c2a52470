// The page of long runs: it names every long command, and the dates of their own pages.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const rows = [...read('docs/reference/long-runs.md').matchAll(/^\| `npm run ([^`]+)` \| (\S+) \| .+ \|(.*)\|$/gm)].map(
  ([, command = '', date = '', page = '']) => ({ command, date, page: /\]\((\w+\.md)\)/.exec(page)?.[1] }),
);

describe('the page of long runs', () => {
  it('names every long command', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const long = Object.keys(scripts).filter((name) => /^(test:(?!one$)|bench$)/.test(name));
    const missing = long.filter((name) => !rows.some(({ command }) => command === name));
    assert.ok(long.length > 5);
    assert.deepEqual(missing, []);
  });

  it('has the date of each run that writes a page of its own', () => {
    const dated = rows.flatMap(({ command, date, page }) => {
      const [found] = page === undefined ? [] : (/\b20\d\d-\d\d-\d\d\b/.exec(read(`docs/reference/${page}`)) ?? []);
      return found === undefined ? [] : [{ command, date, found }];
    });
    assert.ok(dated.length > 3);
    assert.deepEqual(
      dated.filter(({ date, found }) => date !== found),
      [],
    );
  });
});
