// User names: every spelling of a name has one key, and a name that passes for another person's address is found out.
import assert from 'node:assert/strict';
import { fullName, isForeignAddress, isIndexable, nameKey } from '../../../src/accounts/account.ts';
import { foldCase } from '../../../src/foundation/case-folding.ts';
import { memberKey } from '../../../src/foundation/member-names.ts';
import { readCode, readName, readWords } from '../../../src/foundation/typed-text.ts';
import { roleKey } from '../../../src/roles/role.ts';
import type { Target } from '../target.ts';

export const target: Target = {
  name: 'names',
  words: [
    'Ann',
    'ann@example.com',
    'Ｋ',
    'ＳＳ',
    'ΌΣΟΣ',
    'ﬃ',
    '\u200b',
    '\u200d',
    '\u00a0',
    '١٢٣',
    '１-２',
    'علی\u200cرضا',
  ],
  check(input) {
    const text = input.toString();
    const key = nameKey(text);
    for (const fold of [nameKey, foldCase, roleKey]) {
      const folded = fold(text);
      assert.equal(fold(folded), folded, `${fold.name} of its result is its result`);
      for (const spelling of [text.normalize('NFD'), text.normalize('NFKC'), text.normalize('NFKD')]) {
        assert.equal(fold(spelling), folded, `${fold.name} is the same for equivalent texts`);
      }
    }
    for (const read of [readName, readWords]) {
      const meant = read(text);
      assert.equal(read(meant), meant, `${read.name} of its result is its result`);
      assert.equal(meant, meant.trim());
    }
    const code = readCode(text);
    if (/^[ -~]*$/.test(code)) assert.equal(readCode(code), code, 'a code that was read stays as it is');
    assert.equal(nameKey(readName(text)), key, 'a name has the key that it has with invisible marks');
    // Only ASCII letters have cases in member names, so that no other letter passes for one of them.
    assert.equal(
      memberKey(text),
      text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
    );
    assert.equal(isIndexable(text), key.length <= 256);
    const own = { userName: text, emailAddress: text, mobileNumber: null };
    assert.equal(key.includes('@') && isForeignAddress(own, () => undefined), false, 'an own address is not foreign');
    const without = isForeignAddress({ ...own, emailAddress: null }, () => undefined);
    assert.equal(without, key.includes('@'));
    return [key, foldCase(text), without, fullName({ name: text, surname: '', userName: 'x' })];
  },
};
