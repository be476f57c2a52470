// The fuzzer itself: it finds planted faults of each kind, shortens what it found, and finds nothing where nothing is.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { createRandomNumbers } from '../support/random-numbers.ts';
import { startCoverage } from './coverage.ts';
import { fuzz } from './fuzzer.ts';
import { instrument } from './instrument.ts';

const coverage = startCoverage();
const { planted } = await import('./planted.ts');

/** Many times the runs that it takes. */
const RUNS = 20_000;

async function find(name: string) {
  const target = planted[name] ?? assert.fail(name);
  // It need not look for a second fault.
  const goesOn = (runs: number, findings: number) => findings === 0 && runs < RUNS;
  const random = createRandomNumbers(1);
  return (await fuzz(target, [Buffer.from('name=1'), Buffer.from('{')], { coverage, random, goesOn })).findings;
}

describe('the fuzzer', () => {
  it('finds what stands behind comparisons and branches, and shortens it', async () => {
    const [hidden] = await find('hidden');
    assert.match(String(hidden?.input), /^a-long-secret-name=0*73019(\D.*)?$/s);
    assert.match(hidden?.problem ?? '', /^TypeError: It broke\. at server\/test\/fuzz\/planted\.ts:\d+$/);
    const [deep] = await find('deep');
    assert.equal(String(deep?.input), '{"}!');
  });

  it('finds too much work, also where it counts no branches', async () => {
    assert.equal((await find('quadratic'))[0]?.problem, 'takes too many steps');
    assert.equal((await find('backtracking'))[0]?.problem, 'takes too long');
  });

  it('finds an answer that depends on former calls', async () => {
    const [changing] = await find('changing');
    assert.deepEqual([changing?.problem, String(changing?.input)], ['answers equal inputs differently', 'z']);
  });

  it('ends when an input takes endless time, and says which one', () => {
    const script = `
      const { startWatch } = await import(${JSON.stringify(import.meta.resolve('./watch.ts'))});
      startWatch('planted', 100).begin(Buffer.from('for ever'));
      for (;;);`;
    const { signal, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    assert.equal(signal, 'SIGKILL');
    assert.match(stdout, /^planted: an input takes more than 0\.1 s.*\n +"for ever"\n$/);
  });

  it('finds nothing in a sound parser', async () => {
    assert.deepEqual(await find('sound'), []);
  });
});

describe('an instrumented source', () => {
  const run = (source: string, argument: unknown) => {
    const end = coverage.begin();
    const { text, branches } = instrument('x.js', source, 0);
    const value: unknown = new Function('x', text)(argument);
    return { value, steps: end().steps, branches };
  };

  it('means the same, and counts what runs', () => {
    const source = `
      // A comment.
      const sign = (n) => n === 0 ? 'zero' : n > 0 ? 'more' : /* why */ 'less';
      function last(list) { if (list.length !== 0) return list.at(-1); else if (x) return x; return null }
      switch (sign(x)) { case 'zero': return last([]); case 'more': { let n = 0; for (const _ of [1, 2]) n += 1; return n } }
      try { null.x } catch { return x && (x ?? 1) || { a: x }.a }`;
    for (const argument of [0, 5, -2]) {
      assert.deepEqual(run(source, argument).value, new Function('x', source)(argument));
    }
    assert.equal(run('return 1', 0).steps, 0);
    assert.equal(run('for (let n = 0; n < 7; n += 1) x += n; return x', 0).steps, 7);
    // Two branches, and one comparison.
    assert.equal(run('return x === 1 ? 2 : 3', 1).branches, 3);
  });
});
