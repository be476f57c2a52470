// Typed text: invisible marks and white space go, letters stay, and digits of every script become ASCII.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readCode, readName, readWords, toAsciiDigits } from './typed-text.ts';

/** Marks that people paste with a name: of zero width, of direction, white space. */
const marks = [
  '\u200b',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202e',
  '\u2066',
  '\u2069',
  '\u061c',
  '\u2060',
  '\ufeff',
  '\u00ad',
];
const blanks = [' ', '\t', '\n', '\r\n', '\u00a0', '\u2003', '\u3000', '\u2028'];

const text = fc.string({
  unit: fc.constantFrom(...marks, ...blanks, '\u200c', '\u200d', 'a', 'É', 'ع', 'മ', '്', '❤', '\ufe0f'),
});

describe('a typed text', () => {
  it('has no invisible mark, and no white space around it', () => {
    for (const mark of [...marks, '\u200c', '\u200d']) {
      for (const read of [readName, readWords]) {
        assert.equal(read(`${mark} an${mark}na ${mark}${mark}`), 'anna', JSON.stringify(mark));
      }
    }
    for (const blank of blanks) {
      assert.equal(readName(`${blank}anna lee${blank}`), 'anna lee', JSON.stringify(blank));
      assert.equal(readWords(`${blank}anna${blank}lee${blank}`), `anna${blank}lee`, JSON.stringify(blank));
    }
  });

  it('keeps what shapes a letter in words, and not in names', () => {
    for (const words of ['علی\u200cرضا', 'അവന്\u200d', '渡辺\u{e0102}', '👩\u200d🚀', '❤\ufe0f']) {
      assert.equal(readWords(` ${words}\u200f`), words);
      assert.doesNotMatch(readName(words), /\p{Default_Ignorable_Code_Point}/u);
    }
    assert.equal(readName('علی\u200cرضا'), 'علیرضا');
  });

  it('read again stays as it is', () => {
    fc.assert(
      fc.property(text, (typed) => {
        for (const read of [readName, readWords]) assert.equal(read(read(typed)), read(typed));
      }),
    );
  });
});

describe('typed digits', () => {
  it('of every script are ASCII digits', () => {
    let digits = '';
    for (let point = 0; point <= 0x10ffff; point += 1) {
      if (point === 0xd800) point = 0xe000;
      const character = String.fromCodePoint(point);
      if (/\p{Nd}/u.test(character)) digits += character;
    }
    assert.match(toAsciiDigits(digits), /^(0123456789){70,}$/);
    assert.equal(toAsciiDigits('a²Ⅱ½'), 'a²Ⅱ½', 'what is no decimal digit stays');
  });

  it('in a code stand without blanks and hyphens', () => {
    for (const typed of [
      '123456',
      ' 123 456\n',
      '123-456',
      '12–34—56',
      '１２３−４５６',
      '١٢٣٤٥٦\u200f',
      '1\u200b23\u202f456',
    ]) {
      assert.equal(readCode(typed), '123456', JSON.stringify(typed));
    }
    assert.equal(readCode('ＡｂＣ.1'), 'AbC.1');
  });
});
