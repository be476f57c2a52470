// Explanations of mutants: which comments are read, and that those of the sources are about mutants that exist.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../layout.mjs';
import { explains, findExplanations } from './explanations.ts';
import { findMutants } from './mutants.ts';
import { slices } from './slices.ts';

/** @param {string[]} lines */
const read = (...lines) => findExplanations('source.ts', lines.join('\n'));

describe('explanations', () => {
  it('are about the next line of code', () => {
    assert.deepEqual(
      read(
        '// Mutation: `1` becomes `2`, `.where(a)` becomes nothing. Both: `b`. Really.',
        '// Other words.',
        'work(1);',
      ),
      [
        { source: 'source.ts', line: 3, was: '1', becomes: '2', reason: 'Both: `b`. Really.' },
        { source: 'source.ts', line: 3, was: '.where(a)', becomes: '', reason: 'Both: `b`. Really.' },
      ],
    );
  });

  it('are refused without a change or a reason', () => {
    for (const words of ['the number does not matter.', '`1` becomes `2`.', '`1` is `2`. So it is.'])
      assert.throws(() => read(`// Mutation: ${words}`, 'work(1);'), /^Error: source.ts:1: write/);
  });

  it('stand only above mutants of the mutated sources', () => {
    const mutated = new Set(Object.values(slices).flatMap(({ sources }) => sources));
    const stale = globSync('{server,sdk,web}/src/**/*.ts', { cwd: root }).flatMap((source) => {
      const text = readFileSync(join(root, source), 'utf8');
      const mutants = mutated.has(source) ? findMutants(source, text) : [];
      return findExplanations(source, text).filter((one) => !mutants.some((mutant) => explains(one, mutant)));
    });
    assert.deepEqual(stale, []);
  });

  it('and mutants come from files that exist', () => {
    const files = Object.values(slices).flatMap(({ sources, tests }) => [...sources, ...tests]);
    assert.deepEqual(
      files.filter((file) => !existsSync(join(root, file))),
      [],
    );
  });
});
