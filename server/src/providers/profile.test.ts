// The validation of providers' answers.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { MAX_KEY_LENGTH, readProfile } from './profile.ts';

const profile = { providerKey: 'key-1', emailAddress: 'ann@example.com', name: 'Ann', surname: 'Lee' };
const answer = (more: object) => ({ provider: 'Acme', ...profile, ...more });

describe('a profile', () => {
  it('has key, e-mail address and names, and nothing else that was sent', () => {
    const more = { provider: 'Globex', isActive: true, roleNames: ['Administrator'], id: 1 };
    assert.deepEqual(readProfile(answer(more)), profile);
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
    assert.deepEqual(readProfile(new User()), profile);
  });

  for (const key of ['A', 'a', '0', ' a ', '../a', '<b>', '__proto__', 'constructor', '😀', 'é', 'e\u0301', 'ａ']) {
    it(`keeps the key ${JSON.stringify(key)} as it is`, () => {
      assert.equal((readProfile(answer({ providerKey: key })) as typeof profile).providerKey, key);
    });
  }

  it('has a key of 256 units at the most', () => {
    assert.equal(MAX_KEY_LENGTH, 256);
    assert.equal(typeof readProfile(answer({ providerKey: 'k'.repeat(256) })), 'object');
    assert.equal(readProfile(answer({ providerKey: 'k'.repeat(257) })), 'malformed');
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
      const { name, surname } = readProfile(answer({ name: given, surname: given })) as typeof profile;
      assert.deepEqual([name, surname], [read, read]);
    });
  }

  it('keeps a name of a hundred units whose last character has two', () => {
    const name = `${'n'.repeat(99)}😀`;
    assert.equal((readProfile(answer({ name })) as typeof profile).name.isWellFormed(), true);
  });
});

describe('an answer that is not accepted', () => {
  for (const nothing of [null, undefined]) {
    it(`is refused: ${nothing}`, () => assert.equal(readProfile(nothing), 'refused'));
  }

  const noObjects: unknown[] = [false, true, 0, '', 'ann', 1n, Symbol('x'), () => profile];
  for (const odd of noObjects) {
    it(`is malformed: ${String(odd)}`, () => assert.equal(readProfile(odd), 'malformed'));
  }

  const missing: unknown[] = [undefined, null, '', ' ', '\t\n', 'undefined', ' null', 'NaN', '[object Object]'];
  for (const value of missing) {
    it(`is incomplete: ${JSON.stringify(value)} for key or e-mail address`, () => {
      assert.equal(readProfile(answer({ providerKey: value })), 'incomplete');
      assert.equal(readProfile(answer({ emailAddress: value })), 'incomplete');
    });
  }
  for (const empty of [{}, [], Object.create(null), { key: 'a', email: 'b' }, { __proto__: { name: 'Ann' } }]) {
    it(`is incomplete: ${JSON.stringify(empty)}`, () => assert.equal(readProfile(empty), 'incomplete'));
  }

  const noTexts: unknown[] = [1, 0, true, false, {}, [], ['ann@example.com'], { toString: () => 'a@b.c' }];
  for (const value of noTexts) {
    it(`is malformed: ${JSON.stringify(value)} for any member`, () => {
      for (const member of Object.keys(profile)) {
        assert.equal(readProfile(answer({ [member]: value })), 'malformed', member);
      }
    });
  }

  for (const end of ['\u0000', '\n', '\u007f', '\u0085', '\ud800']) {
    it(`is malformed: ${JSON.stringify(end)} in key or e-mail address`, () => {
      assert.equal(readProfile(answer({ providerKey: `a${end}` })), 'malformed');
      assert.equal(readProfile(answer({ emailAddress: `ann@example.com${end}` })), 'malformed');
      assert.equal(readProfile(answer({ emailAddress: `${end}ann@example.com` })), 'malformed');
    });
  }

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
    ' ann@example.com',
    `${'a'.repeat(243)}@example.com`,
    `${'a'.repeat(2 ** 20)}@example.com`,
  ];
  for (const emailAddress of addresses) {
    it(`is malformed: the address ${emailAddress.slice(0, 40)}`, () => {
      assert.equal(readProfile(answer({ emailAddress })), 'malformed');
    });
  }

  it('throws what its members throw, as the caller expects', () => {
    const trap = new Proxy(profile, {
      get() {
        throw new Error('a trap');
      },
    });
    assert.throws(() => readProfile(trap), { message: 'a trap' });
  });
});

it('an accepted profile is well-formed, for any answer', () => {
  const anything = fc.anything({ withNullPrototype: true });
  const text = fc.string({ unit: 'binary', maxLength: 400 });
  const member = fc.oneof({ weight: 2, arbitrary: text }, fc.emailAddress(), anything);
  const record = fc.record({ providerKey: member, emailAddress: member, name: member, surname: member });
  const likely = fc.record({ providerKey: text, emailAddress: fc.emailAddress(), name: text, surname: text });
  fc.assert(
    fc.property(fc.oneof(anything, record, likely), (given) => {
      const read = readProfile(given);
      if (typeof read === 'string') return ['refused', 'incomplete', 'malformed'].includes(read);
      assert.deepEqual(Object.keys(read).toSorted(), Object.keys(profile).toSorted());
      assert.ok(Object.values(read).every((value) => value.isWellFormed() && !/\p{Cc}/u.test(value)));
      assert.ok(read.providerKey.trim() !== '' && read.providerKey.length <= MAX_KEY_LENGTH);
      assert.ok(read.name.length <= 100 && read.surname.length <= 100 && read.emailAddress.length <= 254);
    }),
  );
});
