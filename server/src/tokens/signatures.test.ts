// Signatures: a flood of them does not fill the queue of Node's pool.
import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import { createSignatureVerifier } from './signatures.ts';

describe('a signature', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const content = Buffer.from('header.payload');
  const right = sign('sha256', content, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  const wrong = Buffer.from(right).reverse();

  it('is verified on the pool while few are there, and else on the main thread', async () => {
    const verify = createSignatureVerifier(2);
    for (const _ of ['empty', 'empty again']) {
      const first = [verify(content, right, publicKey), verify(content, wrong, publicKey)];
      assert.ok(first.every((verdict) => verdict instanceof Promise));
      assert.equal(verify(content, right, publicKey), true);
      assert.equal(verify(content, wrong, publicKey), false);
      assert.deepEqual(await Promise.all(first), [true, false]);
    }
  });

  it('that cannot be verified leaves its place', async () => {
    const verify = createSignatureVerifier(1);
    const noKey = {} as typeof publicKey;
    await assert.rejects(async () => verify(content, right, noKey), TypeError);
    assert.ok(verify(content, right, publicKey) instanceof Promise);
  });
});
