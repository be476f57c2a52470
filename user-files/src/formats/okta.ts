// Okta: users as its API lists them, and CSV with columns of its profile. Okta exports no password hashes.
import { type Format, present, toLogins, toNames } from '../format.ts';

const INACTIVE = ['SUSPENDED', 'DEPROVISIONED'];

export const okta: Format = {
  name: 'okta',
  title: 'Okta',
  hasNoHashes: true,
  tables: [
    {
      is: (_, fields) =>
        fields.object('profile').has('login') ||
        fields.has('profile.login') ||
        (fields.has('login') && ['firstName', 'lastName'].every(fields.hasColumn)),
      read(fields) {
        const profile = fields.object('profile');
        const of = (name: string) => profile.text(name) ?? fields.text(`profile.${name}`, name);
        const status = fields.text('status')?.toUpperCase();
        return present({
          ...toNames(of('login'), of('email')),
          name: of('firstName'),
          surname: of('lastName'),
          mobileNumber: of('mobilePhone'),
          isActive: status === undefined ? undefined : !INACTIVE.includes(status),
          requireChangePassword: status === 'PASSWORD_EXPIRED' ? true : undefined,
          creationTime: fields.time('created'),
          lastLoginTime: fields.time('lastLogin'),
          externalLogins: toLogins([{ provider: 'okta', providerKey: fields.text('id', 'userId') }]),
        });
      },
    },
  ],
};
