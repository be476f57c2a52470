// The rules for new passwords, at their limits.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AuthError } from '../foundation/errors.ts';
import type { PasswordPolicy } from './index.ts';
import { findBrokenRules, isPossiblePassword, normalizePassword, requireGoodPassword } from './index.ts';

const lax: PasswordPolicy = {
  requireDigit: false,
  requireLowercase: false,
  requireUppercase: false,
  requireNonAlphanumeric: false,
  requiredLength: 6,
};

const messages = (password: string, policy: Partial<PasswordPolicy> = {}, names: string[] = []) =>
  findBrokenRules(password, { ...lax, ...policy }, names).map(({ message }) => message);

describe('a possible password', () => {
  for (const [what, password, possible] of [
    ['nothing', '', false],
    ['one space', ' ', true],
    ['a NUL', '\0', true],
    ['1024 bytes', 'a'.repeat(1024), true],
    ['1025 bytes', 'a'.repeat(1025), false],
    ['1024 bytes of emoji', '😀'.repeat(256), true],
    ['1028 bytes of emoji', '😀'.repeat(257), false],
    ['a lone high surrogate', 'a\ud83d', false],
    ['a lone low surrogate', '\ude00a', false],
    ['1024 bytes only after composing', 'u\u0308\u0304'.repeat(512), true],
    ['1026 bytes after composing', 'u\u0308\u0304'.repeat(513), false],
  ] as const) {
    it(`${what}: ${possible ? 'yes' : 'no'}`, () => assert.equal(isPossiblePassword(password), possible));
  }

  it('has at most three UTF-16 units for two bytes of its normal form, on which the bound before normalizing relies', () => {
    for (let point = 1; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const composed = String.fromCodePoint(point).normalize('NFC');
      const units = Math.max(composed.normalize('NFD').length, point > 0xffff ? 2 : 1);
      if (units * 2 > Buffer.byteLength(composed) * 3) assert.fail(`U+${point.toString(16)}`);
    }
  });

  it('is normalized to NFC and otherwise stays as typed', () => {
    assert.equal(normalizePassword(' e\u0301 \u212b ﬁ '), ' é Å ﬁ ');
  });
});

describe('length of a new password', () => {
  for (const [what, password, requiredLength, broken] of [
    ['eleven of twelve', 'vuqzhtwopxe', 12, ['Use at least 12 characters.']],
    ['twelve of twelve', 'vuqzhtwopxeg', 12, []],
    ['six emoji are six characters, not twelve', '🗝🦊🐢🧵🪁🎣', 7, ['Use at least 7 characters.']],
    ['seven emoji of seven', '🗝🦊🐢🧵🪁🎣🛶', 7, []],
    ['composed before it is counted', 'e\u0301u\u0308o\u0302', 6, ['Use at least 6 characters.']],
    ['128 characters', `${'vuqzhtwo'.repeat(15)}pxegmkay`, 12, []],
    ['129 characters', `${'vuqzhtwo'.repeat(16)}!`, 12, ['Use at most 128 characters.']],
    ['128 emoji', `${'🦊🐢🧵🪁'.repeat(31)}🎣🛶🗝🗝`, 12, []],
    ['a megabyte of combining marks', '\u0301\u0323'.repeat(500_000), 12, ['Use at most 128 characters.']],
  ] as const) {
    it(what, () => assert.deepEqual(messages(password, { requiredLength }), broken));
  }
});

describe('kinds of characters in a new password', () => {
  const digit = 'Use at least one digit.';
  const lower = 'Use at least one lowercase letter.';
  const upper = 'Use at least one uppercase letter.';
  const sign = 'Use at least one character that is neither a letter nor a digit.';
  const all = { requireDigit: true, requireLowercase: true, requireUppercase: true, requireNonAlphanumeric: true };

  for (const [password, broken] of [
    ['vuqzHtw0px!', []],
    ['vuqzhtwopx', [digit, upper, sign]],
    ['VUQZHTWOPX', [digit, lower, sign]],
    ['5820467913582', [lower, upper, sign]],
    ['жщЮц٣٧ыэъ-', []],
    ['密码很难猜的啊', [digit, lower, upper, sign]],
    ['vuqzhtwo px', [digit, upper]],
  ] as const) {
    it(`${password} lacks ${broken.length}`, () => assert.deepEqual(messages(password, all), broken));
  }

  it('are required only where the policy requires them', () => {
    assert.deepEqual(messages('vuqzhtwopx'), []);
    assert.deepEqual(messages('vuqzhtwopx', { requireUppercase: true }), [upper]);
  });
});

describe("the account's own names in a new password", () => {
  const broken = ['Use a password without your name, user name or e-mail address in it.'];
  const names = ['Thandi.M', 'thandeka@post.example', 'Dlamini', 'Óscar', 'Bo'];

  for (const password of [
    'thandi.m',
    'xx-THANDI.M-yy',
    'thandeka@post.example!',
    'my thandeka phrase',
    'dLaMiNi and her dog',
    'o\u0301scar the grouch',
    'ｄｌａｍｉｎｉ wide',
  ]) {
    it(`refuses ${password}`, () => assert.deepEqual(messages(password, {}, names), broken));
  }

  for (const password of ['dlamin-vuqzh', 'bobsled-quarry', 'post.example-vuqzh']) {
    it(`takes ${password}`, () => assert.deepEqual(messages(password, {}, names), []));
  }

  it('ignores empty names and an address that begins with @', () => {
    assert.deepEqual(messages('vuqzhtwopx', {}, ['', '   ', '@', '@x']), []);
  });
});

describe('a new password', () => {
  it('that is not well-formed Unicode is refused', () => {
    assert.deepEqual(messages('vuqzhtwopxe\ud800'), ['Use whole characters only: one of them is not valid Unicode.']);
  });

  it('gets an entry for every rule it breaks, each with the member of the request', () => {
    const policy = { ...lax, requireDigit: true, requiredLength: 12 };
    assert.deepEqual(findBrokenRules('qwerty', policy, ['Qwerty'], 'password'), [
      { message: 'Use at least 12 characters.', members: ['password'] },
      { message: 'Use at least one digit.', members: ['password'] },
      { message: 'Use a password that is harder to guess: this one is too common.', members: ['password'] },
      { message: 'Use a password without your name, user name or e-mail address in it.', members: ['password'] },
    ]);
  });

  it('must differ from the current one in every Unicode spelling', () => {
    const current = 'crème-vuqzhtwopx';
    assert.throws(
      () => requireGoodPassword(current.normalize('NFD'), lax, [null, 'Bo'], { current }),
      (error) =>
        error instanceof AuthError &&
        error.reason === 'password.policy' &&
        error.status === 400 &&
        error.validationErrors?.length === 1 &&
        error.validationErrors[0]?.members[0] === 'newPassword',
    );
    requireGoodPassword(`${current}!`, lax, [null, 'Bo'], { current });
  });
});
