// Lines of an import: what their values mean, as databases and spreadsheets write them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toInstant } from '../foundation/clock.ts';
import { describeHash } from '../passwords/foreign-hashes.ts';
import { readId, readImportLine } from './line.ts';

const NOW = toInstant(Date.parse('2026-01-31T08:30:00Z'));

const entryOf = (line: object | string) => ({
  kind: 'line' as const,
  number: 1,
  bytes: Buffer.from(typeof line === 'string' ? line : JSON.stringify(line)),
});
const readLine = (line: object | string, more: { tenant?: number; members?: 'any' | 'creatable' } = {}) => {
  const notes = { unused: new Set<string>(), unknown: new Set<string>(), hasFactors: false };
  const { tenant, members = 'any' } = more;
  const read = readImportLine(entryOf(line), {
    members,
    prepare: (account) => account,
    notes,
    tenant,
    now: NOW,
    describeHash,
  });
  return { notes, ...(read ?? assert.fail('The line is empty.')) };
};
const accountOf = (line: object | string, more: Parameters<typeof readLine>[1] = {}) => {
  const read = readLine(line, more);
  assert.ok('account' in read, JSON.stringify(read));
  return read.account;
};
const reasonsOf = (line: object | string) => {
  const read = readLine(line);
  return 'reasons' in read ? read.reasons.join(' ') : '';
};

