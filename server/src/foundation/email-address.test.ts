// One plain e-mail address, and what only looks like one.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isEmailAddress } from './email-address.ts';

describe('an e-mail address', () => {
  const long = `${'a'.repeat(242)}@example.com`;
  const plain = [
    'ann@example.com',
    "a.o'neill+tag@sub.example.co.za",
    'jürgen@müller.example',
    '用户@例え.jp',
    'a@b',
    long,
  ];
  for (const text of plain) it(`is ${text.slice(0, 40)}`, () => assert.equal(isEmailAddress(text), true));

  const others = [
    '',
    'ann',
    '@',
    'ann@',
    '@example.com',
    'a@b@c',
    `a${long}`,
    `Ann <ann@example.com>`,
    '"ann"@example.com',
  ];
  for (const text of others) it(`is not ${text.slice(0, 40)}`, () => assert.equal(isEmailAddress(text), false));

  it('has nothing in it that separates, quotes or comments', () => {
    for (const sign of ' ,;:<>()[]\\"@') assert.equal(isEmailAddress(`an${sign}n@example.com`), false, sign);
  });

  it('has nothing in it that cannot be seen', () => {
    const hidden = [
      '\0',
      '\t',
      '\r',
      '\n',
      '\u007f',
      '\u0085',
      '\u00a0',
      '\u00ad',
      '\u034f',
      '\u061c',
      '\u200b',
      '\u200d',
    ];
    const more = [
      '\u202e',
      '\u2028',
      '\u2800',
      '\u3000',
      '\u3164',
      '\ufeff',
      '\ufe0f',
      '\ud800',
      '\u{e0041}',
      '\ue000',
    ];
    for (const sign of [...hidden, ...more]) {
      for (const text of [`an${sign}n@example.com`, `ann@exam${sign}ple.com`, `ann@example.com${sign}`]) {
        assert.equal(isEmailAddress(text), false, JSON.stringify(text));
      }
    }
  });

  it('is found in a time that grows with the text alone', () => {
    for (const text of ['@'.repeat(254), `${'a@'.repeat(127)}`, 'a'.repeat(254), 'a'.repeat(10_000_000)]) {
      assert.equal(isEmailAddress(text), false);
    }
  });
});
