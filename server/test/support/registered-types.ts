// What is registered of each type of external provider, and a person as the maker's provider describes one.
import { ACME_ENDPOINTS, APPLE, CLIENT_SECRET, PLAIN_SECRET, TENANT } from './makers.ts';
import type { Person } from './provider-world.ts';

/** An OpenID provider without peculiarities. */
const ISSUER = 'https://sso.acme.example/realms/staff';

type RegisteredType = {
  /** The members besides type, name and client id. */
  readonly row: Row;
  person(number: number): Person;
  /** Returns the key of this person. */
  key(number: number): string;
  readonly names: readonly [given: string, family: string];
};

type Row = {
  readonly clientSecret?: string;
  readonly issuer?: string;
  readonly tenant?: string;
  readonly teamId?: string;
  readonly keyId?: string;
  readonly privateKey?: string;
  readonly emailTrust?: 'always';
  readonly endpoints?: Readonly<Record<'authorization' | 'token' | 'userinfo', string>>;
  readonly claims?: Readonly<Record<string, string>>;
};

/** What is registered of each type, and a person as its provider describes one. */
export const types: Readonly<Record<string, RegisteredType>> = {
  google: {
    row: { clientSecret: PLAIN_SECRET },
    person: (n) => ({
      claims: {
        sub: `10000${n}`,
        email: `ann${n}@gmail.com`,
        email_verified: true,
        given_name: 'Ann',
        family_name: 'Lee',
      },
    }),
    key: (n) => `10000${n}`,
    names: ['Ann', 'Lee'],
  },
  microsoft: {
    row: { clientSecret: PLAIN_SECRET, tenant: TENANT },
    person: (n) => ({
      claims: {
        sub: `pairwise-${n}`,
        tid: TENANT,
        oid: `0000000${n}`,
        email: `ann${n}@contoso.example`,
        xms_edov: '1',
        upn: 'x@y.example',
      },
      userinfo: { given_name: 'Ann', family_name: 'Lee' },
    }),
    key: (n) => `${TENANT}.0000000${n}`,
    names: ['Ann', 'Lee'],
  },
  github: {
    row: { clientSecret: CLIENT_SECRET },
    person: (n) => ({
      claims: { id: 583000 + n, login: 'ann', name: 'Ann Lee', email: 'public@example.com' },
      userinfo: {
        emails: [
          { email: 'other@example.com', primary: false, verified: true },
          { email: `ann${n}@github.example`, primary: true, verified: true },
        ],
      },
    }),
    key: (n) => String(583000 + n),
    names: ['Ann Lee', ''],
  },
  gitlab: {
    row: { clientSecret: PLAIN_SECRET },
    person: (n) => ({
      claims: { sub: `7${n}` },
      userinfo: { email: `ann${n}@gitlab.example`, email_verified: true, name: 'Ann Lee' },
    }),
    key: (n) => `7${n}`,
    names: ['Ann Lee', ''],
  },
  apple: {
    row: { teamId: APPLE.teamId, keyId: APPLE.keyId, privateKey: APPLE.privateKey },
    person: (n) => ({
      claims: {
        sub: `001.${n}.apple`,
        email: `relay${n}@privaterelay.appleid.example`,
        email_verified: 'true',
        is_private_email: 'true',
      },
      user: JSON.stringify({ name: { firstName: 'Ann', lastName: 'Lee' }, email: 'ignored@example.com' }),
    }),
    key: (n) => `001.${n}.apple`,
    names: ['Ann', 'Lee'],
  },
  facebook: {
    row: { clientSecret: CLIENT_SECRET, emailTrust: 'always' },
    person: (n) => ({
      claims: {
        id: `1020${n}`,
        name: 'Ann Lee',
        first_name: 'Ann',
        last_name: 'Lee',
        email: `ann${n}@facebook.example`,
      },
    }),
    key: (n) => `1020${n}`,
    names: ['Ann', 'Lee'],
  },
  linkedin: {
    row: { clientSecret: CLIENT_SECRET },
    person: (n) => ({
      claims: { sub: `li-${n}` },
      userinfo: { email: `ann${n}@linkedin.example`, email_verified: 'true', given_name: 'Ann', family_name: 'Lee' },
    }),
    key: (n) => `li-${n}`,
    names: ['Ann', 'Lee'],
  },
  oidc: {
    row: { clientSecret: CLIENT_SECRET, issuer: ISSUER },
    person: (n) => ({
      claims: {
        sub: `staff-${n}`,
        email: `ann${n}@acme.example`,
        email_verified: true,
        given_name: 'Ann',
        family_name: 'Lee',
      },
    }),
    key: (n) => `staff-${n}`,
    names: ['Ann', 'Lee'],
  },
  oauth2: {
    row: {
      clientSecret: CLIENT_SECRET,
      endpoints: ACME_ENDPOINTS,
      claims: { providerKey: 'user_id', name: 'first', surname: 'last' },
    },
    person: (n) => ({
      claims: {
        user_id: 90 + n,
        sub: 'not this',
        first: 'Ann',
        last: 'Lee',
        email: `ann${n}@oauth.example`,
        email_verified: true,
      },
    }),
    key: (n) => String(90 + n),
    names: ['Ann', 'Lee'],
  },
};
