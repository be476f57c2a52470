// Pin rules: generation without bias, binding to operation, purpose, subject and address, and normalization.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addSeconds, type Instant } from '../foundation/clock.ts';
import { type Random, systemRandom } from '../foundation/random.ts';
import { boundText, generatePin, isSameMac, type Pin, PROOF_SECONDS, proofsSince, readPin } from './pin.ts';
import { otpSettings } from './settings.ts';

const bound: Omit<Pin, 'mac'> = {
  operationId: '5f7f6c3a-0b43-4a44-9c5e-0d6d6a7f0a11',
  purpose: 'sign-in',
  subject: 'account:7',
  accountId: 7,
  address: '+27821234567',
  createdAt: 1000 as Instant,
  expiresAt: 2000 as Instant,
};

describe('pin rules', () => {
  it('draws each character of a pin from the whole alphabet', () => {
    const limits: number[] = [];
    const drawn = [0, 35, 17, 9];
    const random: Random = {
      ...systemRandom,
      below(limit) {
        limits.push(limit);
        return drawn[limits.length - 1] ?? 0;
      },
    };
    const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';
    assert.equal(generatePin(random, { alphabet, length: 4 }), '0zh9');
    assert.deepEqual(limits, [36, 36, 36, 36]);
  });

  it('draws all characters, and leading zeros, about equally often', () => {
    const alphabet = '0123456789';
    const pins = Array.from({ length: 5000 }, () => generatePin(systemRandom, { alphabet, length: 6 }));
    assert.ok(pins.every((pin) => /^\d{6}$/.test(pin)));
    for (const place of [0, 5]) {
      const counts = Object.values(Object.groupBy(pins, (pin) => pin[place] ?? '')).map((some) => some?.length ?? 0);
      assert.equal(counts.length, 10);
      // 500 of each are expected, with a standard deviation of 21. Nine deviations do not happen by chance.
      assert.ok(counts.every((count) => count > 310 && count < 690));
    }
    assert.ok(new Set(pins).size > 4900);
  });

  it('binds a pin to operation, purpose, subject and address, each in its own place', () => {
    const texts = [
      boundText(bound, '123456'),
      boundText({ ...bound, operationId: 'another' }, '123456'),
      boundText({ ...bound, purpose: 'reset-password' }, '123456'),
      boundText({ ...bound, subject: 'account:8' }, '123456'),
      boundText({ ...bound, address: '+27821234568' }, '123456'),
      boundText({ ...bound, address: '' }, '+27821234567\n123456'),
      boundText(bound, '123457'),
      boundText(bound, ''),
    ];
    assert.equal(new Set(texts).size, texts.length);
  });

  it('reads a pin without the blanks and hyphens that people put in, and changes nothing else', () => {
    const digits = { alphabet: '0123456789', length: 6 };
    const spellings = [
      '123456',
      ' 123 456 ',
      '123-456',
      '1 2 3\t4\n5 6',
      '123\u00a0456',
      '123\u2009456',
      '１２３‐４５６',
    ];
    for (const typed of [...spellings, '\u200f١٢٣٤٥٦', '१२३–४५६', '\u202a123456\u202c', '123\u200b456\ufeff']) {
      assert.equal(readPin(typed, digits), '123456', JSON.stringify(typed));
    }
    const alphabet = [...'0123456789ABCXYZabcxyz'].join('');
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9A-CX-Za-cx-z]{6,12}$/), fc.nat(12), (pin, place) => {
        const form = { alphabet, length: pin.length };
        assert.equal(readPin(pin, form), pin);
        assert.equal(readPin(`${pin.slice(0, place)} - ${pin.slice(place)}`, form), pin);
      }),
    );
  });

  it('reads no pin where length or characters are others', () => {
    const form = { alphabet: '0123456789', length: 6 };
    for (const typed of ['', '12345', '1234567', '123.456', '12345a', '12345\u00b2\u00b2', 'abcdef', '-'.repeat(6)]) {
      assert.equal(readPin(typed, form), undefined, JSON.stringify(typed));
    }
    assert.equal(readPin('ABCDEF', { alphabet: 'abcdef', length: 6 }), undefined, 'case counts');
  });

  it('compares keyed hashes of any length', () => {
    assert.equal(isSameMac('abc', 'abc'), true);
    for (const other of ['abd', 'ab', 'abcd', '']) assert.equal(isSameMac('abc', other), false);
  });

  it('accepts a proof for fifteen minutes', () => {
    const now = 10_000_000 as Instant;
    assert.equal(PROOF_SECONDS, 900);
    assert.equal(proofsSince(now), addSeconds(now, -900));
  });

  it('refuses settings with fewer than a million pins, or with a character twice', () => {
    const problems = (alphabet: string, passwordLength: number) =>
      otpSettings.findProblems?.({ ...otpSettings.default, alphabet, passwordLength }).map(({ members }) => members);
    assert.deepEqual(problems('0123456789', 6), []);
    assert.deepEqual(problems('01', 12), [['alphabet', 'passwordLength']]);
    assert.deepEqual(problems('012345678', 6), [['alphabet', 'passwordLength']]);
    assert.deepEqual(problems('012345678', 7), []);
    assert.deepEqual(problems('01234567890', 6), [['alphabet']]);
  });
});
