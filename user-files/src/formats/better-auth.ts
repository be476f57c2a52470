// better-auth: its tables `user`, `account`, `passkey` and `twoFactor`, each in a file, or all in one JSON object.
import type { Fields } from '../fields.ts';
import { type EntryTable, type Format, type Passkey, present, Skip, toLogins } from '../format.ts';

/** The rows of a table that belong to a user. */
const ofUser = (table: string, marks: readonly string[], pick: (fields: Fields) => Passkey | object): EntryTable => ({
  is: (_, fields) => fields.has('userId', ...marks),
  index: (fields, lookups) => lookups.add(table, fields.text('userId') ?? '', { ...pick(fields) }),
});

export const betterAuth: Format = {
  name: 'better-auth',
  title: 'better-auth',
  hasNoHashes: true,
  tables: [
    ofUser('account', ['providerId', 'accountId'], (fields) => ({
      provider: fields.text('providerId'),
      providerKey: fields.text('accountId'),
      password: fields.text('password'),
    })),
    ofUser('passkey', ['credentialID', 'publicKey'], toPasskey),
    // The secret is encrypted by the secret of the application.
    ofUser('factor', ['backupCodes', 'secret'], () => ({})),
    {
      is: (_, fields) => fields.has('id', 'email', 'emailVerified', 'createdAt') && !fields.has('password'),
      read(fields, lookups) {
        const id = fields.text('id') ?? '';
        const email = fields.text('email');
        if (fields.flag('isAnonymous')) return new Skip('anonymous', id);
        const accounts = lookups.find('account', id);
        const isOwn = ({ provider }: { provider?: unknown }) => provider === 'credential';
        const isBanned = fields.flag('banned') === true;
        const bannedUntil = fields.time('banExpires');
        return present({
          userName: fields.text('username') ?? email,
          name: fields.text('name'),
          emailAddress: email,
          isEmailConfirmed: fields.flag('emailVerified'),
          mobileNumber: fields.text('phoneNumber'),
          isMobileConfirmed: fields.flag('phoneNumberVerified'),
          passwordHash: accounts.find(isOwn)?.password,
          isActive: isBanned && bannedUntil === undefined ? false : undefined,
          bannedUntil: isBanned ? bannedUntil : undefined,
          roleNames: fields.text('role'),
          creationTime: fields.time('createdAt'),
          passkeys: lookups.find('passkey', id),
          IsTwoFactorEnabled: lookups.find('factor', id).length > 0 ? true : undefined,
          externalLogins: toLogins([
            { provider: 'better-auth', providerKey: id },
            ...accounts.filter((account) => !isOwn(account)),
          ]),
        });
      },
    },
  ],
};

function toPasskey(fields: Fields): Passkey {
  return {
    credentialId: fields.text('credentialID'),
    publicKey: fields.text('publicKey'),
    signCount: fields.raw('counter'),
    transports: (fields.text('transports') ?? '').split(',').filter((transport) => transport !== ''),
    name: fields.text('name'),
    isBackedUp: fields.flag('backedUp'),
    creationTime: fields.time('createdAt'),
  };
}
