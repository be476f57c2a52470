// Lines of this service, and tables of any origin whose columns have usual names.
import type { Values } from '../entry.ts';
import type { Fields } from '../fields.ts';
import { type Format, type Line, present } from '../format.ts';
import { guessMapping, memberOf } from '../members.ts';
import { readList } from '../values.ts';

/** Members that no column of another name becomes. Those that begin with a capital letter are columns of ABP. */
const EXACT =
  /^([A-Z].*|id|personId|salt|externalLogins|loginProvider|providerKey|creationTime|lastLoginTime|lockedUntil|accessFailedCount|isLockoutEnabled|totp|passkeys|hasSecondFactor|updatedAt)$/;

/** What names a user. */
const names: readonly unknown[] = ['userName', 'emailAddress'];

export const latchkey: Format = {
  name: 'latchkey',
  title: 'Latchkey',
  tables: [
    {
      is: ({ values }) => Object.values(guessMapping(Object.keys(values))).some((member) => names.includes(member)),
      read(fields, _, values, { kind }) {
        // JSON with the names of this service says exactly what it means: a wrong name is a mistake.
        const isExact = kind !== 'row' && ('userName' in values || 'UserName' in values);
        if (!isExact) return rename(values, fields);
        for (const name of Object.keys(values)) fields.raw(name);
        return values;
      },
    },
  ],
};

function rename(values: Values, fields: Fields): Line {
  const mapping = guessMapping(Object.keys(values));
  const line = Object.entries(values).flatMap(([name, value]) => {
    const member = memberOf(mapping, name) ?? (EXACT.test(name) ? name : undefined);
    if (member === undefined) return [];
    fields.raw(name);
    return [[member, typeof value === 'string' && value.startsWith('[') ? readList(value) : value] as const];
  });
  const { userName, emailAddress } = Object.fromEntries(line);
  return present({ ...Object.fromEntries(line), userName: userName ?? emailAddress });
}
