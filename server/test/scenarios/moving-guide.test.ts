// The guide to moving in: its statements for PostgreSQL, run as printed on tables with the columns of ABP and Shesha.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { createDatabaseUrl } from '../support/databases.ts';
import { root } from '../support/guide.ts';
import { startTestService, type TestService } from '../support/service.ts';

const guide = readFileSync(join(root, 'docs/guide/moving-from-shesha.md'), 'utf8');
const PERSON = '0f8fad5b-d9cb-469f-a165-70867728950e';
const HASH = 'AQAAAAEAACcQAAAAEHhZ';

/** The columns that ABP's migrations make, as far as the statements use them; and some that they do not. */
const tables = `
  create table "AbpUsers" ("Id" bigint primary key, "UserName" varchar(256), "Name" varchar(64), "Surname" varchar(64),
    "EmailAddress" varchar(256), "IsEmailConfirmed" boolean, "PhoneNumber" varchar(32), "IsPhoneNumberConfirmed" boolean,
    "Password" varchar(128), "IsActive" boolean, "IsLockoutEnabled" boolean, "AccessFailedCount" int,
    "LockoutEndDateUtc" timestamp, "CreationTime" timestamp, "IsDeleted" boolean, "TenantId" int,
    "SecurityStamp" varchar(128), "RequireChangePassword" boolean);
  create table "AbpUserLoginAttempts" ("Id" bigint, "UserId" bigint, "CreationTime" timestamp, "Result" smallint);
  create table "AbpRoles" ("Id" int primary key, "Name" varchar(32), "DisplayName" varchar(64), "IsDeleted" boolean, "TenantId" int);
  create table "AbpUserRoles" ("Id" bigint, "UserId" bigint, "RoleId" int, "TenantId" int);
  create table "AbpUserLogins" ("Id" bigint, "UserId" bigint, "LoginProvider" varchar(128), "ProviderKey" varchar(256));
  create table "AbpPermissions" ("Id" bigint, "Name" varchar(128), "IsGranted" boolean, "RoleId" int, "UserId" bigint);
  create table "AbpSettings" ("Id" bigint, "TenantId" int, "UserId" bigint, "Name" varchar(256), "Value" text);
  create schema frwk;
  create table "Core_Persons" ("Id" uuid, "UserId" bigint, "IsDeleted" boolean, "CreationTime" timestamp);
  create table frwk.configuration_items (id uuid, name varchar(200), item_type varchar(50), is_deleted boolean);
  create table frwk.roles (id uuid);
  create table frwk.role_permissions (id uuid, role_id uuid, permission text, is_granted boolean, is_deleted boolean);
  create table frwk.role_appointments (id uuid, role_id uuid, person_id uuid, is_deleted boolean, from_date timestamp, to_date timestamp);
  create table frwk.front_end_apps (id uuid, app_key varchar(100));
  create table frwk.setting_values (id uuid, setting_configuration_id uuid, application_id uuid, user_id bigint, value text);
`;

const rows = `
  insert into "AbpUsers" values
    (7, 'thandi', 'Thandi "T"', E'Mokoena\\nDube\\\\', 'thandi@example.org', true, '+27821234567', false, '${HASH}', true,
     true, 2, '2030-01-02 03:04:05', '2020-01-02 03:04:05', false, null, 'stamp', true),
    (8, 'gone', 'G', 'G', 'gone@example.org', true, null, false, '${HASH}', true, true, 0, null, '2020-01-02', true, null, 's', false),
    (9, 'tenant', 'T', 'T', 't@example.org', true, null, false, '${HASH}', true, true, 0, null, '2020-01-02', false, 3, 's', false);
  insert into "AbpUserLoginAttempts" values (1, 7, '2024-05-06 07:08:09', 1), (2, 7, '2025-01-01', 2);
  insert into "AbpRoles" values (1, 'Admin', 'Admin', false, null), (2, 'Clerk', 'Clerk "C"', false, null),
    (3, 'Old', 'Old', true, null), (4, 'Tenants', 'Tenants', false, 3);
  insert into "AbpUserRoles" values (1, 7, 2, null), (2, 7, 1, null), (3, 7, 3, null);
  insert into "AbpUserLogins" values (1, 7, 'Google', '10"7'), (2, 7, 'Company', 'x');
  insert into "AbpPermissions" values (1, 'Pages.Users', true, 1, null), (2, 'Pages.Orders', true, 2, null),
    (3, 'Pages.Invoices', false, 2, null), (4, 'Pages.Own', true, null, 7);
  insert into "AbpSettings" values (1, null, null, 'Abp.Zero.UserManagement.PasswordComplexity.RequireDigit', 'True'),
    (2, null, null, 'Abp.Zero.UserManagement.PasswordComplexity.RequiredLength', '10'),
    (3, 3, null, 'Abp.Zero.UserManagement.PasswordComplexity.RequiredLength', '6'),
    (4, null, null, 'Abp.Net.Mail.Smtp.Host', 'mail'), (5, null, 7, 'Abp.Zero.UserManagement.UserLockOut.IsEnabled', 'false');
  insert into "Core_Persons" values ('${PERSON}', 7, false, '2020-01-01');
  insert into frwk.configuration_items
    select ('00000000-0000-4000-8000-00000000000' || n)::uuid, name, 'x', n = 2
    from unnest(array['Manager', 'Deleted', 'Shesha.Security', 'Abp.Zero.UserManagement.UserLockOut.IsEnabled']) with ordinality as item(name, n);
  insert into frwk.roles values ('00000000-0000-4000-8000-000000000001'), ('00000000-0000-4000-8000-000000000002');
  insert into frwk.role_permissions values
    (null, '00000000-0000-4000-8000-000000000001', 'app:Orders', true, false),
    (null, '00000000-0000-4000-8000-000000000001', 'app:Denied', false, false);
  insert into frwk.role_appointments values
    (null, '00000000-0000-4000-8000-000000000001', '${PERSON}', false, null, null),
    (null, '00000000-0000-4000-8000-000000000002', '${PERSON}', false, null, null);
  insert into frwk.setting_values values
    (null, '00000000-0000-4000-8000-000000000003', null, null, '{"UseAutoLogoff":true,"AutoLogoffTimeout":900,"SwaggerUiEnabled":true}'),
    (null, '00000000-0000-4000-8000-000000000004', null, null, 'False');
`;

