// Which passwords count as common.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findBrokenRules } from './index.ts';

const policy = {
  requireDigit: false,
  requireLowercase: false,
  requireUppercase: false,
  requireNonAlphanumeric: false,
  requiredLength: 6,
};

const isRefused = (password: string) => findBrokenRules(password, policy, []).length > 0;

describe('a common password is refused', () => {
  const common = {
    'from the list': [
      '123456',
      'password',
      'letmein',
      'qwertyuiop',
      '1qaz2wsx3edc',
      'administrator',
      'passwordpassword',
    ],
    'in any case or width': ['PassWord', 'QWERTYUIOP', 'ｐａｓｓｗｏｒｄ', '１２３４５６'],
    'with digits and signs around it': [
      'Password123!',
      'welcome12345',
      '!!iloveyou1234',
      '2024-Dragon!',
      'p@ssw0rd1234',
    ],
    repeated: ['aaaaaaaaaaaa', 'abc123abc123', 'letmeinletmein', 'qwertyqwerty', '123123123123', 'Letmeinletmein1!'],
    'as a stretch of the alphabet or the keyboard': ['abcdefghijklmn', 'zyxwvutsrqpo', 'QWERTYUIOPASDFG', 'defghijk99'],
    'made of the name of the service': ['latchkey', 'Latchkey2026!'],
  };
  for (const [how, passwords] of Object.entries(common)) {
    for (const password of passwords) it(`${how}: ${password}`, () => assert.equal(isRefused(password), true));
  }
});

describe('an uncommon password is accepted', () => {
  for (const password of [
    'correct horse battery',
    'purple-kettle-orbit',
    'kitchen-24819306',
    'vuqzhtwopxvuqzhtwopx',
    '582046791358',
    '🦊🐢🧵🪁🎣🛶',
    'Nkosi sikelel iAfrika',
  ]) {
    it(password, () => assert.equal(isRefused(password), false));
  }

  it('unless at most six digits or signs surround a common word', () => {
    const padding = fc.string({ unit: fc.constantFrom(...'0123456789!-_.'), minLength: 0, maxLength: 12 });
    fc.assert(
      fc.property(padding, padding, (before, after) => {
        assert.equal(isRefused(`${before}contortionist${after}`), before.length + after.length <= 6);
      }),
    );
  });
});
