// Keycloak: the export of a realm in one file or in a folder, and users as its API lists them.
import type { Values } from '../entry.ts';
import type { Fields } from '../fields.ts';
import { type Format, type Lookups, type Passkey, present, Skip, type Totp, toLogins, toNames } from '../format.ts';
import { readObject, readText, readTime } from '../values.ts';

/** Roles that Keycloak gives to everyone. */
const OWN_ROLES = /^(default-roles-.*|offline_access|uma_authorization)$/;

export const keycloak: Format = {
  name: 'keycloak',
  title: 'Keycloak',
  tables: [
    {
      is: (_, fields) =>
        fields.has('username') && (fields.has('credentials') || fields.has('enabled', 'createdTimestamp')),
      read: readUser,
    },
    {
      is: ({ container }, fields) => container === '' && fields.has('realm') && !fields.has('username'),
      index(fields, lookups) {
        lookups.add('realm', '', {
          webauthn: fields.text('webAuthnPolicyRpId'),
          'webauthn-passwordless': fields.text('webAuthnPolicyPasswordlessRpId'),
        });
      },
    },
  ],
};

function readUser(fields: Fields, lookups: Lookups) {
  const id = fields.text('id');
  const userName = fields.text('username');
  if (fields.has('serviceAccountClientId')) return new Skip('a service account', userName);
  const credentials = fields.list('credentials').flatMap((one): Values[] => {
    const credential = readObject(one);
    return credential ? [credential] : [];
  });
  const [rpIds = {}] = lookups.find('realm', '');
  const attributes = fields.object('attributes');
  const passkeys = credentials.flatMap((one) => toPasskey(one, id, rpIds));
  const roles = fields.list('realmRoles').filter((role) => !OWN_ROLES.test(String(role)));
  const email = fields.text('email');
  return present({
    ...toNames(userName, email),
    name: fields.text('firstName'),
    surname: fields.text('lastName'),
    isEmailConfirmed: email && fields.flag('emailVerified'),
    mobileNumber: readText(attributes.list('phoneNumber', 'phone_number')[0]),
    isMobileConfirmed: attributes.list('phoneNumberVerified', 'phone_number_verified')[0],
    passwordHash: credentials.map(toHash).find((hash) => hash !== undefined),
    requireChangePassword: fields.list('requiredActions').includes('UPDATE_PASSWORD') ? true : undefined,
    isActive: fields.flag('enabled'),
    roleNames: roles.length > 0 ? roles : undefined,
    creationTime: fields.time('createdTimestamp'),
    totp: credentials.flatMap((one) => toTotp(one) ?? []),
    passkeys: passkeys.length > 0 ? passkeys : undefined,
    externalLogins: toLogins([
      { provider: 'keycloak', providerKey: id },
      ...fields
        .list('federatedIdentities')
        .map(readObject)
        .map((one) => ({ provider: one?.identityProvider, providerKey: one?.userId })),
    ]),
  });
}

/** Returns the hash with its parameters. Versions before 8 have them beside it. A password in clear text stays one, and is refused. */
function toHash(credential: Values): string | undefined {
  if (credential.type !== 'password') return undefined;
  const { secretData, credentialData, hashedSaltedValue, salt, hashIterations, algorithm } = credential;
  if (secretData !== undefined) return JSON.stringify({ secretData, credentialData });
  if (hashedSaltedValue === undefined) return readText(credential.value);
  return JSON.stringify({
    secretData: { value: hashedSaltedValue, salt },
    credentialData: { hashIterations, algorithm: algorithm ?? 'pbkdf2' },
  });
}

function toTotp({ type, secretData, credentialData }: Values): Totp | undefined {
  const [secret, how] = [readObject(secretData), readObject(credentialData)];
  const value = readText(secret?.value);
  if (type !== 'otp' || how?.subType !== 'totp' || value === undefined) return undefined;
  const { digits, period, algorithm, secretEncoding } = how;
  return { secret: value, encoding: secretEncoding === 'BASE32' ? 'base32' : 'utf8', digits, period, algorithm };
}

/** Keycloak registers a passkey with the text of the user's id as its handle. */
const toUserHandle = (userId: string) => btoa(String.fromCharCode(...new TextEncoder().encode(userId)));

/** @param rpIds the domains of the realm, by the type of the credential. */
function toPasskey(credential: Values, userId: string | undefined, rpIds: Values): Passkey[] {
  const { type, credentialData, userLabel, createdDate } = credential;
  if (type !== 'webauthn' && type !== 'webauthn-passwordless') return [];
  const data = readObject(credentialData);
  return [
    {
      credentialId: readText(data?.credentialId),
      publicKey: readText(data?.credentialPublicKey),
      signCount: data?.counter,
      transports: Array.isArray(data?.transports) ? data.transports : [],
      rpId: readText(rpIds[type]),
      userHandle: userId === undefined ? undefined : toUserHandle(userId),
      name: readText(userLabel),
      creationTime: readTime(createdDate),
    },
  ];
}
