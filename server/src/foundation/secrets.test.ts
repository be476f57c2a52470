// What is sealed opens with the same secret and label alone.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { systemRandom } from './random.ts';
import { createSecrets, UnsealError } from './secrets.ts';

it('a sealed text opens with the secret and the label that sealed it', () => {
  const [own, other] = ['a', 'b'].map((letter) => createSecrets(letter.repeat(32), systemRandom));
  assert.ok(own && other);
  const sealed = own.seal('provider', 'hunter2');
  assert.equal(own.unseal('provider', sealed), 'hunter2');
  assert.deepEqual(
    ['hunter2', 'hunter3'].map((plain) => own.opensTo('provider', sealed, plain)),
    [true, false],
  );
  for (const open of [
    () => own.unseal('webhook', sealed),
    () => other.unseal('provider', sealed),
    () => own.unseal('provider', `${sealed.slice(0, -4)}AAAA`),
    () => own.unseal('provider', ''),
  ]) {
    assert.throws(open, UnsealError);
  }
  assert.deepEqual([own.tryUnseal('provider', sealed), other.tryUnseal('provider', sealed)], ['hunter2', undefined]);
  assert.equal(other.opensTo('provider', sealed, 'hunter2'), false);
});
