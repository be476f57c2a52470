// WordPress: the tables `wp_users` and `wp_usermeta`, or what `wp user list` prints.
import { type Format, type Lookups, present, toLogins, toNames } from '../format.ts';
import { readId, readText } from '../values.ts';

export const wordpress: Format = {
  name: 'wordpress',
  title: 'WordPress',
  tables: [
    {
      is: (_, fields) => fields.has('user_login'),
      read(fields, lookups) {
        const id = fields.text('ID');
        const meta = readMeta(lookups, id);
        return present({
          id: readId(id),
          ...toNames(fields.text('user_login'), fields.text('user_email')),
          name: fields.text('first_name') ?? meta.get('first_name') ?? fields.text('display_name'),
          surname: fields.text('last_name') ?? meta.get('last_name'),
          passwordHash: fields.text('user_pass'),
          isActive: fields.flag('spam') === true ? false : undefined,
          isDeleted: fields.flag('deleted') === true ? true : undefined,
          roleNames: fields.text('roles') ?? readCapabilities(meta),
          creationTime: fields.time('user_registered'),
          totp: meta.get('_two_factor_totp_key'),
          externalLogins: toLogins([{ provider: 'wordpress', providerKey: id }]),
        });
      },
    },
    {
      // The database allows rows without a key.
      is: (_, fields) => ['user_id', 'meta_key'].every(fields.hasColumn),
      index(fields, lookups, values) {
        const key = fields.text('meta_key') ?? '';
        if (fields.raw('meta_value') !== undefined && KEPT.test(key))
          lookups.add('meta', fields.text('user_id') ?? '', values);
      },
    },
  ],
};

/** The keys that a user is read from: WordPress keeps dozens more. */
const KEPT = /^(first_name|last_name|_two_factor_totp_key|\w*capabilities)$/;

function readMeta(lookups: Lookups, id: string | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { meta_key, meta_value } of lookups.find('meta', id ?? '')) {
    const [key, value] = [readText(meta_key), readText(meta_value)];
    if (key !== undefined && value !== undefined) found.set(key, value);
  }
  return found;
}

/** Returns the roles of PHP's `a:1:{s:6:"editor";b:1;}`. */
function readCapabilities(meta: ReadonlyMap<string, string>): string[] | undefined {
  const [, serialized] = [...meta].find(([key]) => key.endsWith('capabilities')) ?? [];
  return serialized === undefined
    ? undefined
    : [...serialized.matchAll(/s:\d+:"([^"]+)";b:1/g)].map(([, role]) => role ?? '');
}
