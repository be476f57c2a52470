// One line of an import of users: from bytes to an account, or why it is skipped or refused. Reasons never quote values.
import { readTotp } from 'latchkey-user-files/factors';
import { type Static, Type } from 'typebox';
import { CreateInput, toChanges } from '../account-changes/index.ts';
import { keysOf } from '../accounts/index.ts';
import { checkInput } from '../contract/input.ts';
import { ExactText, Text, Uuid } from '../contract/schemas.ts';
import { addSeconds, type Instant, toInstant } from '../foundation/clock.ts';
import { invalidMember, isRefusal } from '../foundation/errors.ts';
import type { HashDescription } from '../passwords/index.ts';
import { MAX_KEY_LENGTH } from '../providers/index.ts';
import type { AccountImport } from './account-import.ts';
import {
  type ColumnNotes,
  type ImportEntry,
  type Members,
  parseObject,
  readMembers,
  reasonsOf,
  unwrapItems,
  userColumns,
} from './columns.ts';
import { factorMembers, optional, toFactors } from './factors.ts';
import type { DeletedAccount, ImportedAccount } from './imported-account.ts';
import { readTime, Time } from './times.ts';
import { readInteger } from './values.ts';

/** Above it no numbers would be left that JavaScript, and so every client in a browser, can count. */
const MAX_ID = 1_000_000_000_000_000;

const MAX_LOGINS = 50;

const Provider = Text({ minLength: 1, maxLength: 128 });
const ProviderKey = ExactText({ minLength: 1, maxLength: MAX_KEY_LENGTH });

/** The members of a line: the input of a new account with a hash instead of a password, and members of ABP. */
const { password: _, ...members } = CreateInput.properties;
const Creatable = Type.Object({
  ...members,
  passwordHash: optional(Type.String({ minLength: 1, maxLength: 1000 })),
  isDeleted: optional(Type.Boolean()),
  tenantId: optional(Type.Integer()),
  bannedUntil: optional(Time),
});
const Input = Type.Object({
  ...Creatable.properties,
  id: optional(Type.Integer({ minimum: 1, maximum: MAX_ID })),
  personId: optional(Uuid),
  salt: optional(Type.String({ maxLength: 1000 })),
  externalLogins: optional(
    Type.Array(Type.Object({ provider: Provider, providerKey: ProviderKey }), { maxItems: MAX_LOGINS }),
  ),
  loginProvider: optional(Provider),
  providerKey: optional(ProviderKey),
  creationTime: optional(Time),
  lastLoginTime: optional(Time),
  lockedUntil: optional(Time),
  accessFailedCount: optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  isLockoutEnabled: optional(Type.Boolean()),
  ...factorMembers,
});

/** The members that tell whose account a line means. */
const Names = Type.Pick(Input, ['userName', 'emailAddress', 'personId']);
const Logins = Type.Pick(Input, ['externalLogins', 'loginProvider', 'providerKey']);

/** Which members a line may have: `any`, or only those that an administrator may give a new account. */
const schemas = { any: Input, creatable: Creatable };
const columns = {
  any: userColumns(Input.properties),
  creatable: userColumns(Creatable.properties),
};

/** What the reader of one file's lines needs. */
export type LineReading = {
  readonly members: keyof typeof schemas;
  readonly prepare: AccountImport['prepare'];
  readonly notes: ColumnNotes;
  /** The tenant whose accounts are imported. Without one, those of no tenant. */
  readonly tenant: number | undefined;
  readonly now: Instant;
  /** Says what kind of hash a text is. @param salt what Firebase exports beside it. */
  readonly describeHash: (given: string, salt?: string) => HashDescription;
  /** Imports all accounts without a password. */
  readonly withoutPasswords?: boolean;
  /** Imports all accounts without second factors. */
  readonly withoutFactors?: boolean;
};

