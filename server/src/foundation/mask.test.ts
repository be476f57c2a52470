// Masks keep the first character of the name, and at most the ending of the host.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { maskAddress, maskWithoutEnding } from './mask.ts';

it('masks addresses', () => {
  assert.equal(maskAddress('thandi@example.org'), 't***@***.org');
  assert.equal(maskAddress('first.last@intranet'), 'f***@***');
  assert.equal(maskAddress('x@mail.example.co.za'), 'x***@***.za');
  assert.equal(maskAddress('+27821234567'), '***67');
});

it('masks addresses without their endings', () => {
  assert.equal(maskWithoutEnding('thandi@example.org'), 't***@***');
  assert.equal(maskWithoutEnding('x@mail.example.co.za'), 'x***@***');
  assert.equal(maskWithoutEnding('+27821234567'), '***67');
});
