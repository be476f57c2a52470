// Mutants: one of each kind of fault, and none in types, imports and texts.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyMutant, findMutants } from './mutants.ts';

/** @param {string} text */
const mutate = (text) => findMutants('source.ts', text).map((mutant) => applyMutant(text, mutant));

describe('mutants', () => {
  it('move the boundary of a comparison, and reverse it', () => {
    assert.deepEqual(mutate('const x = a < b;'), ['const x = a <= b;', 'const x = a >= b;']);
  });

  it('break conditions, numbers, booleans and defaults', () => {
    assert.deepEqual(mutate('const x = !(a && b) ? 1 : true;').toSorted(), [
      'const x = !(a && b) ? 1 : false;',
      'const x = !(a && b) ? 2 : true;',
      'const x = !(a || b) ? 1 : true;',
      'const x = (a && b) ? 1 : true;',
      'const x = 1;',
      'const x = true;',
    ]);
    assert.deepEqual(mutate('const x = a ?? b;'), ['const x = a;', 'const x = b;']);
  });

  it('remove statements, and make conditions true or false', () => {
    assert.deepEqual(mutate('if (a) throw b;'), ['if (true) throw b;', 'if (false) throw b;', 'if (a) ;']);
    assert.deepEqual(mutate('work();'), [';']);
  });

  it('remove calls of a query and reverse its operators', () => {
    assert.deepEqual(mutate("const x = on.where('a', '>', b).execute();"), [
      'const x = on.execute();',
      "const x = on.where('a', '>=', b).execute();",
      "const x = on.where('a', '<=', b).execute();",
    ]);
  });

  it('replace methods that have a counterpart, and no other ones', () => {
    assert.deepEqual(mutate('const x = Math.max(a, b);'), ['const x = Math.min(a, b);']);
    assert.deepEqual(mutate('const x = a.toString();'), []);
  });

  it('break the words of SQL', () => {
    assert.deepEqual(mutate(`const x = sql\`where a < \${b} or a is null\`;`), [
      `const x = sql\`where a <= \${b} or a is null\`;`,
      `const x = sql\`where a >= \${b} or a is null\`;`,
      `const x = sql\`where a < \${b} and a is null\`;`,
      `const x = sql\`where a < \${b} or a is not null\`;`,
    ]);
  });

  it('are none in types, imports and texts', () => {
    assert.deepEqual(
      mutate("import a from 'a < b';\ntype A = 1 | true;\ninterface B { c: 1 }\nconst d = 'x < 1';"),
      [],
    );
  });

  it('say where they are, and on which line', () => {
    const [first] = findMutants('source.ts', '// first\n  const x = 1;\n');
    assert.deepEqual(first && [first.line, first.was, first.becomes, first.within], [2, '1', '2', 'const x = 1;']);
  });
});