describe('a line of an import', () => {
  it('may write yes and no in many ways', () => {
    const spellings = {
      true: [true, 1, -1, ' True ', ...'1 -1 true TRUE t T Yes y x on WAHR ja VRAI Oui'.split(' ')],
      false: [false, 0, 'F\u200b', '\ufeffno', ...'0 false FALSE f F No n off FALSCH nein FAUX non'.split(' ')],
    };
    for (const [flag, values] of Object.entries(spellings)) {
      for (const value of values) {
        for (const IsActive of [value, ...(typeof value === 'string' ? [`${value}\u00a0`] : [])]) {
          assert.equal(accountOf({ UserName: 'ann', IsActive }).given.isActive, flag === 'true', JSON.stringify(value));
        }
      }
    }
    for (const value of ['maybe', '2', 2, 'constructor', '__proto__', [], {}]) {
      assert.match(reasonsOf({ UserName: 'ann', IsActive: value }), /^isActive must be boolean/, JSON.stringify(value));
    }
  });

  it('may write the names of columns in any case that begins with a capital letter', () => {
    for (const name of ['TENANTID', 'TenantID', 'Tenantid']) {
      assert.deepEqual(readLine({ UserName: 'ann', [name]: 7 }), readLine({ UserName: 'ann', TenantId: 7 }), name);
    }
    for (const [name, value] of Object.entries({ ISACTIVE: 0, AccountEnabled: 'False', ACCOUNTENABLED: 'no' })) {
      assert.equal(accountOf({ USERNAME: 'ann', [name]: value }).given.isActive, false, name);
    }
    const deleted = readLine({ UserName: 'ann', ISDELETED: true, ID: 3 });
    assert.equal('skipped' in deleted && deleted.deleted?.keys.id, 3);
    assert.equal(readId(entryOf({ ID: '9' })), 9);
    assert.match(reasonsOf({ UserName: 'ann', USERNAME: 'eve' }), /gives twice: userName/);
    assert.match(reasonsOf({ username: 'ann' }), /unknown members: "username"/);
    const { notes } = readLine({ UserName: 'ann', NORMALIZEDNAME: 'x', SECURITYSTAMP: 'x', RECOVERYCODE: 'x' });
    assert.deepEqual(
      [[...notes.unknown], [...notes.unused], notes.hasFactors],
      [['NORMALIZEDNAME'], ['SECURITYSTAMP'], true],
    );
  });

  it('of a deleted account has its id, its external logins, and the other keys if they are valid', () => {
    const deletedOf = (more: object) => {
      const line = readLine({ Id: 3, UserName: 'Ann', IsDeleted: true, PhoneNumber: 'x', ...more });
      return 'skipped' in line ? line.deleted : assert.fail();
    };
    const personId = '2F1C0000-0000-4000-8000-000000000003';
    assert.deepEqual(
      deletedOf({ EmailAddress: 'Ann@example.com', PersonId: personId, LoginProvider: 'Corp', ProviderKey: 'a-1' }),
      {
        keys: { id: 3, userName: 'ann', emailAddress: 'ann@example.com', personId: personId.toLowerCase() },
        externalLogins: [{ provider: 'Corp', providerKey: 'a-1' }],
      },
    );
    const onlyId = { keys: { id: 3, userName: '', emailAddress: null }, externalLogins: [] };
    for (const wrong of [{ UserName: null }, { UserName: 'a\u0000' }, { EmailAddress: '@' }]) {
      assert.deepEqual(deletedOf(wrong), onlyId);
    }
    const externalLogins = [{ provider: 'supabase', providerKey: 'a-1' }];
    const withoutId = { Id: null, EmailAddress: 'overwritten', externalLogins };
    assert.deepEqual(deletedOf(withoutId), { keys: { userName: '', emailAddress: null }, externalLogins });
    assert.equal(deletedOf({ Id: null }), undefined);
  });

  it('may write nothing in many ways', () => {
    const { given: _, ...empty } = accountOf({ userName: 'ann' });
    const ofAccount = 'emailAddress mobileNumber isActive passwordHash personId id tenantId lockedUntil'.split(' ');
    const ofHistory = 'creationTime lastLoginTime accessFailedCount loginProvider providerKey externalLogins'.split(
      ' ',
    );
    for (const nothing of ['', ' ', '\u200b', 'NULL', ' NULL ', 'null', '\\N', null]) {
      const line = Object.fromEntries([...ofAccount, ...ofHistory].map((member) => [member, nothing]));
      const { given, ...same } = accountOf({ userName: 'ann', ...line });
      assert.deepEqual(same, empty, JSON.stringify(nothing));
      assert.deepEqual(given, { userName: 'ann', emailAddress: null, mobileNumber: null }, JSON.stringify(nothing));
      assert.match(reasonsOf({ userName: nothing, name: 'Ann' }), /^userName is required/, JSON.stringify(nothing));
      assert.deepEqual(accountOf({ userName: 'ann', roleNames: ['Clerk', nothing] }).given.roleNames, ['Clerk']);
      assert.equal(readLine({ UserName: 'ann', IsTwoFactorEnabled: nothing }).notes.hasFactors, false);
    }
    assert.equal(readLine({ UserName: 'ann', IsTwoFactorEnabled: 'FALSE' }).notes.hasFactors, false);
    assert.equal(readLine({ UserName: 'ann', IsTwoFactorEnabled: 't' }).notes.hasFactors, true);
    assert.equal(accountOf({ userName: 'ann', surname: 'Null' }).given.surname, 'Null', 'people have this name');
  });

  it('may write numbers and lists as text, and spaces around texts', () => {
    const line = {
      Id: ' 7 ',
      UserName: ' ann ',
      EmailAddress: '\tann@example.com ',
      Roles: 'Clerk; Nurse, night ;',
      AccessFailedCount: '3',
    };
    const { given, identity, lock } = accountOf(line);
    assert.deepEqual([identity.id, readId(entryOf(line)), lock?.failures], [7, 7, 3]);
    const { userName, emailAddress, roleNames } = given;
    assert.deepEqual([userName, emailAddress, roleNames], ['ann', 'ann@example.com', ['Clerk', 'Nurse, night']]);
    assert.deepEqual(accountOf({ userName: 'ann', roleNames: 'Clerk,Nurse' }).given.roleNames, ['Clerk', 'Nurse']);
    const hash = 'AQAAAAIAAAAyAAAAEOMwvh3+FZxqkdMBz2ekgGhwQ4B6pZWND6zgESBuWiHw';
    assert.equal(accountOf({ UserName: 'ann', Password: `${hash}      ` }).passwordHash, hash);
  });

  it('deactivates who is banned in the other system, and keeps a lock that ends within a year', () => {
    const [past, soon, later] = ['2026-01-31T08:29:59Z', '2027-01-31T08:30:00Z', '2027-01-31T08:30:01Z'];
    const ends = (line: object) => {
      const { given, lock } = accountOf({ userName: 'ann', ...line });
      return [given.isActive, lock && { ...lock }];
    };
    const kept = { failures: 0, lockedUntil: toInstant(Date.parse(soon)) };
    for (const name of ['lockedUntil', 'LockoutEnd', 'LockoutEndDateUtc']) {
      assert.deepEqual(ends({ [name]: past }), [undefined, null], name);
      assert.deepEqual(ends({ [name]: soon }), [undefined, kept], name);
      assert.deepEqual(ends({ [name]: soon, IsLockoutEnabled: false }), [undefined, null], name);
      for (const end of [later, '9999-12-31T23:59:59.9999999+00:00', 'infinity'])
        assert.deepEqual(ends({ [name]: end, isActive: true, AccessFailedCount: 3 }), [false, null], `${name} ${end}`);
    }
    assert.deepEqual(ends({ bannedUntil: past, AccessFailedCount: 3 }), [
      undefined,
      { failures: 3, lockedUntil: null },
    ]);
    for (const end of ['2026-01-31T08:30:01Z', later, 'Infinity'])
      assert.deepEqual(ends({ bannedUntil: end }), [false, null], end);
    assert.match(reasonsOf({ userName: 'ann', bannedUntil: 'tomorrow' }), /^bannedUntil must be a time in ISO 8601/);
  });

  it('belongs to the tenant that it names, as a number, as text, or with nothing', () => {
    const skip = (TenantId: unknown, more: Parameters<typeof readLine>[1]) => {
      const read = readLine({ UserName: 'ann', TenantId }, more);
      return 'skipped' in read ? read.skipped : 'account' in read ? 'taken' : read.reasons.join();
    };
    for (const members of ['any', 'creatable'] as const) {
      for (const nothing of [null, '', 'NULL', '\\N', ' ']) assert.equal(skip(nothing, { members }), 'taken', members);
      for (const one of [1, '1', ' 1 ', '01', 'b0a7']) assert.equal(skip(one, { members }), 'of a tenant', members);
    }
    for (const one of [1, '1', ' 1 ', '01']) assert.equal(skip(one, { tenant: 1 }), 'taken');
    assert.deepEqual([skip('2', { tenant: 1 }), skip('', { tenant: 1 })], ['of another tenant', 'of no tenant']);
  });

  it('is refused if it gives a member twice, which JSON allows', () => {
    for (const [line, member] of [
      ['{"userName":"ann","userName":"bob"}', 'userName'],
      ['{"userName":"ann","user\\u004eame" : "bob"}', 'userName'],
      ['{"userName":"ann","name":"{\\"name\\":1}","roleNames":[{"Name":"a"},{"Name":"b"}],"name":""}', 'name'],
      ['{"userName":"ann","roleNames":[{"Name":"a","Name":"b"}]}', 'Name'],
    ] as const) {
      assert.equal(reasonsOf(line), `The line gives twice: ${member}.`, line);
    }
    assert.ok('account' in readLine('{"userName":"ann","name":"\\"name\\":","surname":"]}"}'));
  });

  it('has the address as its user name if it has none, where accounts are created', () => {
    const { userName } = accountOf(
      { UserName: 'NULL', EmailAddress: 'ann@example.com' },
      { members: 'creatable' },
    ).given;
    assert.equal(userName, 'ann@example.com');
    assert.match(reasonsOf({ EmailAddress: 'ann@example.com' }), /^userName is required/);
  });

  it('may bring an authenticator app, whose secret services write in several ways', () => {
    const base32 = 'GEZDGNBVGY3TQOJQ';
    const spellings = [
      { secret: base32 },
      { secret: 'gezd gnbv gy3t qojq', algorithm: 'SHA1', digits: 6, period: 30 },
      { secret: `${base32}======`, algorithm: 'HmacSHA1' },
      { secret: '31323334353637383930', encoding: 'hex' },
      `otpauth://totp/Shop:ann?secret=${base32}&issuer=Shop&algorithm=SHA1&digits=6&period=30`,
      `OTPAUTH://TOTP/ann?secret=${base32}`,
      { secret: '1234567890', encoding: 'utf8', creationTime: '2025-01-01T00:00:00Z' },
    ];
    for (const totp of spellings)
      assert.equal(accountOf({ userName: 'ann', totp }).factors.authenticator?.secret, base32, JSON.stringify(totp));
    const enrolled = spellings.map((totp) => accountOf({ userName: 'ann', totp }).factors.authenticator?.enrolledAt);
    assert.deepEqual(enrolled, [NOW, NOW, NOW, NOW, NOW, NOW, Date.parse('2025-01-01T00:00:00Z')]);
    for (const [totp, reason] of [
      [{ secret: base32, digits: 8 }, /other codes/],
      [{ secret: base32, algorithm: 'SHA256' }, /other codes/],
      [{ secret: base32, period: 60 }, /other codes/],
      [{ secret: 'GEZDGNBV' }, /none of 10 to 64 bytes/],
      [{ secret: 'not base 32!' }, /none of 10 to 64 bytes/],
      [{ secret: 'x'.repeat(513) }, /totp/],
      ['GEZDGNBVGY3TQOJQ', /totp must be/],
      [{ secret: base32, type: 'hotp' }, /other codes/],
      [`otpauth://totp/ann?secret=${base32}&digits=8`, /other codes/],
      [`otpauth://hotp/ann?secret=${base32}&counter=3`, /other codes/],
      [`otpauth://HOTP/ann?secret=${base32}`, /other codes/],
      ['otpauth://totp/ann', /totp/],
    ] as const) {
      const given = reasonsOf({ userName: 'ann', totp });
      assert.match(given, reason);
      assert.ok(!given.includes(base32), 'a reason never quotes a secret');
    }
  });

  it('may bring passkeys with the domain that they are bound to', () => {
    const passkey = { credentialId: 'aWQ', publicKey: 'a2V5', rpId: 'Example.com' };
    const all = {
      ...passkey,
      signCount: 7,
      transports: ['usb'],
      userHandle: 'YW5u',
      name: 'phone',
      isBackedUp: true,
      creationTime: '2025-01-01',
    };
    const defaults = { signCount: 0, transports: [], userHandle: undefined, name: 'Example.com', isBackedUp: false };
    const { passkeys } = accountOf({ userName: 'ann', passkeys: [passkey] }).factors;
    const bound = { ...passkey, rpId: 'example.com', createdAt: NOW, lastUsedAt: null };
    assert.deepEqual(passkeys, [{ ...defaults, ...bound }]);
    for (const [wrong, reason] of [
      [{ ...passkey, rpId: '' }, /rpId/],
      [{ ...passkey, publicKey: 'a+b/' }, /publicKey/],
      [{ ...passkey, signCount: -1 }, /signCount/],
      [{ credentialId: 'aWQ' }, /publicKey/],
      [all, /passkeys must be a time/],
    ] as const)
      assert.match(reasonsOf({ userName: 'ann', passkeys: [wrong] }), reason);
    assert.match(reasonsOf({ userName: 'ann', passkeys: Array(21).fill(passkey) }), /passkeys/);
    const { creationTime: _, ...timeless } = all;
    const [read] = accountOf({ userName: 'ann', passkeys: [timeless] }).factors.passkeys;
    assert.deepEqual([read?.signCount, read?.userHandle, read?.name, read?.isBackedUp], [7, 'YW5u', 'phone', true]);
  });
});
