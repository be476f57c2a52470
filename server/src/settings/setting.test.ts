// What is left of a stored value that breaks bounds.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { defineSetting } from '../foundation/setting.ts';
import { mendValue } from './setting.ts';

const about = { scope: 'general', category: 'Test', label: 'Test', description: '', order: 1, public: false } as const;

describe('a stored value that breaks bounds', () => {
  const compound = defineSetting({
    ...about,
    name: 'Test.Compound',
    kind: 'compound',
    schema: Type.Object({
      low: Type.Integer({ minimum: 1 }),
      high: Type.Integer({ maximum: 9 }),
      list: Type.Array(Type.String()),
    }),
    default: { low: 1, high: 2, list: ['initial'] },
    findProblems: ({ low, high }) => (low > high ? [{ message: 'Too low.', members: ['high'] }] : []),
  });
  const mend = (value: unknown) => mendValue(compound, value);

  it('keeps the members of a compound that are within them, and the others have their defaults', () => {
    const list = ['own'];
    assert.deepEqual(mend({ low: 3, high: 4, list }), { low: 3, high: 4, list });
    assert.deepEqual(mend({ low: 0, high: 4, list }), { low: 1, high: 4, list });
    assert.deepEqual(mend({ low: 0, high: 'x', list }), { low: 1, high: 2, list });
    assert.deepEqual(mend({ low: 2, high: 2, list: ['own', 7] }), { low: 2, high: 2, list: ['initial'] });
  });

  it('is the default when no member is to blame', () => {
    assert.deepEqual(mend({ low: 7, high: 4, list: [] }), compound.default);
    for (const damaged of [undefined, null, 5, 'text', []]) assert.deepEqual(mend(damaged), compound.default);
    const single = defineSetting({ ...about, name: 'Test.Single', kind: 'value', schema: Type.Integer(), default: 5 });
    assert.deepEqual([mendValue(single, 6), mendValue(single, 'x')], [6, 5]);
  });
});
