// The arguments of a call: what its query string and its body may hold, and which of them wins.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { AuthError } from '../foundation/errors.ts';
import { createInputReader } from './input.ts';
import { Nullable, Secret } from './schemas.ts';

const body = Type.Object({
  language: Type.Optional(Type.Enum(['en', 'de'])),
  level: Type.Optional(Nullable(Type.Enum([1, 2]))),
  count: Type.Optional(Type.Integer()),
  isOn: Type.Optional(Type.Boolean()),
  names: Type.Optional(Type.Array(Type.String())),
  secret: Type.Optional(Secret({ maxLength: 10 })),
});
const read = createInputReader({ method: 'POST', body });

describe('the input of a call with a body', () => {
  it('has each single value that is not secret from the query string too', () => {
    const query = { language: 'de', level: '2', count: '3', isOn: 'true', names: 'a', secret: 'b' };
    assert.deepEqual(read(undefined, query), { language: 'de', level: 2, count: 3, isOn: true });
    assert.deepEqual(read({ language: 'en' }, query), { language: 'en', level: 2, count: 3, isOn: true });
  });

  it('is refused for a choice that is not offered, and names it', () => {
    for (const query of [{ language: 'xx' }, { level: '3' }, { level: 'de' }]) {
      assert.throws(
        () => read(undefined, query),
        (error) => {
          assert.ok(error instanceof AuthError && error.reason === 'request.invalid', String(error));
          assert.deepEqual(error.validationErrors?.[0]?.members, Object.keys(query));
          return true;
        },
      );
    }
  });
});
