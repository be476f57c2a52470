// latchkey export users of many accounts: another installation has them all in bounded time and memory, and they sign in there as before.
// `npm run test:long` moves 100,000.
// In the long form alone: a thousand accounts take long, and the tests of the export have their rules.
import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { it } from 'node:test';
import { createDatabaseUrl, type Engine, enginesAtLength } from '../support/databases.ts';
import { useFactors } from '../support/factors.ts';
import { MOVED_TOTP, movablePeople } from '../support/movable-people.ts';
import { isLong } from '../support/scale.ts';
import { startTestService, USER_PASSWORD } from '../support/service.ts';
import { createSite, SECRET, type Site, startCommandLine } from './run.ts';

const COUNT = isLong ? 100_000 : 1000;

/** In MiB, for all objects of JavaScript. A process that needs more ends. */
const HEAP = 96;

const PRINT_PEAK = `data:text/javascript,process.on('exit',()=>process.stderr.write('peak '+process.resourceUsage().maxRSS))`;

for (const engine of enginesAtLength) {
  it(`an export of ${COUNT.toLocaleString('en')} accounts with credentials is imported elsewhere on ${engine}`, async (context) => {
    const site = await createSite(engine);
    await pipeline(movablePeople(COUNT, USER_PASSWORD), createWriteStream(join(site.folder, 'people.jsonl')));
    const urlOf = async (name: string) =>
      engine === 'sqlite' ? `sqlite:${join(site.folder, name)}` : createDatabaseUrl(engine);
    const [source, target] = [await urlOf('source.db'), await urlOf('target.db')];
    // The first start creates the administrator, if there is no account yet.
    await (await startTestService(engine, { url: target, secret: SECRET })).close();
    await measure(site, source, ['import', 'users', 'people.jsonl']);
    const out = await measure(site, source, ['export', 'users', 'all.jsonl', '--with-credentials']);
    const into = await measure(site, target, ['import', 'users', 'all.jsonl']);
    assert.match(into.out, new RegExp(`^Imported ${COUNT}, refused 0\\.$`, 'm'));
    await signInEveryTenth(engine, target);
    await site.close();
    const figures = [out, into].map(
      ({ seconds, peakMib }) => `${seconds.toFixed(1)} s, peak ${peakMib.toFixed(0)} MiB`,
    );
    context.diagnostic(`export and import of ${COUNT} on ${engine}: ${figures.join('; ')}`);
  });
}

/** Signs in with the password and the authenticator app that every tenth person had elsewhere. */
async function signInEveryTenth(engine: Engine, url: string) {
  const service = await startTestService(engine, { url, secret: SECRET });
  const factors = useFactors({ here: service, there: service, close: service.close });
  await factors.allow();
  const code = factors.nextCode(MOVED_TOTP);
  for (let number = 10; number <= COUNT; number += 10) {
    const begun = await factors.signIn(`user${number}`);
    const verified = await factors.verify(begun.result?.challengeToken ?? assert.fail(begun.text), code);
    assert.ok(verified.result?.accessToken, verified.text);
  }
  await service.close();
}

async function measure(site: Site, url: string, words: readonly string[]) {
  const env = { ...site.env, LATCHKEY_DATABASE_URL: url, LATCHKEY_SECRET: SECRET };
  const flags = ['--max-semi-space-size=4', `--max-old-space-size=${HEAP}`, '--import', PRINT_PEAK];
  const started = performance.now();
  const { code, out, err } = await startCommandLine(words, env, { cwd: site.folder, flags }).ended;
  assert.equal(code, 0, err);
  const seconds = (performance.now() - started) / 1000;
  return { out, seconds, peakMib: Number(/peak (\d+)$/.exec(err)?.[1]) / 1024 };
}
