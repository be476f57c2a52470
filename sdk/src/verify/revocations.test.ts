// Revocations: which tokens an item of the feed revokes, and for how long it is known.
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createRevocations, type Revocations } from './revocations.ts';

const sid = crypto.randomUUID();
const at = '2026-11-22T08:00:00.000Z';
const expiresAt = '2026-11-22T09:00:00.000Z';

describe('what the verifier knows', () => {
  let now: number;
  let revocations: Revocations;
  let keys: string[];
  beforeEach(() => {
    now = 0;
    keys = [];
    revocations = createRevocations(
      () => now,
      (kid) => void keys.push(kid),
    );
  });
  const isRevoked = (claims: { gen?: number; iat?: number; sid?: string }) =>
    revocations.isRevoked({ sid, gen: 0, iat: 1000, ...claims });

  it('revokes generations below the one that is named', () => {
    revocations.add({ at, expiresAt, sid, generation: 3 });
    assert.deepEqual([isRevoked({ gen: 2 }), isRevoked({ gen: 3 })], [true, false]);
    revocations.add({ at, expiresAt, sid, generation: 1 });
    assert.equal(isRevoked({ gen: 2 }), true, 'a revocation is never taken back');
    assert.equal(isRevoked({ sid: crypto.randomUUID() }), false);
    revocations.add({ at, expiresAt, sid, generation: 2_147_483_647 });
    assert.equal(isRevoked({ gen: 2_147_483_646 }), true);
  });

  it('revokes what was issued before a second, and not in it', () => {
    revocations.add({ at, expiresAt, issuedBefore: 1000 });
    revocations.add({ at, expiresAt, issuedBefore: 900 });
    assert.deepEqual([isRevoked({ iat: 999 }), isRevoked({ iat: 1000 })], [true, false]);
  });

  it('tells of each key once', () => {
    for (const keyId of ['a', 'a', 'b']) revocations.add({ at, expiresAt, keyId });
    assert.deepEqual(keys, ['a', 'b']);
    assert.deepEqual([revocations.isKeyRevoked('a'), revocations.isKeyRevoked('c')], [true, false]);
  });

  it('keeps a session for as long as the item says after it has arrived', () => {
    now = 50;
    revocations.add({ at, expiresAt, sid, generation: 1 });
    now = 3649;
    revocations.sweep();
    assert.equal(revocations.sessions.size, 1);
    now = 3650;
    revocations.sweep();
    assert.equal(revocations.sessions.size, 0);
  });

  it('keeps a session for the longest lifetime of a token if the item says nothing that makes sense', () => {
    for (const wrong of [undefined, 'soon', '2026-11-22T07:00:00.000Z', '9999-01-01T00:00:00.000Z']) {
      now = 0;
      revocations = createRevocations(
        () => now,
        () => {},
      );
      revocations.add({ at, expiresAt: wrong, sid, generation: 1 });
      now = 2_073_599;
      revocations.sweep();
      assert.equal(revocations.sessions.size, 1);
      now = 2_073_600;
      revocations.sweep();
      assert.equal(revocations.sessions.size, 0);
    }
  });

  it('rejects an item that it does not understand', () => {
    const odd = [
      null,
      'x',
      {},
      { sid },
      { sid, generation: '1' },
      { sid, generation: -1 },
      { sid, generation: 2_147_483_648 },
      { sid: 'x', generation: 1 },
      { keyId: 7 },
      { issuedBefore: 1.5 },
    ];
    for (const item of odd) assert.throws(() => revocations.add(item), /does not understand/, JSON.stringify(item));
  });

  it('keeps nothing for a session of which no token is revoked', () => {
    revocations.add({ at, expiresAt, sid, generation: 0 });
    assert.equal(revocations.sessions.size, 0);
  });
});
