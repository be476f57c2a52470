// latchkey import users of a long file: memory does not grow with the file. `npm run test:long` imports 100,000 lines.
// In the long form alone: thousands of lines take long, and the tests of the import have their rules.
import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { describe, it } from 'node:test';
import { abpUsers } from '../support/abp-users.ts';
import { createDatabaseUrl, enginesAtLength } from '../support/databases.ts';
import { isLong } from '../support/scale.ts';
import { createSite, SECRET, startCommandLine } from './run.ts';

const SMALL = isLong ? 10_000 : 200;
const LARGE = isLong ? 100_000 : 2000;

/** In MiB, for all objects of JavaScript. A process that needs more ends. The service itself takes half of it. */
const HEAP = 96;

/** The keys that a dry run remembers: up to 500 bytes for each user. */
const HEAP_DRY = HEAP + Math.ceil(LARGE / 2000);

const PRINT_PEAK = `data:text/javascript,process.on('exit',()=>process.stderr.write('peak '+process.resourceUsage().maxRSS))`;

for (const engine of enginesAtLength) {
  describe(`an import of ${LARGE.toLocaleString('en')} lines on ${engine}`, () => {
    async function measure(count: number, heap: number, ...words: string[]) {
      const site = await createSite(engine);
      const url = engine === 'sqlite' ? `sqlite:${join(site.folder, 'latchkey.db')}` : await createDatabaseUrl(engine);
      const env = { ...site.env, LATCHKEY_DATABASE_URL: url, LATCHKEY_SECRET: SECRET };
      await pipeline(
        function* () {
          for (const { row } of abpUsers(count)) yield `${JSON.stringify(row)}\n`;
        },
        createWriteStream(join(site.folder, 'users.jsonl')),
      );
      const flags = ['--max-semi-space-size=4', `--max-old-space-size=${heap}`, '--import', PRINT_PEAK];
      const started = performance.now();
      const { ended } = startCommandLine(['import', 'users', 'users.jsonl', '--allow-new-roles', ...words], env, {
        cwd: site.folder,
        flags,
      });
      const { code, err } = await ended;
      const seconds = (performance.now() - started) / 1000;
      await site.close();
      // Some of these users are deleted, and skipped.
      assert.equal(code, 3, err);
      return { seconds, peakMib: Number(/peak (\d+)$/.exec(err)?.[1]) / 1024 };
    }

    for (const [name, heap, words] of [
      ['an import', HEAP, []],
      ['a dry run', HEAP_DRY, ['--dry-run']],
    ] as const) {
      it(`${name} fits into a heap of ${heap} MiB`, async (context) => {
        for (const count of [SMALL, LARGE]) {
          const { seconds, peakMib } = await measure(count, heap, ...words);
          const figures = `${seconds.toFixed(1)} s, peak ${peakMib.toFixed(0)} MiB`;
          context.diagnostic(`${name} of ${count} lines on ${engine}: ${figures}`);
        }
      });
    }
  });
}
