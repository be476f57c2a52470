// Case folding: all Unicode characters, and some words.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { itAtLength } from '../../test/support/scale.ts';
import { foldCase } from './case-folding.ts';

describe('case folding', () => {
  it('gives all spellings one form', () => {
    for (const spelling of ['straße', 'STRASSE', 'STRAẞE', 'Ｓｔｒａſｓｅ'])
      assert.equal(foldCase(spelling), 'strasse');
    assert.equal(foldCase('ΟΔΟΣ'), foldCase('οδοσ'));
    assert.notEqual(foldCase('resume'), foldCase('résumé'));
  });

  itAtLength('folds each character the same in upper case, in lower case, decomposed and already folded', () => {
    const odd = [];
    for (let point = 0; point <= 0x10ffff; point += 1) {
      if (point === 0xd800) point = 0xe000;
      const character = String.fromCodePoint(point);
      const folded = foldCase(character);
      const spellings = [character.toUpperCase(), character.toLowerCase(), character.normalize('NFD'), folded];
      if (spellings.some((spelling) => foldCase(spelling) !== folded)) odd.push(point.toString(16));
    }
    assert.deepEqual(odd, []);
  });
});
