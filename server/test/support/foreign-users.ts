// Files of users as other systems export them, by their documentation. User N has the password "old password N % 4".
import { createCipheriv, createHmac, pbkdf2Sync, scryptSync } from 'node:crypto';
import { hashSync as bcrypt } from '@node-rs/bcrypt';

/** Distinct passwords. People share them, because hashing is slow on purpose. */
const PASSWORDS = 4;

export const passwordOf = (number: number) => `old password ${number % PASSWORDS}`;

const nameOf = (number: number) => `user${number}`;
const mailOf = (number: number) => `user${number}@example.org`;

/** The secret of every authenticator app, in base32. */
export const TOTP_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

export type ForeignFiles = {
  readonly system: string;
  /** The name by which the command says what it reads. */
  readonly title: string;
  readonly files: Readonly<Record<string, string | Buffer>>;
  readonly words?: readonly string[];
  /** The name under which user N signs in. */
  readonly signsInAs: (number: number) => string;
  readonly hasPasswords: boolean;
  readonly hasTotp?: boolean;
  /** The external login that keeps the id of user N. */
  readonly login?: (number: number) => { provider: string; providerKey: string };
};

const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const quote = (cell: string) => (/[",;\t\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const toCsv = (rows: readonly (readonly string[])[], separator = ',') =>
  rows.map((row) => row.map(quote).join(separator)).join('\r\n');

function remember(hash: (password: string) => string) {
  const known = new Map<string, string>();
  return (number: number) => {
    const password = passwordOf(number);
    const found = known.get(password) ?? hash(password);
    known.set(password, found);
    return found;
  };
}

const bcryptOf = (prefix: string) => remember((password) => bcrypt(password, 4).replace(/^\$2[aby]\$/, prefix));
const SALT = Buffer.alloc(16, 7);

const firebaseProject = { key: Buffer.alloc(64, 9), separator: Buffer.from([7]) };
const firebaseOf = remember((password) => {
  const salts = Buffer.concat([SALT, firebaseProject.separator]);
  const key = scryptSync(password, salts, 32, { N: 2 ** 10, r: 8, p: 1 });
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(firebaseProject.key).toString('base64');
});
const keycloakOf = remember((password) => pbkdf2Sync(password, SALT, 5000, 64, 'sha512').toString('base64'));
const djangoOf = remember(
  (password) => `pbkdf2_sha256$5000$salt$${pbkdf2Sync(password, 'salt', 5000, 32, 'sha256').toString('base64')}`,
);
const wordpressOf = remember((password) => {
  const digest = createHmac('sha384', 'wp-sha384').update(password).digest('base64');
  return `$wp${bcrypt(digest, 4).replace(/^\$2[aby]\$/, '$2y$')}`;
});
const betterAuthOf = remember((password) => {
  const salt = SALT.toString('hex');
  const key = scryptSync(password, salt, 64, { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 ** 2 });
  return `${salt}:${key.toString('hex')}`;
});
const identityOf = remember((password) => {
  const head = Buffer.alloc(13);
  head[0] = 1;
  for (const [index, word] of [1, 1000, SALT.length].entries()) head.writeUInt32BE(word, 1 + 4 * index);
  return Buffer.concat([head, SALT, pbkdf2Sync(password, SALT, 1000, 32, 'sha256')]).toString('base64');
});

/** Auth0 › Support › export of password hashes, and the bulk export of users: JSON lines both. */
function auth0(count: number): ForeignFiles {
  const [hash, lines] = [bcryptOf('$2b$'), numbers(count)];
  const id = (number: number) => String(number).padStart(24, '0');
  const users = lines.map((number) => ({
    user_id: `auth0|${id(number)}`,
    email: mailOf(number),
    email_verified: true,
    name: nameOf(number),
    created_at: '2020-01-01T00:00:00.000Z',
    identities: [{ user_id: id(number), provider: 'auth0', connection: 'Username-Password-Authentication' }],
  }));
  const hashes = lines.map((number) => ({
    _id: { $oid: id(number) },
    email: mailOf(number),
    passwordHash: hash(number),
  }));
  const toLines = (all: readonly object[]) => all.map((one) => JSON.stringify(one)).join('\n');
  return {
    ...{ system: 'auth0', title: 'Auth0', hasPasswords: true, signsInAs: mailOf },
    files: { 'users.json': toLines(users), 'hashes.json': toLines(hashes) },
    login: (number) => ({ provider: 'auth0', providerKey: `auth0|${id(number)}` }),
  };
}

/** `firebase auth:export`, with the parameters of the console. */
function firebase(count: number): ForeignFiles {
  const users = numbers(count).map((number) => ({
    localId: `fb${number}`,
    email: mailOf(number),
    emailVerified: true,
    passwordHash: firebaseOf(number),
    salt: SALT.toString('base64'),
    createdAt: '1577836800000',
    providerUserInfo: [],
  }));
  const config = `hash_config {
  algorithm: SCRYPT,
  base64_signer_key: ${firebaseProject.key.toString('base64')},
  base64_salt_separator: ${firebaseProject.separator.toString('base64')},
  rounds: 8,
  mem_cost: 10,
}`;
  return {
    ...{ system: 'firebase', title: 'Firebase Authentication', hasPasswords: true, signsInAs: mailOf },
    files: { 'users.json': JSON.stringify({ users }, null, 2), 'hash-config.txt': config },
    words: ['--hash-config', 'hash-config.txt'],
    login: (number) => ({ provider: 'firebase', providerKey: `fb${number}` }),
  };
}

/** `kc.sh export --users same_file`. */
function keycloak(count: number): ForeignFiles {
  const users = numbers(count).map((number) => ({
    id: uuidOf(number),
    username: nameOf(number),
    email: mailOf(number),
    emailVerified: true,
    enabled: true,
    createdTimestamp: 1_577_836_800_000,
    totp: true,
    credentials: [
      {
        type: 'password',
        secretData: JSON.stringify({ value: keycloakOf(number), salt: SALT.toString('base64') }),
        credentialData: JSON.stringify({ hashIterations: 5000, algorithm: 'pbkdf2-sha512' }),
      },
      {
        type: 'otp',
        secretData: JSON.stringify({ value: '12345678901234567890' }),
        credentialData: JSON.stringify({ subType: 'totp', digits: 6, period: 30, algorithm: 'HmacSHA1' }),
      },
    ],
    realmRoles: ['default-roles-shop'],
  }));
  return {
    ...{ system: 'keycloak', title: 'Keycloak', hasPasswords: true, hasTotp: true, signsInAs: nameOf },
    files: { 'realm.json': JSON.stringify({ realm: 'shop', roles: { realm: [] }, users, clients: [{}] }, null, 2) },
    login: (number) => ({ provider: 'keycloak', providerKey: uuidOf(number) }),
  };
}

/** `manage.py dumpdata auth.user otp_totp`. */
function django(count: number): ForeignFiles {
  const users = numbers(count).map((number) => ({
    model: 'auth.user',
    pk: number + 1000,
    fields: {
      username: nameOf(number),
      password: djangoOf(number),
      email: mailOf(number),
      is_active: true,
      is_staff: false,
      date_joined: '2020-01-01T00:00:00Z',
      last_login: null,
      groups: [],
      user_permissions: [],
    },
  }));
  const devices = numbers(count).map((number) => ({
    model: 'otp_totp.totpdevice',
    pk: number,
    fields: {
      user: number + 1000,
      confirmed: true,
      key: '3132333435363738393031323334353637383930',
      step: 30,
      digits: 6,
    },
  }));
  return {
    ...{ system: 'django', title: 'Django', hasPasswords: true, hasTotp: true, signsInAs: nameOf },
    files: { 'dump.json': JSON.stringify([...users, ...devices]) },
    login: (number) => ({ provider: 'django', providerKey: String(number + 1000) }),
  };
}

/** The table `users` as a spreadsheet saves it: with `sep=`, semicolons and Windows-1252. */
function laravel(count: number): ForeignFiles {
  const hash = bcryptOf('$2y$');
  const head = ['id', 'name', 'email', 'email_verified_at', 'password', 'remember_token', 'created_at'];
  const rows = numbers(count).map((number) => [
    ...[String(number + 1000), `Zoë ${number}`, mailOf(number), '2020-01-01 00:00:00', hash(number), 'NULL'],
    '2020-01-01 00:00:00',
  ]);
  return {
    ...{ system: 'laravel', title: 'Laravel', hasPasswords: true, signsInAs: mailOf },
    files: { 'users.csv': Buffer.from(`sep=;\r\n${toCsv([head, ...rows], ';')}`, 'latin1') },
    login: (number) => ({ provider: 'laravel', providerKey: String(number + 1000) }),
  };
}

/** The table `wp_users`, separated by tabs in UTF-16, as Excel saves "Unicode text". */
function wordpress(count: number): ForeignFiles {
  const head = ['ID', 'user_login', 'user_pass', 'user_email', 'user_registered', 'display_name'];
  const rows = numbers(count).map((number) => [
    ...[String(number + 1000), nameOf(number), wordpressOf(number), mailOf(number), '2020-01-01 00:00:00', 'Zoë'],
  ]);
  return {
    ...{ system: 'wordpress', title: 'WordPress', hasPasswords: true, signsInAs: nameOf },
    files: { 'users.txt': Buffer.from(`\ufeff${toCsv([head, ...rows], '\t')}`, 'utf16le') },
    login: (number) => ({ provider: 'wordpress', providerKey: String(number + 1000) }),
  };
}

/** `auth.users`, `auth.identities` and `auth.mfa_factors` as `\copy … csv header` writes them. */
function supabase(count: number): ForeignFiles {
  const hash = bcryptOf('$2a$');
  const head = ['id', 'email', 'encrypted_password', 'email_confirmed_at', 'raw_app_meta_data', 'is_anonymous'];
  const rows = numbers(count).map((number) => [
    ...[uuidOf(number), mailOf(number), hash(number), '2020-01-01 00:00:00+00', '{"provider": "email"}', 'f'],
  ]);
  const factors = numbers(count).map((number) => [uuidOf(number), 'totp', 'verified', TOTP_SECRET]);
  return {
    ...{ system: 'supabase', title: 'Supabase', hasPasswords: true, hasTotp: true, signsInAs: mailOf },
    files: {
      'users.csv': toCsv([head, ...rows]),
      'factors.csv': toCsv([['user_id', 'factor_type', 'status', 'secret'], ...factors]),
    },
    login: (number) => ({ provider: 'supabase', providerKey: uuidOf(number) }),
  };
}

/** The tables `user` and `account` in one object. */
function betterAuth(count: number): ForeignFiles {
  const user = numbers(count).map((number) => ({
    id: `ba${number}`,
    name: nameOf(number),
    email: mailOf(number),
    emailVerified: true,
    createdAt: '2020-01-01T00:00:00.000Z',
  }));
  const account = numbers(count).map((number) => ({
    id: `acc${number}`,
    userId: `ba${number}`,
    providerId: 'credential',
    accountId: `ba${number}`,
    password: betterAuthOf(number),
  }));
  return {
    ...{ system: 'better-auth', title: 'better-auth', hasPasswords: true, signsInAs: mailOf },
    files: { 'tables.json': JSON.stringify({ user, account }) },
    login: (number) => ({ provider: 'better-auth', providerKey: `ba${number}` }),
  };
}

/** `AspNetUsers` with ids that are UUIDs, as `FOR JSON PATH` writes it. */
function abp(count: number): ForeignFiles {
  const rows = numbers(count).map((number) => ({
    Id: uuidOf(number),
    UserName: nameOf(number),
    NormalizedUserName: nameOf(number).toUpperCase(),
    Email: mailOf(number),
    EmailConfirmed: true,
    PasswordHash: identityOf(number),
    SecurityStamp: 'x',
    LockoutEnabled: true,
    AccessFailedCount: 0,
  }));
  return {
    ...{ system: 'abp', title: 'ABP or ASP.NET Core Identity', hasPasswords: true, signsInAs: nameOf },
    files: { 'users.json': JSON.stringify(rows) },
    login: (number) => ({ provider: 'abp', providerKey: uuidOf(number) }),
  };
}

/** The answers of `GET /api/v1/users`. */
function okta(count: number): ForeignFiles {
  const users = numbers(count).map((number) => ({
    id: `00u${number}`,
    status: 'ACTIVE',
    created: '2020-01-01T00:00:00.000Z',
    profile: { login: mailOf(number), firstName: 'Ann', lastName: 'Lee', email: mailOf(number), mobilePhone: null },
  }));
  return {
    ...{ system: 'okta', title: 'Okta', hasPasswords: false, signsInAs: mailOf },
    files: { 'users.json': JSON.stringify(users) },
    login: (number) => ({ provider: 'okta', providerKey: `00u${number}` }),
  };
}

/** The CSV of the portal. */
function entra(count: number): ForeignFiles {
  const head = ['userPrincipalName', 'displayName', 'surname', 'mail', 'givenName', 'objectId', 'accountEnabled'];
  const rows = numbers(count).map((number) => [
    ...[mailOf(number), 'Ann Lee', 'Lee', mailOf(number), 'Ann', uuidOf(number), 'True'],
  ]);
  return {
    ...{ system: 'entra', title: 'Microsoft Entra ID', hasPasswords: false, signsInAs: mailOf },
    files: { 'users.csv': `\ufeff${toCsv([head, ...rows])}` },
    login: (number) => ({ provider: 'entra', providerKey: uuidOf(number) }),
  };
}

/** The answers of `aws cognito-idp list-users`. */
function cognito(count: number): ForeignFiles {
  const Users = numbers(count).map((number) => ({
    Username: nameOf(number),
    Attributes: [
      { Name: 'sub', Value: uuidOf(number) },
      { Name: 'email', Value: mailOf(number) },
      { Name: 'email_verified', Value: 'true' },
    ],
    UserCreateDate: '2020-01-01T00:00:00+00:00',
    Enabled: true,
    UserStatus: 'CONFIRMED',
  }));
  return {
    ...{ system: 'cognito', title: 'Amazon Cognito', hasPasswords: false, signsInAs: nameOf },
    files: { 'users.json': JSON.stringify({ Users }, null, 4) },
    login: (number) => ({ provider: 'cognito', providerKey: uuidOf(number) }),
  };
}

/** CSV of any origin with the names of this service. */
function latchkey(count: number): ForeignFiles {
  const head = ['userName', 'E-mail', 'Email verified', 'First name', 'passwordHash', 'totp'];
  const uri = `otpauth://totp/x?secret=${TOTP_SECRET}&digits=6&period=30&algorithm=SHA1`;
  const hash = bcryptOf('$2b$');
  const rows = numbers(count).map((number) => [...[nameOf(number), mailOf(number), 'WAHR', '=1+1', hash(number), uri]]);
  return {
    ...{ system: 'latchkey', title: 'Latchkey', hasPasswords: true, hasTotp: true, signsInAs: nameOf },
    files: { 'users.csv': toCsv([head, ...rows]) },
  };
}

export const systems = [
  ...[auth0, firebase, keycloak, django, laravel, wordpress, supabase, betterAuth, abp, okta, entra, cognito, latchkey],
];
