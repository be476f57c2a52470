// Columns of ABP's tables, as `SELECT … FOR JSON` names them: which members they are here, and which have no use.
import { findRepeatedMembers, type Place } from 'latchkey-user-files/lines';
import { isNothing, readFlag } from 'latchkey-user-files/values';
import type { TSchema } from 'typebox';
import { parseBody, typesOf } from '../contract/input.ts';
import { isRefusal } from '../foundation/errors.ts';
import { isRecord } from '../foundation/object.ts';
import { readValue } from './values.ts';

/** The bytes of one JSON value of a file: a line, an item of an array, or a row of CSV. Numbered from 1. */
export type ImportEntry = {
  readonly kind: Place['kind'];
  readonly number: number;
  /** Given when there are several files. */
  readonly file?: string;
  readonly bytes: Buffer;
  /** Why the entry cannot be read, as a sentence. */
  readonly problem?: string;
};

/** What an import knows of a table. */
export type Columns = {
  /** Returns what a column is. One that begins with a capital letter is found in any case: databases differ in it. */
  find(column: string): Use | undefined;
};

/** What a column is here: a member, a second factor, or nothing that this service needs. */
type Use = { readonly member: string; readonly schema: TSchema } | 'factor' | 'unused';

/** Notes which columns were left out, each once for a whole file. */
export interface ColumnNotes {
  readonly unused: Set<string>;
  readonly unknown: Set<string>;
  /** Whether any line has a second factor. */
  hasFactors?: boolean;
}

/** Distinct names that are noted. The rest is only counted, because a file may have any number. */
const MAX_NOTED = 100;

const bookkeeping = [
  'CreatorUserId',
  'LastModificationTime',
  'LastModifierUserId',
  'DeleterUserId',
  'DeletionTime',
  'ConcurrencyStamp',
];

/** `AbpUsers`, and `AspNetUsers` of ASP.NET Core Identity. */
export const userColumns = (members: Readonly<Record<string, TSchema>>): Columns =>
  defineColumns(members, {
    renamed: {
      Password: 'passwordHash',
      Email: 'emailAddress',
      EmailConfirmed: 'isEmailConfirmed',
      PhoneNumber: 'mobileNumber',
      IsPhoneNumberConfirmed: 'isMobileConfirmed',
      PhoneNumberConfirmed: 'isMobileConfirmed',
      LockoutEndDateUtc: 'lockedUntil',
      LockoutEnd: 'lockedUntil',
      LockoutEnabled: 'isLockoutEnabled',
      ShouldChangePasswordOnNextLogin: 'requireChangePassword',
      LastLoginDate: 'lastLoginTime',
      Roles: 'roleNames',
      Logins: 'externalLogins',
      // Active Directory.
      AccountEnabled: 'isActive',
    },
    unused: [
      ...bookkeeping,
      'NormalizedUserName',
      'NormalizedEmailAddress',
      'NormalizedEmail',
      'SecurityStamp',
      'PasswordResetCode',
      'EmailConfirmationCode',
      'AuthenticationSource',
      // An export of this service.
      'hasSecondFactor',
      'factorLockedUntil',
      'updatedAt',
    ],
    factors: ['IsTwoFactorEnabled', 'TwoFactorEnabled', 'GoogleAuthenticatorKey', 'RecoveryCode'],
  });

/** `AbpRoles`. */
export const roleColumns = (members: Readonly<Record<string, TSchema>>): Columns =>
  defineColumns(members, {
    renamed: { permissions: 'grantedPermissions', Permissions: 'grantedPermissions' },
    unused: [...bookkeeping, 'Id', 'NormalizedName', 'IsStatic', 'IsDefault', 'id', 'normalizedName', 'isStatic'],
  });

const isColumn = (name: string) => /^[A-Z]/.test(name);

