// Amazon Cognito: the answers of `list-users`, and CSV with the head of `get-csv-header`. Cognito exports no password hashes.
import type { Fields } from '../fields.ts';
import { type Format, present, toLogins, toNames } from '../format.ts';
import { readList, readObject, readText } from '../values.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const cognito: Format = {
  name: 'cognito',
  title: 'Amazon Cognito',
  hasNoHashes: true,
  tables: [
    {
      // Users of Keycloak have attributes, too: an object.
      is: (_, fields) =>
        fields.has('cognito:username') || (fields.has('Username') && isPairs(fields.raw('Attributes'))),
      read(fields) {
        const attributes = fields.has('Attributes') ? readAttributes(fields) : fields;
        const [email, phone] = [attributes.text('email'), attributes.text('phone_number')];
        const userName = fields.text('Username', 'cognito:username');
        const status = fields.text('UserStatus');
        // Where people sign in by an address, and at providers, Cognito makes up a name.
        const isMadeUp = userName === undefined || UUID.test(userName) || status === 'EXTERNAL_PROVIDER';
        const login = attributes.text('preferred_username') ?? (isMadeUp ? (email ?? phone ?? userName) : userName);
        return present({
          ...toNames(login, email),
          name: attributes.text('given_name', 'name', 'nickname'),
          surname: attributes.text('family_name'),
          isEmailConfirmed: email && attributes.flag('email_verified'),
          mobileNumber: phone,
          isMobileConfirmed: attributes.flag('phone_number_verified'),
          isActive: fields.flag('Enabled'),
          creationTime: fields.time('UserCreateDate'),
          externalLogins: toLogins([
            { provider: 'cognito', providerKey: attributes.text('sub') ?? userName },
            ...attributes
              .list('identities')
              .map(readObject)
              .map((one) => ({ provider: one?.providerName, providerKey: one?.userId })),
          ]),
        });
      },
    },
  ],
};

/** Whether the value is `[{"Name": …, "Value": …}]`, or that in JSON. */
const isPairs = (value: unknown) => readText(readObject(readList(value)[0])?.Name) !== undefined;

/** Returns the fields of `[{"Name": …, "Value": …}]`. */
function readAttributes(fields: Fields): Fields {
  const pairs = readList(fields.raw('Attributes')).map(readObject);
  const values = pairs.map((pair) => [readText(pair?.Name) ?? '', pair?.Value] as const);
  return fields.within('Attributes', Object.fromEntries(values));
}
