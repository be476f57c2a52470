// Firebase Authentication: what `firebase auth:export` writes, as JSON or as CSV without a head.
import { type Format, present, Skip, toLogins } from '../format.ts';
import { readObject, readText } from '../values.ts';

const providers = ['google', 'facebook', 'twitter', 'github'] as const;

/** The columns of CSV, in the order of the command's documentation. What follows them is not needed. */
const columns = [
  ...['localId', 'email', 'emailVerified', 'passwordHash', 'salt', 'displayName', 'photoUrl'],
  ...providers.flatMap((name) => ['Id', 'Email', 'DisplayName', 'PhotoUrl'].map((column) => `${name}${column}`)),
  ...['createdAt', 'lastSignedInAt', 'phoneNumber', 'disabled', 'customAttributes', 'end'],
];

export const firebase: Format = {
  name: 'firebase',
  title: 'Firebase Authentication',
  columnsOf: (first) =>
    first.length >= 26 && /^(true|false)$/.test(first[2] ?? '') && /^\d{10,}$/.test(first[23] ?? '')
      ? columns
      : undefined,
  tables: [
    {
      is: (_, fields) => fields.has('localId'),
      read(fields) {
        const [id, email, phone] = [fields.text('localId'), fields.text('email'), fields.text('phoneNumber')];
        const identities = [
          ...fields.list('providerUserInfo').map((one) => ({
            provider: readText(readObject(one)?.providerId),
            providerKey: readText(readObject(one)?.rawId),
          })),
          ...providers.map((name) => ({ provider: `${name}.com`, providerKey: fields.text(`${name}Id`) })),
        ].filter(
          ({ provider, providerKey }) => providerKey !== undefined && provider !== 'password' && provider !== 'phone',
        );
        if (email === undefined && phone === undefined && identities.length === 0) {
          return new Skip('anonymous', id);
        }
        return present({
          userName: email ?? phone ?? id,
          name: fields.text('displayName'),
          emailAddress: email,
          isEmailConfirmed: fields.flag('emailVerified'),
          mobileNumber: phone,
          // Firebase knows only numbers that have received a code.
          isMobileConfirmed: phone === undefined ? undefined : true,
          passwordHash: fields.text('passwordHash'),
          salt: fields.text('salt'),
          isActive: fields.flag('disabled') === true ? false : undefined,
          creationTime: fields.time('createdAt'),
          lastLoginTime: fields.time('lastSignedInAt', 'lastLoginAt'),
          externalLogins: toLogins([{ provider: 'firebase', providerKey: id }, ...identities]),
        });
      },
    },
  ],
};
