// The validation of providers' answers.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { MAX_KEY_LENGTH, type Profile, type ProfileProblem, readAnswer } from './profile.ts';

const providerKey = 'key-1';
const profile = { emailAddress: 'ann@example.com', name: 'Ann', surname: 'Lee' };
const answer = (more: object) => ({ provider: 'Acme', providerKey, ...profile, ...more });

/** The profile of an answer that identifies a person. */
function profileOf(given: unknown): Profile | ProfileProblem {
  const read = readAnswer(given);
  return typeof read === 'string' ? assert.fail(read) : read.profile;
}
function namesOf(given: object) {
  const read = profileOf(answer(given));
  return typeof read === 'string' ? assert.fail(read) : [read.name, read.surname];
}
const keyOf = (given: object) => {
  const read = readAnswer(answer(given));
  return typeof read === 'string' ? read : read.providerKey;
};

describe('a profile', () => {
  it('has key, e-mail address and names, and nothing else that was sent', () => {
    const more = { provider: 'Globex', isActive: true, roleNames: ['Administrator'], id: 1 };
    assert.deepEqual(readAnswer(answer(more)), { providerKey, profile, failure: undefined });
  });

  it('may be an object of a class', () => {
    class User {
      readonly emailAddress = profile.emailAddress;
      readonly surname = 'Lee';
      name = 'Ann';
      get providerKey() {
        return 'key-1';
      }
    }
    assert.deepEqual(readAnswer(new User()), { providerKey, profile, failure: undefined });
  });

  for (const key of ['A', 'a', '0', ' a ', '../a', '<b>', '__proto__', 'constructor', '😀', 'é', 'e\u0301', 'ａ']) {
    it(`keeps the key ${JSON.stringify(key)} as it is`, () => {
      assert.equal(keyOf({ providerKey: key }), key);
    });
  }

  it('has a key of 256 units at the most', () => {
    assert.equal(MAX_KEY_LENGTH, 256);
    assert.equal(keyOf({ providerKey: 'k'.repeat(256) }).length, 256);
    assert.equal(readAnswer(answer({ providerKey: 'k'.repeat(257) })), 'malformed');
  });

  const names: [given: unknown, read: string][] = [
    [undefined, ''],
    [null, ''],
    ['', ''],
    [' \t Ann\r\n\u0000 Marie\u2028 ', 'Ann Marie'],
    ['a\u0007b', 'a b'],
    ['😀'.repeat(60), '😀'.repeat(50)],
    ['n'.repeat(5000), 'n'.repeat(100)],
    [`${'n'.repeat(99)} x`, 'n'.repeat(99)],
    ['half \ud800 a character', 'half \ufffd a character'],
    ['Zoë O’Neill-Ng', 'Zoë O’Neill-Ng'],
  ];
  for (const [given, read] of names) {
    it(`makes one line of the name ${JSON.stringify(given)?.slice(0, 40)}`, () => {
      assert.deepEqual(namesOf({ name: given, surname: given }), [read, read]);
    });
  }

  it('keeps a name of a hundred units whose last character has two', () => {
    const name = `${'n'.repeat(99)}😀`;
    assert.equal(namesOf({ name })[0]?.isWellFormed(), true);
  });

  it('has names and address without invisible marks', () => {
    const pasted = { name: '\u200fAn\u200bn ', surname: 'علی\u200cرضا', emailAddress: '\ufeffann@example.com\n' };
    assert.deepEqual(profileOf(answer(pasted)), { ...profile, surname: 'علی\u200cرضا' });
  });
});

