// Import files: entries do not depend on how the file arrives in pieces, and each is an account or refused with reasons.
import assert from 'node:assert/strict';
import { type ImportedAccount, prepareImported } from '../../../src/account-import/imported-account.ts';
import { readId, readImportLine } from '../../../src/account-import/line.ts';
import type { PhoneNumbers } from '../../../src/accounts/index.ts';
import { createPhoneNumbers } from '../../../src/accounts/index.ts';
import { type Entry, splitEntries } from '../../../src/cli/entries.ts';
import { toInstant } from '../../../src/foundation/clock.ts';
import { readEmailAddress } from '../../../src/foundation/email-address.ts';
import { describeHash } from '../../../src/passwords/foreign-hashes.ts';
import type { Roles } from '../../../src/roles/index.ts';
import type { Target } from '../target.ts';

const NOW = toInstant(Date.parse('2026-01-31T08:30:00Z'));

// The setting's own value: this reader has no other.
const phoneNumbers: PhoneNumbers = createPhoneNumbers({
  read: () => ({ defaultRegion: 'ZA', allowedCountries: [] }) as never,
});
// An import asks nothing else of roles.
const roles = { spell: (names: readonly string[]) => [...new Set(names)] } as Partial<Roles> as Roles;

/** Returns the entries of a file that arrives in pieces of this size. */
function split(file: Buffer, size: number): Promise<Entry[]> {
  async function* pieces() {
    for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size);
  }
  return Array.fromAsync(splitEntries(pieces()));
}

function assertAccount({ given, passwordHash, identity, externalLogins, lock }: ImportedAccount) {
  assert.ok(given.userName.length >= 1 && given.userName.length <= 256);
  if (given.emailAddress != null) assert.equal(readEmailAddress(given.emailAddress), given.emailAddress);
  if (given.mobileNumber != null) assert.equal(phoneNumbers.parse(given.mobileNumber), given.mobileNumber);
  if (passwordHash !== null) assert.equal('stored' in describeHash(passwordHash), true);
  if (identity.id !== undefined) assert.ok(Number.isSafeInteger(identity.id) && identity.id > 0);
  if (identity.personId !== undefined) assert.match(identity.personId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  for (const at of [identity.createdAt, identity.lastSignInAt, lock?.lockedUntil]) {
    assert.ok(at == null || (Number.isSafeInteger(at) && new Date(at).getUTCFullYear() <= 9999));
  }
  assert.equal(new Set(externalLogins.map((login) => JSON.stringify(login))).size, externalLogins.length);
}

function read(entry: Entry, members: 'any' | 'creatable') {
  const notes = { unused: new Set<string>(), unknown: new Set<string>() };
  const prepare = (account: ImportedAccount) => prepareImported(account, { phoneNumbers, roles });
  const found = readImportLine(entry, { members, prepare, notes, tenant: undefined, now: NOW, describeHash });
  if (!found) return undefined;
  if ('account' in found) assertAccount(found.account);
  if ('account' in found && found.account.identity.id !== undefined)
    assert.equal(readId(entry), found.account.identity.id);
  if ('reasons' in found) {
    assert.ok(found.reasons.length > 0, 'a refusal has a reason');
    for (const reason of found.reasons) assert.match(reason, /\S.*\.$/s);
  }
  return { found, notes };
}

export const target: Target = {
  name: 'import',
  words: [
    '{"userName":"ann"}',
    '\n',
    '\r\n',
    '[',
    ']',
    '},{',
    '\ufeff',
    '"UserName":"',
    '"Password":"',
    '"Roles":[{"Name":"A"}]',
    '"LockoutEndDateUtc":"2030-01-31T08:30:00"',
    '"Id":7',
    '"IsDeleted":true',
    '"TenantId":1',
    '"Logins":[{"LoginProvider":"G"',
    '"CreationTime":"',
    '2026-01-31 08:30',
    '+02',
    '"passwordHash":"$2b$10$',
    '"mobileNumber":"082 123 4567"',
    '"PersonId":"',
    '"NULL"',
    '"\\\\N"',
    '"WAHR"',
    '"f"',
    '"userName":"a","userName":"b"',
  ],
  weight: 100,
  // White space before the first entry takes the square of its length if it arrives byte by byte, as files never do.
  maxBytes: 8192,
  async check(input) {
    const entries = await split(input, Math.max(1, input.length));
    for (const size of [1, 3, 64]) assert.deepEqual(await split(input, size), entries, 'the pieces make no difference');
    for (const [index, { number, position }] of entries.entries()) {
      const before = entries[index - 1] ?? { number: 0, position: 0 };
      assert.ok(number > before.number && position >= before.position && position <= input.length + 1);
    }
    return entries.flatMap((entry) => [read(entry, 'any'), read(entry, 'creatable')]);
  },
};