/** The block of the guide that opens with this comment, without it. */
function readStatement(title: string): string {
  const blocks = [...guide.matchAll(/^```sql\n-- ([^\n]*)\n(.*?)^```/gms)];
  const found = blocks.filter(([, comment]) => comment === title);
  assert.equal(found.length, 1, `the guide has one block "${title}"`);
  return found[0]?.[2] ?? '';
}

describe('the guide to moving in', () => {
  let client: pg.Client;
  before(async () => {
    client = new pg.Client(await createDatabaseUrl('postgres'));
    await client.connect();
    await client.query(tables);
    await client.query(rows);
  });
  after(() => client.end());

  /** The lines that psql would write. */
  async function write(statement: string) {
    const { rows: found, fields } = await client.query<Record<string, string>>(statement);
    const [field] = fields;
    assert.ok(field && fields.length === 1);
    const lines = found.map((row) => row[field.name] ?? '');
    for (const line of lines) assert.doesNotMatch(line, /[\r\n]/);
    return lines.map((line) => JSON.parse(line));
  }
  async function applySettings(lines: object[]): Promise<TestService> {
    const test = await startTestService('sqlite');
    const token = await test.admin();
    for (const body of lines) {
      const { status, text } = await test.post('/api/services/app/Settings/UpdateValue', { token, body });
      assert.equal(status, 200, text);
    }
    return test;
  }
  const read = async (test: TestService, name: string) =>
    (await test.get('/api/services/app/Settings/GetValue', { token: await test.admin(), query: { name } })).result;

  it('exports users of ABP, one object a line, deleted ones and those of tenants marked', async () => {
    const lines = await write(readStatement('export-users.sql: PostgreSQL'));
    assert.deepEqual(lines[0], {
      id: 7,
      userName: 'thandi',
      name: 'Thandi "T"',
      surname: 'Mokoena\nDube\\',
      emailAddress: 'thandi@example.org',
      isEmailConfirmed: true,
      mobileNumber: '+27821234567',
      isMobileConfirmed: false,
      passwordHash: HASH,
      isActive: true,
      isLockoutEnabled: true,
      accessFailedCount: 2,
      lockedUntil: '2030-01-02T03:04:05',
      creationTime: '2020-01-02T03:04:05',
      lastLoginTime: '2024-05-06T07:08:09',
      isDeleted: false,
      tenantId: null,
      roleNames: ['Admin', 'Clerk'],
      externalLogins: [
        { provider: 'Google', providerKey: '10"7' },
        { provider: 'Company', providerKey: 'x' },
      ],
    });
    assert.partialDeepStrictEqual(lines.slice(1), [
      { id: 8, isDeleted: true, roleNames: [], externalLogins: [] },
      { id: 9, tenantId: 3 },
    ]);
  });

  it('exports roles of ABP with what they grant', async () => {
    assert.deepEqual(await write(readStatement('export-roles.sql: PostgreSQL')), [
      { name: 'Admin', displayName: 'Admin', permissions: ['Pages.Users'] },
      { name: 'Clerk', displayName: 'Clerk "C"', permissions: ['Pages.Orders'] },
    ]);
  });

  it('exports users of Shesha with their persons and roles', async () => {
    const abp = readStatement('export-users.sql: PostgreSQL');
    const own = readStatement('export-users.sql: the roles of Shesha 0.46');
    const ofAbp = /^ {4}\(\n(?:(?!^ {4}\().*\n)*? {4}\) as "roleNames",\n/m;
    assert.match(abp, ofAbp);
    const [line] = await write(abp.replace(ofAbp, () => own));
    assert.partialDeepStrictEqual(line, { id: 7, personId: PERSON, requireChangePassword: true });
    assert.deepEqual(line.roleNames, ['Manager']);
    assert.deepEqual(await write(readStatement('export-roles.sql: the roles of Shesha 0.46')), [
      { name: 'Manager', permissions: ['app:Orders'] },
    ]);
  });

  it('exports settings of ABP as the service takes them', async (context) => {
    const lines = await write(readStatement('export-settings.sql: PostgreSQL'));
    assert.equal(lines.length, 2);
    const test = await applySettings(lines);
    context.after(() => test.close());
    assert.equal(await read(test, 'Abp.Zero.UserManagement.PasswordComplexity.RequireDigit'), true);
    assert.equal(await read(test, 'Abp.Zero.UserManagement.PasswordComplexity.RequiredLength'), 10);
  });

  it('exports settings of Shesha as the service takes them', async (context) => {
    const test = await applySettings(await write(readStatement('export-settings.sql: the settings of Shesha 0.46')));
    context.after(() => test.close());
    const security = await read(test, 'Shesha.Security');
    assert.partialDeepStrictEqual(security, { useAutoLogoff: true, autoLogoffTimeout: 900 });
    assert.equal(await read(test, 'Abp.Zero.UserManagement.UserLockOut.IsEnabled'), false);
  });
});
