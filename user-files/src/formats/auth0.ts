// Auth0: its bulk export of users, that of its extension, and its export of password hashes, which belongs to either or stands alone.
import type { Fields } from '../fields.ts';
import { type Format, present, toLogins } from '../format.ts';
import { readObject, readText } from '../values.ts';

export const auth0: Format = {
  name: 'auth0',
  title: 'Auth0',
  tables: [
    {
      is: (_, fields) => /^[\w-]+\|/.test(fields.text('user_id', 'Id') ?? ''),
      read(fields, lookups) {
        const id = fields.text('user_id', 'Id');
        const [hashed] = lookups.find('hash', id ?? '');
        return readUser(fields, id, readText(hashed?.passwordHash));
      },
    },
    {
      is: ({ values }, fields) => '_id' in values && fields.has('passwordHash'),
      index: (fields, lookups) => lookups.add('hash', idOf(fields), { passwordHash: fields.raw('passwordHash') }),
      read: (fields) => readUser(fields, idOf(fields), fields.text('passwordHash')),
      isSpare: true,
    },
  ],
};

/** Returns the id of a user in the export of hashes, whose own ids lack the name of the database. */
const idOf = (fields: Fields): string => `auth0|${fields.text('alt_id') ?? readText(fields.object('_id').raw('$oid'))}`;

function readUser(fields: Fields, id: string | undefined, hash: string | undefined) {
  const identifiers = fields.list('identifiers').map(readObject);
  const identifier = (type: string) => identifiers.find((one) => one?.type === type);
  const email = fields.text('email') ?? readText(identifier('email')?.value);
  const phone = fields.text('phone_number') ?? readText(identifier('phone_number')?.value);
  const metadata = fields.object('app_metadata');
  const roles = [...metadata.list('roles'), ...metadata.object('authorization').list('roles')];
  const apps = fields.list('mfa_factors').flatMap((one) => readText(readObject(readObject(one)?.totp)?.secret) ?? []);
  return present({
    userName: fields.text('username') ?? readText(identifier('username')?.value) ?? email ?? phone ?? id,
    name: fields.text('given_name', 'name', 'nickname'),
    surname: fields.text('family_name'),
    emailAddress: email,
    isEmailConfirmed: fields.flag('email_verified') ?? identifier('email')?.verified,
    mobileNumber: phone,
    isMobileConfirmed: fields.flag('phone_verified'),
    passwordHash:
      hash ?? fields.text('password_hash') ?? fields.object('custom_password_hash').object('hash').text('value'),
    isActive: fields.flag('blocked') === true ? false : undefined,
    roleNames: roles.length > 0 ? roles : undefined,
    creationTime: fields.time('created_at'),
    lastLoginTime: fields.time('last_login'),
    totp: apps,
    externalLogins: toLogins([
      { provider: 'auth0', providerKey: id },
      ...fields
        .list('identities')
        .map(readObject)
        .filter((one) => one?.provider !== 'auth0')
        .map((one) => ({ provider: one?.provider, providerKey: one?.user_id })),
    ]),
  });
}