/** A line that can be imported, or the reasons why it is skipped or refused. */
export type ReadLine = { readonly entry: Pick<ImportEntry, 'kind' | 'number' | 'file'>; readonly userName?: string } & (
  | { readonly account: ImportedAccount }
  /** `deleted`: an account with an id or an external login, that was deleted in the other system. */
  | { readonly skipped: string; readonly deleted?: DeletedAccount }
  | { readonly reasons: readonly string[] }
);

/** Returns `undefined` for an empty line. */
export function readImportLine(line: ImportEntry, reading: LineReading): ReadLine | undefined {
  const { members, prepare, notes, tenant, withoutPasswords = false, withoutFactors = false } = reading;
  const read = readMembers(line, columns[members], notes);
  if (!read) return undefined;
  const { reasons } = read;
  const given = members === 'creatable' ? withUserName(read.members) : read.members;
  const { kind, number, file } = line;
  const entry = { kind, number, ...(file !== undefined && { file }) };
  const named = { entry, ...(typeof given.userName === 'string' && { userName: given.userName.slice(0, 256) }) };
  if (reasons.length > 0) return { ...named, reasons };
  const skipped = findSkip(given, tenant);
  if (skipped !== undefined) {
    const deleted = skipped === DELETED && isOfTenant(given, tenant) ? toDeleted(given) : undefined;
    return { ...named, skipped, ...(deleted && { deleted }) };
  }
  try {
    const noPassword = withoutPasswords && { passwordHash: null, salt: null };
    const noFactors = withoutFactors && { totp: null, passkeys: null };
    const wanted = { ...given, ...toOwn(given), ...noPassword, ...noFactors };
    const input: Static<typeof Input> = checkInput(schemas[members], wanted);
    return { ...named, account: prepare(toImported(input, reading)) };
  } catch (error) {
    return { ...named, reasons: reasonsOf(error) };
  }
}

/** An account without a user name is named by its address. The account of another system has a name there. */
const withUserName = (given: Members['members']) =>
  given.userName === undefined && given.emailAddress ? { ...given, userName: given.emailAddress } : given;

/** Returns the id of a line, or 0. */
export function readId({ bytes, problem }: ImportEntry): number {
  const value = problem === undefined ? parseObject(bytes) : undefined;
  const [, id] = Object.entries(value ?? {}).find(([name]) => name.toLowerCase() === 'id') ?? [];
  return toId(readInteger(id));
}

const toId = (id: unknown): number =>
  typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= MAX_ID ? id : 0;

const DELETED = 'deleted';

const isOfTenant = ({ tenantId = null }: Members['members'], tenant: number | undefined) =>
  tenantId === (tenant ?? null);

/** Returns why the line is not imported although nothing is wrong with it. */
function findSkip(given: Members['members'], tenant: number | undefined) {
  if (given.isDeleted === true) return DELETED;
  if (isOfTenant(given, tenant)) return undefined;
  if (tenant === undefined) return 'of a tenant';
  return (given.tenantId ?? null) === null ? 'of no tenant' : 'of another tenant';
}

/** Returns what tells whose account was deleted, or `undefined`. The line need not be valid: systems overwrite the names of deleted users. */
function toDeleted(given: Members['members']): DeletedAccount | undefined {
  const id = toId(given.id);
  const externalLogins = toIdentities(orNothing(() => checkInput(Logins, { ...given, ...toOwn(given) })) ?? {});
  if (id === 0 && externalLogins.length === 0) return undefined;
  const named = orNothing(() => checkInput(Names, { ...given }));
  const { userName = '', emailAddress = null, personId } = named ?? {};
  const keys = keysOf({ userName, emailAddress }, personId == null ? {} : { personId: personId.toLowerCase() });
  return { keys: { ...keys, ...(id > 0 && { id }) }, externalLogins };
}

