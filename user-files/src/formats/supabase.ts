// Supabase: the tables `auth.users`, `auth.identities` and `auth.mfa_factors`.
import { type Format, present, Skip, toLogins } from '../format.ts';

export const supabase: Format = {
  name: 'supabase',
  title: 'Supabase',
  tables: [
    {
      // Who signs in by a provider alone has no password.
      is: (_, fields) => ['raw_app_meta_data', 'encrypted_password'].some(fields.hasColumn),
      read(fields, lookups) {
        const [id = '', email] = [fields.text('id'), fields.text('email')];
        const phone = fields.text('phone')?.replace(/^(?=\d)/, '+');
        if (fields.flag('is_anonymous')) return new Skip('anonymous', id);
        const profile = fields.object('raw_user_meta_data');
        return present({
          userName: email ?? phone ?? id,
          name: profile.text('given_name', 'first_name', 'full_name', 'name', 'display_name'),
          surname: profile.text('family_name', 'last_name'),
          emailAddress: email,
          isEmailConfirmed: email && fields.time('email_confirmed_at') !== undefined,
          mobileNumber: phone,
          isMobileConfirmed: phone && fields.time('phone_confirmed_at') !== undefined,
          passwordHash: fields.text('encrypted_password'),
          isDeleted: fields.time('deleted_at') === undefined ? undefined : true,
          bannedUntil: fields.time('banned_until'),
          creationTime: fields.time('created_at'),
          lastLoginTime: fields.time('last_sign_in_at'),
          totp: lookups.find('totp', id).map(({ secret }) => secret),
          externalLogins: toLogins([{ provider: 'supabase', providerKey: id }, ...lookups.find('identity', id)]),
        });
      },
    },
    {
      is: (_, fields) =>
        fields.has('user_id', 'provider') && (fields.has('provider_id') || fields.has('identity_data')),
      index(fields, lookups) {
        const provider = fields.text('provider');
        // Older tables have the id of the provider in the column `id`.
        const login = { provider, providerKey: fields.text('provider_id', 'id') };
        const isOwn = provider === 'email' || provider === 'phone';
        if (!isOwn) lookups.add('identity', fields.text('user_id') ?? '', login);
      },
    },
    {
      is: (_, fields) => fields.has('user_id', 'factor_type'),
      index(fields, lookups) {
        const secret = fields.text('secret');
        const isUsed = fields.text('factor_type') === 'totp' && fields.text('status') === 'verified';
        if (isUsed && secret) lookups.add('totp', fields.text('user_id') ?? '', { secret });
      },
    },
  ],
};
