// E-mail addresses: which texts are accepted, and which spellings share a key.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { foldCase } from './case-folding.ts';
import { emailKey, readEmailAddress, withAsciiDomain } from './email-address.ts';
import { readName } from './typed-text.ts';

const isEmailAddress = (text: string) => readEmailAddress(text) !== undefined;

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
    '.ann@example.com',
    'ann.@example.com',
    'ann..lee@example.com',
    'ann\u2026lee@example.com',
    'ann@.example.com',
    'ann@example.com.',
    'ann@example.com\u3002',
    'ann@example..com',
    'ann@-example.com',
    'ann@example-.com',
    'ann\uff20example.com@example.org',
    'ann@example.com/path',
    'ann@ex%61mple.com',
    'ann@1',
    'ann@192.0.2.1',
    `ann@${'b'.repeat(64)}.com`,
    `ann@${'\u00fc.'.repeat(100)}com`,
  ];
  for (const text of others) it(`is not ${text.slice(0, 40)}`, () => assert.equal(isEmailAddress(text), false));

  it('has no separators, quotes or comments', () => {
    for (const sign of ' ,;:<>()[]\\"@') assert.equal(isEmailAddress(`an${sign}n@example.com`), false, sign);
  });

  it('has no invisible characters', () => {
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

  it('is parsed in linear time', () => {
    for (const text of ['@'.repeat(254), `${'a@'.repeat(127)}`, 'a'.repeat(254), 'a'.repeat(10_000_000)]) {
      assert.equal(isEmailAddress(text), false);
    }
  });
});

const spellings: [stored: string, key: string, ...spellings: string[]][] = [
  ['Ann@EXAMPLE.com', 'ann@example.com'],
  ['ann@XN--R8JZ45G.jp', 'ann@xn--r8jz45g.jp'],
  ['Ann@example.com', 'ann@example.com', 'Ann@example\u3002com', 'Ann@\uff45xample\uff0ecom'],
  ['ann@xn--r8jz45g.jp', 'ann@xn--r8jz45g.jp', 'ann@例え.jp', 'ann@例え。JP'],
  ['Jürgen@xn--mller-kva.de', 'jürgen@xn--mller-kva.de', 'Jürgen@MÜLLER.de', 'Jürgen@mu\u0308ller.de'],
  ['ann@xn--strae-oqa.de', 'ann@xn--strae-oqa.de', 'ann@straße.de', 'ann@STRAẞE.de'],
];

describe('the spellings of an e-mail address', () => {
  for (const [stored, key, ...texts] of spellings) {
    for (const text of [stored, ...texts]) {
      it(`${text} is ${stored}`, () => {
        assert.equal(readEmailAddress(text), stored);
        for (const typed of [text, `${text}.`, `${text}\u3002`, text.replace('@', '\uff20')]) {
          assert.equal(emailKey(typed), key, typed);
        }
        assert.equal(
          withAsciiDomain(`${text}.`),
          stored.replace(/@.*/, (domain) => domain.toLowerCase()),
        );
      });
    }
  }

  it('belong to one domain: other domains have other keys', () => {
    assert.notEqual(emailKey('ann@straße.de'), emailKey('ann@strasse.de'));
    assert.notEqual(emailKey('ann@example.com/x'), emailKey('ann@example.com'));
    assert.notEqual(emailKey('ann@example.com@example.org'), emailKey('ann@example.com'));
  });

  it('in ASCII, without the dot of the root and punycode, are read as names and folded', () => {
    const ascii = fc.string({ unit: 'binary-ascii', maxLength: 20 });
    const address = fc.tuple(ascii, ascii).map(([local, domain]) => `${local}@${domain}`);
    const plain = fc.oneof(address, fc.emailAddress()).filter((text) => !/\.$|xn--/i.test(text));
    fc.assert(fc.property(plain, (text) => emailKey(text) === foldCase(readName(text))));
  });

  it('have a key that is its own key; other texts are read as names and folded', () => {
    const part = fc.string({ unit: 'grapheme', maxLength: 20 });
    const address = fc.tuple(part, part).map(([local, domain]) => `${local}@${domain}`);
    fc.assert(fc.property(fc.oneof(address, fc.emailAddress()), (text) => emailKey(emailKey(text)) === emailKey(text)));
    // Found by fuzzing: a domain that is one only when it is folded.
    for (const text of ['@xn--ı.', 'ann@xn--ß.']) assert.equal(emailKey(emailKey(text)), emailKey(text));
    const name = part.filter((text) => !text.normalize('NFKC').includes('@'));
    fc.assert(fc.property(name, (text) => emailKey(text) === foldCase(readName(text.normalize('NFKC')))));
    for (const text of ['Ann', '@', 'ann@', 'ann@.', 'ann@example.com..', ''])
      assert.equal(emailKey(text), foldCase(text));
  });
});