describe('a person who is identified, and cannot register', () => {
  const missing: unknown[] = [undefined, null, '', ' ', '\t\n', 'undefined', ' null', 'NaN', '[object Object]'];
  const noTexts: unknown[] = [1, 0, true, false, {}, [], ['ann@example.com'], { toString: () => 'a@b.c' }];
  const addresses = [
    'ann',
    'ann@',
    '@example.com',
    'ann@b@example.com',
    'ann@example.com,bob@example.com',
    'ann@example.com bob@example.com',
    'Ann <ann@example.com>',
    '"ann"@example.com',
    '(ann)ann@example.com',
    'ann@[127.0.0.1]',
    'ann@example.com\u0000',
    'ann@example.com\r\nBcc: bob@example.com',
    '\ud800ann@example.com',
    `${'a'.repeat(243)}@example.com`,
    `${'a'.repeat(2 ** 20)}@example.com`,
  ];
  const cases: readonly (readonly [ProfileProblem, object])[] = [
    ...missing.map((emailAddress) => ['incomplete', { emailAddress }] as const),
    ...[...noTexts, ...addresses].map((emailAddress) => ['malformed', { emailAddress }] as const),
    ...noTexts.flatMap((odd) => (['name', 'surname'] as const).map((name) => ['malformed', { [name]: odd }] as const)),
    ...[false, undefined, null, 'true', 1].map((isEmailVerified) => ['unverified', { isEmailVerified }] as const),
    ['failed', { failure: new Error('down') }],
  ];
  for (const [problem, more] of cases) {
    it(`is ${problem}: ${JSON.stringify(more).slice(0, 60)}`, () => {
      assert.equal(profileOf(answer(more)), problem);
      assert.equal(keyOf(more), providerKey);
    });
  }

  it('may have an address that the provider calls verified', () => {
    assert.deepEqual(profileOf(answer({ isEmailVerified: true })), profile);
  });
});

describe('an answer that is not accepted', () => {
  for (const nothing of [null, undefined]) {
    it(`is refused: ${nothing}`, () => assert.equal(readAnswer(nothing), 'refused'));
  }

  const noObjects: unknown[] = [false, true, 0, '', 'ann', 1n, Symbol('x'), () => profile];
  for (const odd of noObjects) {
    it(`is malformed: ${String(odd)}`, () => assert.equal(readAnswer(odd), 'malformed'));
  }

  const missing: unknown[] = [undefined, null, '', ' ', '\t\n', 'undefined', ' null', 'NaN', '[object Object]'];
  for (const value of missing) {
    it(`is incomplete: ${JSON.stringify(value)} for a key`, () => {
      assert.equal(readAnswer(answer({ providerKey: value })), 'incomplete');
    });
  }
  for (const empty of [{}, [], Object.create(null), { key: 'a', email: 'b' }, { __proto__: { name: 'Ann' } }]) {
    it(`is incomplete: ${JSON.stringify(empty)}`, () => assert.equal(readAnswer(empty), 'incomplete'));
  }

  const noTexts: unknown[] = [1, 0, true, false, {}, [], ['ann@example.com'], { toString: () => 'a@b.c' }];
  for (const value of noTexts) {
    it(`is malformed: ${JSON.stringify(value)} for a key`, () => {
      assert.equal(readAnswer(answer({ providerKey: value })), 'malformed');
    });
  }

  for (const end of ['\u0000', '\n', '\u007f', '\u0085', '\ud800']) {
    it(`is malformed: ${JSON.stringify(end)} in a key`, () => {
      assert.equal(readAnswer(answer({ providerKey: `a${end}` })), 'malformed');
    });
  }

  it('throws what its members throw, as the caller expects', () => {
    const trap = new Proxy(profile, {
      get() {
        throw new Error('a trap');
      },
    });
    assert.throws(() => readAnswer(trap), { message: 'a trap' });
  });
});

it('what is read of any answer is well-formed', () => {
  const anything = fc.anything({ withNullPrototype: true });
  const text = fc.string({ unit: 'binary', maxLength: 400 });
  const member = fc.oneof({ weight: 2, arbitrary: text }, fc.emailAddress(), anything);
  const record = fc.record({ providerKey: member, emailAddress: member, name: member, surname: member });
  const likely = fc.record({ providerKey: text, emailAddress: fc.emailAddress(), name: text, surname: text });
  const isPlain = (value: string) => value.isWellFormed() && !/\p{Cc}/u.test(value);
  fc.assert(
    fc.property(fc.oneof(anything, record, likely), (given) => {
      const read = readAnswer(given);
      if (typeof read === 'string') return ['refused', 'incomplete', 'malformed'].includes(read);
      assert.ok(
        isPlain(read.providerKey) && read.providerKey.trim() !== '' && read.providerKey.length <= MAX_KEY_LENGTH,
      );
      if (typeof read.profile === 'string')
        return ['failed', 'incomplete', 'malformed', 'unverified'].includes(read.profile);
      const { name, surname, emailAddress, ...more } = read.profile;
      assert.deepEqual(more, {});
      assert.ok([name, surname, emailAddress].every(isPlain));
      assert.ok(name.length <= 100 && surname.length <= 100 && emailAddress.length <= 254);
    }),
  );
});
