// A person: what finds the rows of an account, and how an export writes their values.
import { type Account, nameKey } from '../accounts/index.ts';
import { type Instant, toInstant, toIsoString } from '../foundation/clock.ts';
import { readJson } from '../foundation/object.ts';
import { subjectsOf } from '../lockout/index.ts';
import type { Finder, Member } from './personal-data.ts';

/** The values that the rows of a person are found by, and when the account was made: 0 if that is not known. */
export type Person = Readonly<Record<Finder<string>['has'], readonly (string | number)[]>> & {
  readonly createdAt: Instant;
};

/** Returns what finds the rows that name an account. Rows that only hold its names and addresses have no such number. */
export function toNumberedPerson(id: number): Person {
  return {
    accountId: [id],
    lockoutSubject: subjectsOf(id),
    pinSubject: [],
    userName: [],
    address: [],
    createdAt: toInstant(0),
  };
}

/** Returns what finds all rows of an account. */
export function toPerson({ id, userName, emailAddress, mobileNumber, createdAt }: Account): Person {
  const address = [emailAddress, mobileNumber].flatMap((one) => (one === null ? [] : [one]));
  return {
    ...toNumberedPerson(id),
    userName: [userName],
    createdAt,
    address,
    // The subjects of registrations.
    pinSubject: [
      ...(emailAddress === null ? [] : [`email:${nameKey(emailAddress)}`]),
      ...(mobileNumber === null ? [] : [`mobile:${mobileNumber}`]),
    ],
  };
}

const writers: Readonly<Record<Member['kind'], (value: unknown) => unknown>> = {
  text: (value) => value,
  number: (value) => value,
  time: (value) => toIsoString(toInstant(Number(value))),
  flag: (value) => value === 1,
  json: (value) => readJson(String(value)),
  words: (value) => String(value).split(' ').filter(Boolean),
  secret: () => 'present',
};

/** Returns a row as an export has it. Columns that are null in the list are left out. */
export function toExported(
  columns: Readonly<Record<string, Member | null>>,
  row: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([column, member]) => {
      if (!member) return [];
      const value = row[column] ?? null;
      return [[member.name, value === null ? null : writers[member.kind](value)]];
    }),
  );
}
