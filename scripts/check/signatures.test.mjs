// What the reports of `npm audit signatures` mean for the check.
// Alone in its process: what it tests asks npm when it is loaded, and so cannot be required.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judge } from './signatures.ts';

const pg = { name: 'pg', version: '8.23.1' };
const react = { name: 'react', version: '19.3.1' };

describe('the signatures of the packages', () => {
  it('are right if npm finds none wrong and none missing', () => {
    assert.equal(judge({ invalid: [], missing: [], verified: [react] }).kind, 'verified');
  });

  it('fail the check if one is wrong, even if npm met an error too', () => {
    const outcome = judge({ invalid: [pg], missing: [react], error: { summary: 'request failed' } });
    assert.deepEqual(outcome, { kind: 'wrong', line: 'wrong signatures: pg@8.23.1' });
  });

  it('fail the check if the registry signs packages, but not all', () => {
    const outcome = judge({ invalid: [], missing: [pg], verified: [react] });
    assert.deepEqual(outcome, { kind: 'wrong', line: 'no signature, although the registry signs: pg@8.23.1' });
  });

  it('are left out without a network, and the line says why', () => {
    const outcome = judge({ error: { summary: 'request failed, reason: getaddrinfo ENOTFOUND\nsecond line' } });
    assert.deepEqual(outcome, {
      kind: 'left out',
      line: 'left out: request failed, reason: getaddrinfo ENOTFOUND',
    });
  });

  it('are left out if a mirror passes none on', () => {
    assert.equal(judge({ invalid: [], missing: [pg, react], verified: [] }).kind, 'left out');
  });
});
