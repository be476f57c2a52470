// An export of ABP's table AbpUsers as `SELECT … FOR JSON PATH` writes it, generated: node server/test/support/abp-users.ts 10000 > AbpUsers.json
// Row N of the export has the id 1000 + N, the user name userN and the password "old password N % 8".
import { pbkdf2Sync } from 'node:crypto';
import { hashSync as bcrypt } from '@node-rs/bcrypt';

/** Distinct passwords of each format. Rows share them, because hashing is slow on purpose. */
const PASSWORDS = 8;

const FIRST_ID = 1000;

/** The command reads the end of a lock by the clock of the machine. */
const MONTH_MS = 30 * 86_400_000;

/** A row, and what it stands for. */
export type AbpUser = {
  readonly row: Readonly<Record<string, unknown>> & { readonly Id: number; readonly UserName: string };
  readonly password: string;
  readonly state: 'active' | 'inactive' | 'locked' | 'banned' | 'deleted' | 'tenant';
};

const toPassword = (number: number) => `old password ${number % PASSWORDS}`;

/** ASP.NET Core Identity V2: PBKDF2 with HMAC-SHA1 and 1000 iterations. */
function identityV2(password: string): string {
  const salt = Buffer.alloc(16, password);
  return Buffer.concat([Buffer.from([0]), salt, pbkdf2Sync(password, salt, 1000, 32, 'sha1')]).toString('base64');
}

/** ASP.NET Core Identity V3: PBKDF2 with HMAC-SHA256 and 10,000 iterations. */
function identityV3(password: string): string {
  const salt = Buffer.alloc(16, password);
  const head = Buffer.alloc(13);
  head[0] = 1;
  for (const [index, word] of [1, 10_000, salt.length].entries()) head.writeUInt32BE(word, 1 + 4 * index);
  return Buffer.concat([head, salt, pbkdf2Sync(password, salt, 10_000, 32, 'sha256')]).toString('base64');
}

const formats = [identityV2, identityV3, (password: string) => bcrypt(password, 5)];

function createHashes() {
  const known = new Map<string, string>();
  return (number: number) => {
    const format = number % formats.length;
    const key = `${format} ${toPassword(number)}`;
    const hash = known.get(key) ?? formats[format]?.(toPassword(number)) ?? '';
    known.set(key, hash);
    return hash;
  };
}

/** Of fifty rows one is deleted, one of a tenant, one inactive, one locked and one banned; never a tenth row. */
function stateOf(number: number): AbpUser['state'] {
  const states: Readonly<Record<number, AbpUser['state']>> = {
    7: 'deleted',
    13: 'tenant',
    19: 'inactive',
    23: 'locked',
    29: 'banned',
  };
  return states[number % 50] ?? 'active';
}

/** Yields rows 1 to `count`. */
export function* abpUsers(count: number): Generator<AbpUser> {
  const hashOf = createHashes();
  const soon = new Date(Date.now() + MONTH_MS).toISOString();
  for (let number = 1; number <= count; number += 1) {
    const state = stateOf(number);
    const stamp = String(number).padStart(32, '0');
    const row = {
      Id: FIRST_ID + number,
      CreationTime: '2019-03-04T05:06:07.8901234',
      CreatorUserId: null,
      LastModificationTime: '2024-01-02T03:04:05.6',
      LastModifierUserId: 1,
      IsDeleted: state === 'deleted',
      DeleterUserId: state === 'deleted' ? 1 : null,
      DeletionTime: state === 'deleted' ? '2024-01-02T03:04:05.6' : null,
      AuthenticationSource: null,
      UserName: `user${number}`,
      TenantId: state === 'tenant' ? 1 + (number % 3) : null,
      EmailAddress: `user${number}@example.com`,
      Name: `Name ${number}`,
      Surname: 'Ñandú',
      Password: hashOf(number),
      EmailConfirmationCode: `confirm-${stamp}`,
      PasswordResetCode: number % 4 === 0 ? `reset-${stamp}` : null,
      LockoutEndDateUtc: state === 'locked' ? soon : state === 'banned' ? '9999-12-31T23:59:59.9999999' : null,
      AccessFailedCount: number % 3,
      IsLockoutEnabled: true,
      PhoneNumber: number % 5 === 0 ? `+2782${String(number).padStart(7, '0')}` : null,
      IsPhoneNumberConfirmed: number % 10 === 0,
      SecurityStamp: `stamp-${stamp}`,
      IsTwoFactorEnabled: number % 2 === 0,
      IsEmailConfirmed: true,
      IsActive: state !== 'inactive',
      NormalizedUserName: `USER${number}`,
      NormalizedEmailAddress: `USER${number}@EXAMPLE.COM`,
      ConcurrencyStamp: `concurrency-${stamp}`,
      LastLoginDate: number % 2 === 0 ? '2025-06-07T08:09:10.11' : null,
      IsAnonymous: false,
      PersonId: `6F9619FF-8B86-D011-B42D-${String(number).padStart(12, '0')}`,
      Roles: [{ Name: 'Clerk' }, ...(number % 7 === 0 ? [{ Name: 'Team Lead' }] : [])],
      Logins: number % 9 === 0 ? [{ LoginProvider: 'Google', ProviderKey: `google-${number}` }] : [],
    };
    yield { row, password: toPassword(number), state };
  }
}

if (import.meta.main) {
  const rows = [...abpUsers(Number(process.argv[2] ?? 10_000))].map(({ row }) => JSON.stringify(row));
  process.stdout.write(`[${rows.join(',')}]\n`);
}
