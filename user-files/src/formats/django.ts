// Django: what `dumpdata` writes, with users of any model, and CSV of the table `auth_user`.
import type { Values } from '../entry.ts';
import type { Fields } from '../fields.ts';
import { type EntryTable, type Format, type Lookups, present, type Totp, toLogins, toNames } from '../format.ts';
import { readFlag, readId, readObject, readText } from '../values.ts';

const isRecord = (fields: Fields) => fields.has('model', 'fields');

/** Records of one model, each noted under the user that it belongs to. */
const ofUser = (model: string): EntryTable => ({
  is: (_, fields) => isRecord(fields) && fields.text('model') === model,
  index(fields, lookups) {
    const values = toValues(fields);
    lookups.add(model, keyOf(values.user), values);
  },
});

const toValues = (fields: Fields): Values => readObject(fields.raw('fields')) ?? {};

/** Returns a primary key or a natural key as text: `7`, `["ann"]`. */
const keyOf = (key: unknown): string => (Array.isArray(key) ? JSON.stringify(key) : (readText(key) ?? ''));

const SOCIAL = 'socialaccount.socialaccount';
const ADDRESS = 'account.emailaddress';
const TOTP = 'otp_totp.totpdevice';

export const django: Format = {
  name: 'django',
  title: 'Django',
  tables: [
    {
      is: (_, fields) => isRecord(fields) && isUser(fields.object('fields')),
      read: (fields, lookups) => readUser(fields.object('fields'), fields.text('pk'), lookups),
    },
    {
      is: (_, fields) => ['password', 'date_joined', 'username'].every(fields.hasColumn),
      read: (fields, lookups) => readUser(fields, fields.text('id'), lookups),
    },
    {
      is: (_, fields) => isRecord(fields) && fields.text('model') === 'auth.group',
      index: (fields, lookups) => lookups.add('group', fields.text('pk') ?? '', toValues(fields)),
    },
    ofUser(SOCIAL),
    ofUser(ADDRESS),
    ofUser(TOTP),
    // `dumpdata` also writes permissions, sessions and all other models.
    { is: (_, fields) => isRecord(fields), index() {} },
  ],
};

/** Who signs in elsewhere alone may have no password. Other models may have none either, but they have no last sign-in. */
const isUser = (fields: Fields) => fields.has('password') || ['password', 'last_login'].every(fields.hasColumn);

function readUser(fields: Fields, pk: string | undefined, lookups: Lookups) {
  const email = fields.text('email');
  const login = fields.text('username') ?? email;
  const { userName, emailAddress } = toNames(login, email);
  const belonging = (model: string) => [
    ...(pk === undefined ? [] : lookups.find(model, pk)),
    ...(login === undefined ? [] : lookups.find(model, JSON.stringify([login]))),
  ];
  const isVerified = belonging(ADDRESS).some(
    (address) => readText(address.email)?.toLowerCase() === emailAddress?.toLowerCase() && readFlag(address.verified),
  );
  return present({
    id: readId(pk),
    userName,
    name: fields.text('first_name', 'name', 'full_name'),
    surname: fields.text('last_name'),
    emailAddress,
    isEmailConfirmed: isVerified ? true : undefined,
    passwordHash: fields.text('password'),
    isActive: fields.flag('is_active'),
    roleNames: readGroups(fields, lookups),
    creationTime: fields.time('date_joined'),
    lastLoginTime: fields.time('last_login'),
    totp: belonging(TOTP).flatMap(toTotp),
    externalLogins: toLogins([
      { provider: 'django', providerKey: pk },
      ...belonging(SOCIAL).map(({ provider, uid }) => ({ provider, providerKey: uid })),
    ]),
  });
}

/** Returns the names of groups, which `dumpdata` gives as ids, or as natural keys: `[["Editors"]]`. */
function readGroups(fields: Fields, lookups: Lookups): string[] | undefined {
  const names = fields.list('groups').flatMap((group) => {
    if (Array.isArray(group)) return readText(group[0]) ?? [];
    const [found] = lookups.find('group', readText(group) ?? '');
    return readText(found?.name) ?? [];
  });
  return names.length > 0 ? names : undefined;
}

/** Returns the app of a confirmed device of django-otp. */
function toTotp({ confirmed, key, digits, step }: Values): Totp[] {
  const secret = readText(key);
  return readFlag(confirmed) === false || !secret ? [] : [{ secret, encoding: 'hex', digits, period: step }];
}
