// The public keys of passkeys: those of real key pairs, and those that authenticators never make.
import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, it } from 'node:test';
import { type CoseKey, isSoundKey } from './credential-key.ts';

const bytesOf = (text: string | undefined) => new Uint8Array(Buffer.from(text ?? '', 'base64url'));
const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'));
const jwkOf = ({ publicKey }: { publicKey: KeyObject }) => publicKey.export({ format: 'jwk' });

type Labels = Record<number, unknown>;
const keyOf = (labels: Labels): CoseKey =>
  new Map(Object.entries(labels).map(([label, value]) => [Number(label), value]));

const makeEc = (namedCurve = 'P-256') => {
  const { x, y } = jwkOf(generateKeyPairSync('ec', { namedCurve }));
  return { 1: 2, 3: -7, [-1]: 1, [-2]: bytesOf(x), [-3]: bytesOf(y) };
};
const makeEd = () => ({ 1: 1, 3: -8, [-1]: 6, [-2]: bytesOf(jwkOf(generateKeyPairSync('ed25519')).x) });
const makeRsa = (modulusLength: number, publicExponent = 0x10001) => {
  const { n, e } = jwkOf(generateKeyPairSync('rsa', { modulusLength, publicExponent }));
  return { 1: 3, 3: -257, [-1]: bytesOf(n), [-2]: bytesOf(e) };
};

const [ec, ed, rsa] = [makeEc(), makeEd(), makeRsa(2048)];
const [x, y] = [ec[-2] as Uint8Array, ec[-3] as Uint8Array];
const flip = (bytes: Uint8Array, at: number) => bytes.with(at, (bytes[at] ?? 0) ^ 1);

/** Points of Ed25519 whose order divides 8, and their other encodings. */
const smallOrder = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
];
const beyondField = ['edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f', 'ff'.repeat(32)];

describe('the key of a passkey', () => {
  it('may be of P-256, Ed25519, or RSA with 2048 to 4096 bits', () => {
    for (let count = 0; count < 20; count += 1) {
      assert.ok(isSoundKey(keyOf(makeEc())));
      assert.ok(isSoundKey(keyOf(makeEd())));
    }
    // RFC 8032, 7.1, test 1.
    const known = hex('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');
    assert.ok(isSoundKey(keyOf({ ...ed, [-2]: known })));
    assert.ok(isSoundKey(keyOf(rsa)));
    assert.ok(isSoundKey(keyOf({ ...rsa, [-1]: hex(`00${Buffer.from(rsa[-1] as Uint8Array).toString('hex')}`) })));
  });

  it('is a point of P-256', () => {
    const wrong: Labels[] = [
      { [-2]: flip(x, 31) },
      { [-3]: flip(y, 31) },
      { [-2]: y, [-3]: x },
      { [-2]: new Uint8Array(32), [-3]: new Uint8Array(32) },
      { [-2]: new Uint8Array(32).fill(255) },
      { [-2]: x.subarray(1) },
      { [-2]: hex(`00${Buffer.from(x).toString('hex')}`) },
      { [-3]: true },
      { [-3]: undefined },
      { [-2]: '' },
    ];
    for (const labels of wrong) assert.ok(!isSoundKey(keyOf({ ...ec, ...labels })), JSON.stringify(labels));
  });

  it('is a point of Ed25519, of more than eight multiples', () => {
    const points = Array.from({ length: 40 }, (_, last) =>
      hex(`${'00'.repeat(31)}${last.toString(16).padStart(2, '0')}`),
    );
    const accepted = points.filter((point) => isSoundKey(keyOf({ ...ed, [-2]: point })));
    assert.ok(accepted.length > 5 && accepted.length < 35, 'about half of all texts are points');
    for (const encoding of [...smallOrder, ...beyondField]) {
      assert.ok(!isSoundKey(keyOf({ ...ed, [-2]: hex(encoding) })), encoding);
    }
    for (const bytes of [new Uint8Array(31), new Uint8Array(33), undefined, 'x']) {
      assert.ok(!isSoundKey(keyOf({ ...ed, [-2]: bytes })));
    }
  });

  it('has a modulus and an exponent of safe size', () => {
    const n = rsa[-1] as Uint8Array;
    const wrong: Labels[] = [
      makeRsa(1024),
      makeRsa(2040),
      makeRsa(2048, 3),
      { ...rsa, [-1]: flip(n, n.length - 1) },
      { ...rsa, [-1]: new Uint8Array(1024).fill(255) },
      { ...rsa, [-2]: hex('01') },
      { ...rsa, [-2]: hex('010000') },
      { ...rsa, [-2]: hex('0100000001') },
      { ...rsa, [-2]: n },
      { ...rsa, [-2]: new Uint8Array(0) },
      { ...rsa, [-1]: undefined },
    ];
    for (const labels of wrong) assert.ok(!isSoundKey(keyOf(labels)), JSON.stringify(labels));
  });

  it('is of the algorithm that it names', () => {
    const wrong: Labels[] = [
      { ...ec, 3: -8 },
      { ...ec, 3: '-7' },
      { ...ec, 3: -257 },
      { ...ec, 3: -35 },
      { ...ec, 1: 1 },
      { ...ec, [-1]: 2 },
      { ...makeEc('P-384'), [-1]: 2 },
      { ...makeEc('secp256k1'), [-1]: 8 },
      makeEc('secp256k1'),
      { ...ed, 3: -7 },
      { ...ed, [-1]: 4 },
      { ...rsa, 3: -37 },
      { ...rsa, 3: -65535 },
      { ...rsa, 3: undefined },
      {},
    ];
    for (const labels of wrong) assert.ok(!isSoundKey(keyOf(labels)), JSON.stringify(labels));
  });
});
