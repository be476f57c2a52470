// The checks of verifiers: each finds the violation planted for it, and reports nothing for verdicts in time.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Rule } from './checks.ts';
import type { Entry } from './ledger.ts';
import { type Fault, findVerifierViolations, longestAfterlife } from './verifier-checks.ts';

const limits = { bound: 5, recovery: 10 };
let number = 0;

function entry(startedAt: number, endedAt: number, facts: Partial<Entry>): Entry {
  number += 1;
  return { call: 'call', caller: 'me', outcome: 'done', number, startedAt, endedAt, canaries: [], ...facts };
}
const signIn = (startedAt: number, endedAt: number) => entry(startedAt, endedAt, { gives: ['token:a', 'session:s'] });
const signOff = (startedAt: number, endedAt: number, outcome: Entry['outcome'] = 'done') =>
  entry(startedAt, endedAt, { ends: ['session:s'], outcome });
const refresh = (startedAt: number, endedAt: number, outcome: Entry['outcome'] = 'done') =>
  entry(startedAt, endedAt, { ends: ['token:a'], gives: outcome === 'done' ? ['token:b'] : [], outcome });

const verdict = (at: number, facts: Partial<Entry> = {}, token = 'a') =>
  entry(at, at + 1, { caller: 'sidecar', shows: [`token:${token}`, 'session:s'], ...facts });
const stale = { outcome: 'unknown', reason: 'stale' } as const;
const revoked = { outcome: 'refused', reason: 'revoked' } as const;
const invalid = { outcome: 'refused', reason: 'invalid' } as const;

const rulesOf = (entries: Entry[], verdicts: Entry[], faults: Fault[] = []): Rule[] =>
  findVerifierViolations({ entries, verdicts, faults }, limits).map(({ rule }) => rule);

describe('a dead token', () => {
  it('is accepted until the bound has passed since the answer that acknowledged its end, and not longer', () => {
    for (const end of [signOff, refresh]) {
      const entries = [signIn(0, 1), end(2, 10)];
      assert.deepEqual(rulesOf(entries, [verdict(15)]), []);
      assert.deepEqual(rulesOf(entries, [verdict(16)]), ['dead within the bound']);
    }
  });

  it('is not excused by a fault', () => {
    const fault = { startedAt: 0, endedAt: 100 };
    assert.deepEqual(rulesOf([signIn(0, 1), signOff(2, 3)], [verdict(50)], [fault]), ['dead within the bound']);
  });

  it('may live if its end was not acknowledged', () => {
    assert.deepEqual(rulesOf([signIn(0, 1), signOff(2, 3, 'unknown')], [verdict(50)]), []);
    assert.deepEqual(rulesOf([signIn(0, 1), refresh(2, 3)], [verdict(50, {}, 'b')]), []);
  });

  it('has an afterlife that is told', () => {
    const entries = [signIn(0, 1), signOff(2, 10)];
    assert.equal(
      longestAfterlife({ entries, verdicts: [verdict(3), verdict(14), verdict(40, revoked)], faults: [] }),
      4,
    );
  });
});

describe('a live token', () => {
  const since = (at: number) => [signIn(at - 1, at)];

  it('is never revoked, whatever was broken', () => {
    const fault = { startedAt: 0, endedAt: 100 };
    assert.deepEqual(rulesOf(since(0), [verdict(5, revoked)], [fault]), ['live after the fault']);
  });

  it('is invalid only around a fault', () => {
    const fault = { startedAt: 0, endedAt: 20 };
    assert.deepEqual(rulesOf(since(0), [verdict(5, invalid), verdict(30, invalid)], [fault]), []);
    assert.deepEqual(rulesOf(since(0), [verdict(31, invalid)], [fault]), ['live after the fault']);
    assert.deepEqual(rulesOf(since(0), [verdict(5, invalid)]), ['live after the fault']);
  });

  it('is refused while a fault lasts and for the recovery, and not longer', () => {
    const fault = { startedAt: 10, endedAt: 50 };
    const refused = [12, 30, 50, 60].map((at) => verdict(at, stale));
    assert.deepEqual(rulesOf(since(0), [...refused, verdict(61)], [fault]), []);
    assert.deepEqual(rulesOf(since(0), [...refused, verdict(61, stale)], [fault]), ['live after the fault']);
  });

  it('is not refused for long without a fault', () => {
    assert.deepEqual(rulesOf(since(0), [verdict(5, stale), verdict(15, stale), verdict(17), verdict(30, stale)]), []);
    assert.deepEqual(rulesOf(since(0), [verdict(5, stale), verdict(16, stale)]), ['live after the fault']);
    const other = { ...stale, caller: 'another' };
    assert.deepEqual(rulesOf(since(0), [verdict(5, stale), verdict(16, other), verdict(20, other)]), []);
  });

  it('is not known to live before it was issued, or once a call may have ended it', () => {
    assert.deepEqual(rulesOf(since(9), [verdict(5, revoked)]), []);
    assert.deepEqual(rulesOf([...since(0), signOff(2, 3, 'unknown')], [verdict(5, revoked)]), []);
    assert.deepEqual(rulesOf([...since(0), signOff(6, 9)], [verdict(5, revoked)]), []);
    assert.deepEqual(rulesOf([...since(0), refresh(2, 3, 'refused')], [verdict(5, revoked)]), ['live after the fault']);
  });
});
