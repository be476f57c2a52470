// What the log says of a failed request to a provider.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { UnsealError } from '../../foundation/secrets.ts';
import { explain } from './failures.ts';

it('a secret that cannot be opened is no fault of the provider', () => {
  assert.match(explain(new UnsealError(null)), /^the stored secret was sealed with another LATCHKEY_SECRET: /);
  assert.equal(explain(new Error('a text that may hold a secret')), 'no valid answer');
});