/** Returns the value, or `undefined` where it is refused. */
function orNothing<Value>(check: () => Value): Value | undefined {
  try {
    return check();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
}

/** Returns the lists of a line, and the address of an authenticator app, as this service has them. */
function toOwn({ roleNames, externalLogins, totp }: Members['members']) {
  return {
    ...(typeof totp === 'string' && /^otpauth:/i.test(totp) && { totp: readTotp(totp) }),
    ...(roleNames !== undefined && { roleNames: unwrapItems(roleNames) }),
    ...(externalLogins !== undefined && { externalLogins: toLogins(externalLogins) }),
  };
}

/** Returns external logins with the names of their members here, which ABP names `LoginProvider` and `ProviderKey`. */
function toLogins(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const names: Readonly<Record<string, string>> = { loginprovider: 'provider', providerkey: 'providerKey' };
  return value.map((item: unknown) =>
    typeof item === 'object' && item !== null
      ? Object.fromEntries(
          Object.entries(item).map(([name, member]) => [names[name.toLowerCase()] ?? name.toLowerCase(), member]),
        )
      : item,
  );
}

function toImported(input: Static<typeof Input>, reading: LineReading): ImportedAccount {
  const { id, personId } = input;
  const createdAt = readTime(input.creationTime, 'creationTime');
  const lastSignInAt = readTime(input.lastLoginTime, 'lastLoginTime');
  const { isBanned, lock } = readLocks(input, reading.now);
  return {
    given: { ...toChanges(input), userName: input.userName, ...(isBanned && { isActive: false }) },
    passwordHash: toStoredHash(input, reading),
    identity: {
      ...(id != null && { id }),
      // SQL Server writes upper case, and .NET clients of ABP read lower case.
      ...(personId != null && { personId: personId.toLowerCase() }),
      ...(createdAt !== null && { createdAt }),
      ...(lastSignInAt !== null && { lastSignInAt }),
    },
    externalLogins: toIdentities(input),
    factors: toFactors(input, reading.now),
    lock,
  };
}

/** Returns the external logins of a line, each once. */
function toIdentities({ externalLogins, loginProvider, providerKey }: Static<typeof Logins>) {
  const logins = [
    ...(externalLogins ?? []),
    ...(loginProvider && providerKey ? [{ provider: loginProvider, providerKey }] : []),
  ];
  return [...new Map(logins.map((login) => [JSON.stringify(login), login])).values()];
}

/** Returns the hash as the service stores it, or null for an account without a password. */
function toStoredHash({ passwordHash, salt }: Static<typeof Input>, { describeHash }: LineReading) {
  if (passwordHash == null) return null;
  const described = describeHash(passwordHash, salt ?? undefined);
  if ('refused' in described) throw invalidMember('passwordHash', `passwordHash: ${described.refused}`);
  return 'stored' in described ? described.stored : null;
}

/** A lock after wrong passwords ends sooner: an administrator of the other system has locked this person out. */
const LONGEST_LOCK_SECONDS = 365 * 86_400;

/** Returns the end of a ban or a lock. PostgreSQL writes `infinity` for one without end. */
const readEnd = (text: string | null | undefined, member: string): Instant | null =>
  text?.toLowerCase() === 'infinity' ? toInstant(Number.POSITIVE_INFINITY) : readTime(text, member);

/**
 * Returns what the other system's locks become. Who is banned is deactivated, because the owner of an account can lift a lock. `lock`
 * is null if there is nothing to keep. ABP counts only while `IsLockoutEnabled`.
 */
function readLocks(input: Static<typeof Input>, now: Instant): { isBanned: boolean; lock: ImportedAccount['lock'] } {
  const banEnd = readEnd(input.bannedUntil, 'bannedUntil');
  const lockEnd = readEnd(input.lockedUntil, 'lockedUntil');
  const isCounted = input.isLockoutEnabled !== false;
  const isLocked = isCounted && lockEnd !== null && lockEnd > now;
  if (banEnd !== null && banEnd > now) return { isBanned: true, lock: null };
  if (isLocked && lockEnd > addSeconds(now, LONGEST_LOCK_SECONDS)) return { isBanned: true, lock: null };
  const failures = input.accessFailedCount ?? 0;
  const isKept = isLocked || (isCounted && failures > 0);
  return { isBanned: false, lock: isKept ? { failures, lockedUntil: isLocked ? lockEnd : null } : null };
}