/** A column has the name of its member with a capital letter, unless `renamed` has it. */
function defineColumns(
  members: Readonly<Record<string, TSchema>>,
  others: { renamed: Readonly<Record<string, string>>; unused: readonly string[]; factors?: readonly string[] },
): Columns {
  const exact = new Map<string, Use>();
  for (const [member, schema] of Object.entries(members)) {
    const formers = Object.keys(others.renamed).filter((column) => others.renamed[column] === member);
    for (const name of [member, capitalize(member), ...formers]) exact.set(name, { member, schema });
  }
  for (const name of others.unused) exact.set(name, 'unused');
  for (const name of others.factors ?? []) exact.set(name, 'factor');
  const inAnyCase = new Map(
    [...exact].filter(([name]) => isColumn(name)).map(([name, use]) => [name.toLowerCase(), use]),
  );
  return {
    find: (column) => exact.get(column) ?? (isColumn(column) ? inAnyCase.get(column.toLowerCase()) : undefined),
  };
}

const capitalize = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** The members of an entry under the names that they have here, and the reasons why it is refused. */
export type Members = { readonly members: Readonly<Record<string, unknown>>; readonly reasons: readonly string[] };

/** Returns the members of an entry, and notes the columns that it leaves out. Returns `undefined` for an empty line. */
export function readMembers(
  { kind, bytes, problem }: ImportEntry,
  columns: Columns,
  notes: ColumnNotes,
): Members | undefined {
  if (problem !== undefined) return { members: {}, reasons: [problem] };
  if (kind === 'line' && /^(\u00ef\u00bb\u00bf)?\s*$/.test(bytes.toString('latin1'))) return undefined;
  const value = parseObject(bytes);
  if (value === undefined) return { members: {}, reasons: [`The ${kind} is not one JSON object in UTF-8.`] };
  const { members, unknown, givenTwice } = nameColumns(columns, value, notes);
  const repeated = new Set([...givenTwice, ...findRepeatedMembers(bytes.toString())].map(nameOf));
  return {
    members,
    reasons: [
      ...(unknown.length > 0 ? [`The ${kind} has unknown members: ${unknown.map(shorten).join(', ')}.`] : []),
      ...(repeated.size > 0 ? [`The ${kind} gives twice: ${[...repeated].join(', ')}.`] : []),
    ],
  };
}

/** Returns the JSON object that the bytes are, or `undefined`. */
export function parseObject(bytes: Buffer): object | undefined {
  try {
    const value = parseBody(bytes);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function nameColumns({ find }: Columns, value: object, notes: ColumnNotes) {
  const named = new Map<string, unknown>();
  const unknown: string[] = [];
  const givenTwice: string[] = [];
  for (const [column, content] of Object.entries(value)) {
    const use = find(column);
    if (use === 'factor') notes.hasFactors ||= hasValue(content);
    else if (use === 'unused') note(notes.unused, column);
    else if (use) {
      const { member, schema } = use;
      if (named.has(member)) givenTwice.push(member);
      else if (!isNothing(content) || typesOf(schema).includes('null')) named.set(member, readValue(schema, content));
    } else if (isColumn(column)) note(notes.unknown, column);
    else unknown.push(column);
  }
  return { members: Object.fromEntries(named), unknown, givenTwice };
}

/** A switch that is off says that the line has nothing, too. */
const hasValue = (content: unknown) => !isNothing(content) && readFlag(content) !== false;

/** A name of the file is quoted if it is not plain: terminals act on some characters. */
const nameOf = (name: string) => (/^\w{1,40}$/.test(name) ? name : shorten(name));

function shorten(name: string): string {
  return JSON.stringify(name.slice(0, 40));
}

/** Returns the reasons of an error that refuses an entry. @throws the error if it is another one. */
export function reasonsOf(error: unknown): string[] {
  if (!isRefusal(error)) throw error;
  return [...new Set(error.validationErrors?.map(({ message }) => message) ?? [error.details])];
}

function note(names: Set<string>, name: string) {
  if (names.size < MAX_NOTED) names.add(name.slice(0, 60));
}

/**
 * Returns the values of a list whose items may be objects with one member, as a subquery of one column gives them in
 * `FOR JSON`. Anything else stays as it is.
 */
export function unwrapItems(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown) => {
    if (typeof item !== 'object' || item === null) return item;
    const [only, ...others] = Object.values(item);
    return others.length === 0 ? only : item;
  });
}
