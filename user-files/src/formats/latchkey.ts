// Lines of this service, and tables of any origin whose columns have usual names.
import type { Values } from '../entry.ts';
import { readTotpLabel } from '../factors.ts';
import type { Fields } from '../fields.ts';
import { type EntryTable, type Format, type Line, type Lookups, present } from '../format.ts';
import { guessMapping, memberOf } from '../members.ts';
import { readList, readText } from '../values.ts';

/** Members that no column of another name becomes. Those that begin with a capital letter are columns of ABP. */
const EXACT =
  /^([A-Z].*|id|personId|salt|externalLogins|loginProvider|providerKey|creationTime|lastLoginTime|lockedUntil|accessFailedCount|isLockoutEnabled|totp|passkeys|hasSecondFactor|updatedAt)$/;

/** What names a user. */
const names: readonly unknown[] = ['userName', 'emailAddress'];

/** An `otpauth:` address, as a line of a file that has no head. */
const ADDRESS = /^otpauth:/i;

/** Authenticator apps as Authelia exports them: CSV with `username`, `secret`, `digits` and `period`, or `otpauth:` addresses. */
const apps: EntryTable = {
  is({ values }, fields) {
    const found = Object.values(guessMapping(Object.keys(values)));
    return hasApp(fields) && found.every((member) => member === 'userName');
  },
  index(fields, lookups) {
    const { userName, totp } = toApp(fields);
    lookups.add('app', toKey(userName), { totp });
  },
  read: toApp,
  isSpare: true,
};

export const latchkey: Format = {
  name: 'latchkey',
  title: 'Latchkey',
  columnsOf: ([first = '']) => (ADDRESS.test(first) ? ['otpauth'] : undefined),
  tables: [
    apps,
    // What Authelia prints below its addresses.
    { is: (_, fields) => /^Successfully exported /.test(fields.text('otpauth') ?? ''), index() {} },
    {
      is: ({ values }) => Object.values(guessMapping(Object.keys(values))).some((member) => names.includes(member)),
      read(fields, lookups, values, { kind }) {
        // JSON with the names of this service says exactly what it means: a wrong name is a mistake.
        const isExact = kind !== 'row' && ('userName' in values || 'UserName' in values);
        if (!isExact) return withApp(rename(values, fields), lookups);
        for (const name of Object.keys(values)) fields.raw(name);
        return withApp(values, lookups);
      },
    },
  ],
};

const hasApp = (fields: Fields) =>
  ADDRESS.test(fields.text('otpauth') ?? '') ||
  (fields.has('username', 'secret') && (fields.has('digits') || fields.has('period')));

function toApp(fields: Fields): Line {
  const address = fields.text('otpauth');
  if (address !== undefined) return present({ userName: readTotpLabel(address), totp: address });
  const [secret, algorithm] = [fields.text('secret'), fields.text('algorithm')];
  const [digits, period] = [toNumber(fields.text('digits')), toNumber(fields.text('period'))];
  return { userName: fields.text('username'), totp: present({ secret, algorithm, digits, period }) };
}

/** Returns the number that a text is, or the text, which the import refuses. */
const toNumber = (text: string | undefined) => (text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : text);

const toKey = (userName: unknown) => readText(userName)?.toLowerCase() ?? '';

/** Returns the line with the app that another file has for its user. */
function withApp(line: Line, lookups: Lookups): Line {
  const [found] = line.totp === undefined ? lookups.find('app', toKey(line.userName)) : [];
  return found ? { ...line, ...found } : line;
}

function rename(values: Values, fields: Fields): Line {
  const mapping = guessMapping(Object.keys(values));
  const line = Object.entries(values).flatMap(([name, value]) => {
    const member = memberOf(mapping, name) ?? (EXACT.test(name) ? name : undefined);
    if (member === undefined) return [];
    fields.raw(name);
    return [[member, typeof value === 'string' && value.startsWith('[') ? readList(value) : value] as const];
  });
  const { userName, emailAddress, totp } = Object.fromEntries(line);
  return present({
    ...Object.fromEntries(line),
    userName: userName ?? emailAddress,
    totp: totp ?? (hasApp(fields) ? toApp(fields).totp : undefined),
  });
}
