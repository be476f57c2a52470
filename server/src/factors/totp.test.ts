// Codes of authenticator apps: the vectors of RFC 6238, appendix B, and the limits of a step.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Secret } from 'otpauth';
import type { Instant } from '../foundation/clock.ts';
import { systemRandom } from '../foundation/random.ts';
import { createTotpSecret, findTotpStep, readTotpCode, readTotpSecret, toTotpUri } from './totp.ts';

const at = (seconds: number) => (seconds * 1000) as Instant;
const secret = Secret.fromLatin1('12345678901234567890').base32;

/** Time and the last six of the eight digits in the table for SHA-1. */
const vectors: readonly [number, string][] = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
];

describe('codes of authenticator apps', () => {
  it('agree with RFC 6238', () => {
    for (const [seconds, code] of vectors) {
      assert.equal(findTotpStep(secret, code, at(seconds)), Math.floor(seconds / 30), code);
    }
  });

  it('are right one step early and late, and tell their own step', () => {
    const [seconds, code] = [59, '287082'];
    const start = Math.floor(seconds / 30) * 30;
    for (const time of [start - 30, start - 0.001, start + 30, start + 59.999]) {
      assert.equal(findTotpStep(secret, code, at(time)), 1, String(time));
    }
    for (const time of [start - 30.001, start + 60]) assert.equal(findTotpStep(secret, code, at(time)), undefined);
  });

  it('are six digits of any script, in groups as apps show them', () => {
    for (const typed of ['287082', ' 287 082\n', '287-082', '２８７０８２', '٢٨٧ ٠٨٢', '\u200e287082\u200e']) {
      assert.equal(findTotpStep(secret, typed, at(59)), 1, JSON.stringify(typed));
    }
    for (const typed of ['', '28708', '2870820', '0x4616', '-87082', '287.082', '28708Ⅱ']) {
      assert.equal(findTotpStep(secret, typed, at(59)), undefined, JSON.stringify(typed));
    }
  });

  it('are read as what an app shows, or as none', () => {
    assert.equal(readTotpCode(' 287 082 '), '287082');
    for (const typed of ['', '28708', '2870820', 'abcdef']) assert.equal(readTotpCode(typed), undefined, typed);
  });

  it('come from a secret of another service in any of its forms, of 10 to 64 bytes', () => {
    const bytes = Uint8Array.from({ length: 65 }, (_, index) => index + 32);
    for (const length of [9, 10, 64, 65]) {
      const { base32, hex, utf8 } = new Secret({ buffer: bytes.slice(0, length).buffer });
      const expected = length === 10 || length === 64 ? base32 : undefined;
      assert.equal(readTotpSecret(base32, 'base32'), expected, `${length} bytes`);
      assert.equal(readTotpSecret(hex, 'hex'), expected, `${length} bytes in hex`);
      assert.equal(readTotpSecret(utf8, 'utf8'), expected, `${length} characters`);
    }
    const padded = `${secret.slice(0, 16).toLowerCase().replace(/.{4}/g, '$& ')}-${secret.slice(16)}====`;
    assert.equal(readTotpSecret(padded, 'base32'), secret);
    for (const encoding of ['base32', 'hex'] as const)
      assert.equal(readTotpSecret('!'.repeat(40), encoding), undefined);
  });

  it('come from a secret of 160 bits, with everything in the address that an app needs', () => {
    const made = createTotpSecret(systemRandom);
    assert.match(made, /^[A-Z2-7]{32}$/);
    assert.notEqual(made, createTotpSecret(systemRandom));
    const uri = new URL(toTotpUri(made, 'auth.example.com', 'ann lee'));
    assert.equal(decodeURIComponent(uri.pathname), '/auth.example.com:ann lee');
    const given = Object.fromEntries(uri.searchParams);
    assert.deepEqual(given, { issuer: 'auth.example.com', secret: made, algorithm: 'SHA1', digits: '6', period: '30' });
  });
});
