// The filter of lists of accounts in SQL: one condition on the rows of accounts for each member.
import { type Expression, type SqlBool, sql } from 'kysely';
import { type AccountConditions, nameKey } from '../accounts/index.ts';
import type { Instant } from '../foundation/clock.ts';
import { toAsciiDigits } from '../foundation/typed-text.ts';
import { ACCOUNT_PREFIX } from '../lockout/index.ts';

/** Which accounts to list. Absent members match all. */
export type AccountFilter = {
  /** Part of a user name, name, surname, e-mail address or mobile number. */
  readonly keyword?: string | undefined;
  readonly isActive?: boolean | undefined;
  /** Locked by wrong passwords and pins. */
  readonly isLockedOut?: boolean | undefined;
  readonly requireChangePassword?: boolean | undefined;
  /** A role, as accounts spell it. */
  readonly roleName?: string | undefined;
  readonly hasSignedIn?: boolean | undefined;
  /** A session that has neither ended nor expired. */
  readonly hasOpenSession?: boolean | undefined;
  /** No sign-in at this time or later. */
  readonly notSignedInSince?: Instant | undefined;
  /** An authenticator app or a passkey, also of a kind that is switched off. */
  readonly hasSecondFactor?: boolean | undefined;
  /** An e-mail address or a mobile number that is not verified. */
  readonly hasUnverifiedAddress?: boolean | undefined;
  /** Inclusive. */
  readonly createdFrom?: Instant | undefined;
  /** Exclusive. */
  readonly createdTo?: Instant | undefined;
};

const isIn = (is: boolean) => (is ? sql`in` : sql`not in`);

// Values of flags are written out: with a parameter, neither engine would use a partial index.
const toFlag = (is: boolean) => sql.lit(is ? 1 : 0);

const lockedAccounts = (now: Instant) =>
  sql`select cast(substr(subject, ${ACCOUNT_PREFIX.length + 1}) as bigint) from lockout
    where locked_until > ${now} and subject like ${`${ACCOUNT_PREFIX}%`}`;

const ownersOfFactors = sql`select account_id from authenticator where sealed_secret is not null
  union select account_id from passkey`;

// SQLite looks into an index for each account: a list of 100,000 sessions would take five times as long. PostgreSQL joins.
const hasOpenSession = (now: Instant) =>
  sql<SqlBool>`exists (select 1 from session
    where account_id = account.id and ended_at is null and expires_at > ${now})`;

const hasUnverified = sql<SqlBool>`((email is not null and is_email_confirmed = 0)
  or (mobile is not null and is_mobile_confirmed = 0))`;

/** Returns the conditions of a filter, the same on both engines. @param now locks and sessions that end later hold. */
export function toConditions(filter: AccountFilter, now: Instant): AccountConditions {
  const given = <Value>(value: Value | undefined, condition: (value: Value) => Expression<SqlBool>) =>
    value === undefined ? [] : [condition(value)];
  return [
    ...given(filter.keyword, matchesKeyword),
    ...given(filter.isActive, (is) => sql`is_active = ${toFlag(is)}`),
    ...given(filter.isLockedOut, (is) => sql`id ${isIn(is)} (${lockedAccounts(now)})`),
    ...given(filter.requireChangePassword, (is) => sql`must_change_password = ${toFlag(is)}`),
    ...given(filter.roleName, (name) => sql`roles like ${part(JSON.stringify(name))} escape '\\'`),
    ...given(filter.hasSignedIn, (is) => sql`last_sign_in_at is ${is ? sql`not null` : sql`null`}`),
    ...given(filter.hasOpenSession, (is) => (is ? hasOpenSession(now) : sql`not ${hasOpenSession(now)}`)),
    ...given(filter.notSignedInSince, (since) => sql`(last_sign_in_at is null or last_sign_in_at < ${since})`),
    ...given(filter.hasSecondFactor, (is) => sql`id ${isIn(is)} (${ownersOfFactors})`),
    ...given(filter.hasUnverifiedAddress, (is) => (is ? hasUnverified : sql`not ${hasUnverified}`)),
    ...given(filter.createdFrom, (from) => sql`created_at >= ${from}`),
    ...given(filter.createdTo, (to) => sql`created_at < ${to}`),
  ];
}

/** A pattern for texts with this part. `%` and `_` match themselves. */
const part = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Matches accounts with the keyword in a name or address. */
function matchesKeyword(keyword: string): Expression<SqlBool> {
  const key = part(nameKey(keyword));
  const fullName = sql`lower(name || ' ' || surname)`;
  const spellings = nameSpellings(keyword).map((text) => sql`${fullName} like lower(${part(text)}) escape '\\'`);
  return sql<SqlBool>`(user_name_key like ${key} escape '\\' or email_key like ${key} escape '\\'
    or ${sql.join(spellings, sql` or `)} or mobile like ${part(toAsciiDigits(keyword))} escape '\\')`;
}

/** Spellings of a name. SQLite, and PostgreSQL with the locale C, lower the letters of ASCII only: not those of "Ömer" and "MÜLLER". */
function nameSpellings(keyword: string): string[] {
  const [lower, upper] = [keyword.toLowerCase(), keyword.toUpperCase()];
  return [...new Set([keyword, lower, upper, lower.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase())])];
}
