// Laravel: the table `users`.
import { type Format, present, toLogins } from '../format.ts';
import { readId } from '../values.ts';

/** Providers whose ids applications keep in a column, as the guide of Laravel Socialite does. */
const socialite = ['google', 'github', 'facebook', 'twitter', 'linkedin', 'apple', 'microsoft', 'gitlab', 'bitbucket'];

export const laravel: Format = {
  name: 'laravel',
  title: 'Laravel',
  tables: [
    {
      is: (_, fields) =>
        // Who never verified an address, or signs in with Google alone, has no values there.
        ['email', 'password'].every(fields.hasColumn) && ['remember_token', 'email_verified_at'].some(fields.hasColumn),
      read(fields) {
        const [id, email] = [fields.text('id'), fields.text('email')];
        return present({
          id: readId(id),
          userName: fields.text('username') ?? email,
          name: fields.text('first_name', 'name'),
          surname: fields.text('last_name', 'surname'),
          emailAddress: email,
          isEmailConfirmed: fields.time('email_verified_at') !== undefined,
          mobileNumber: fields.text('mobile', 'phone', 'phone_number'),
          passwordHash: fields.text('password'),
          isActive: fields.flag('is_active', 'active'),
          isDeleted: fields.time('deleted_at') === undefined ? undefined : true,
          creationTime: fields.time('created_at'),
          externalLogins: toLogins([
            { provider: 'laravel', providerKey: id },
            ...socialite.map((provider) => ({ provider, providerKey: fields.text(`${provider}_id`) })),
          ]),
          IsTwoFactorEnabled: fields.raw('two_factor_secret') === undefined ? undefined : true,
        });
      },
    },
  ],
};
