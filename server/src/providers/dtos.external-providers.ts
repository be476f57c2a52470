// What calls about registered providers take and answer.
import { type Static, Type } from 'typebox';
import { Name, NamedObject, Nullable, RoleName, Secret, Text, Uuid } from '../contract/schemas.ts';
import { parseTime } from '../contract/time.ts';
import { toInstant, toIsoString } from '../foundation/clock.ts';
import {
  type ClaimNames,
  EMAIL_TRUSTS,
  type ExternalProvider,
  PROVIDER_TYPES,
  type ProviderEndpoints,
} from './external-provider.ts';
import type { DescribedProvider, ProviderChanges } from './external-providers.ts';
import { TYPE_MEMBERS } from './provider-types.ts';
import type { ProviderChange } from './store.external-providers.sql.ts';

const Address = Name({ minLength: 1, maxLength: 2000 });
const ClaimName = Type.Optional(Name({ maxLength: 100 }));
const EmailTrust = Type.Enum([...EMAIL_TRUSTS], {
  description: 'always: the operator vouches for the addresses of this provider.',
});
const Parameters = Type.Record(Type.String(), Text({ maxLength: 500 }));

const settings = {
  displayName: Type.Optional(
    Text({ minLength: 1, maxLength: 100, description: 'What people see. By default its name.' }),
  ),
  isEnabled: Type.Optional(Type.Boolean()),
  clientSecret: Type.Optional(Nullable(Secret({ maxLength: 4000 }))),
  issuer: Type.Optional(Nullable(Address)),
  tenant: Type.Optional(Nullable(Text({ maxLength: 100 }))),
  endpoints: Type.Optional(
    Nullable(
      NamedObject('GivenProviderEndpoints', {
        authorization: Address,
        token: Address,
        userinfo: Address,
        emails: Type.Optional(Nullable(Address)),
      }),
    ),
  ),
  scopes: Type.Optional(
    Type.Array(Text({ minLength: 1, maxLength: 100 }), {
      maxItems: 50,
      uniqueItems: true,
      description: 'Empty: the usual ones of the type.',
    }),
  ),
  authorizationParameters: Type.Optional(Parameters),
  claims: Type.Optional(
    NamedObject('ProviderClaims', {
      providerKey: ClaimName,
      name: ClaimName,
      surname: ClaimName,
      emailAddress: ClaimName,
    }),
  ),
  emailTrust: Type.Optional(EmailTrust),
  allowedDomains: Type.Optional(
    Type.Array(Text({ minLength: 1, maxLength: 253 }), {
      maxItems: 100,
      description: 'The domains of addresses that may register. Empty: all.',
    }),
  ),
  registersNewUsers: Type.Optional(Type.Boolean()),
  roleForNewUsers: Type.Optional(Nullable(RoleName)),
  secretExpiresAt: Type.Optional(Nullable(Type.String({ format: 'date-time', maxLength: 40 }))),
  teamId: Type.Optional(Nullable(Text({ maxLength: 20 }))),
  keyId: Type.Optional(Nullable(Text({ maxLength: 20 }))),
  privateKey: Type.Optional(Nullable(Secret({ maxLength: 10_000 }))),
};

const ProviderTypeName = Type.Enum([...PROVIDER_TYPES]);
const ProviderName = Text({
  minLength: 1,
  maxLength: 100,
  description: 'The authProvider of its sign-ins. It never changes.',
});
const ClientId = Text({ minLength: 1, maxLength: 500 });

/** The input for a new provider. The command line checks it too. */
export const ProviderMembers = Type.Object({
  type: ProviderTypeName,
  name: ProviderName,
  clientId: ClientId,
  ...settings,
});

/** The input for a change. The command line checks it too. */
export const ProviderChangeMembers = Type.Object({
  id: Uuid,
  type: Type.Optional(ProviderTypeName),
  name: Type.Optional(ProviderName),
  clientId: Type.Optional(ClientId),
  ...settings,
});

export const ProviderDto = NamedObject('RegisteredProviderDto', {
  id: Type.String(),
  type: ProviderTypeName,
  name: Type.String(),
  displayName: Type.String(),
  isEnabled: Type.Boolean(),
  clientId: Type.String(),
  hasClientSecret: Type.Boolean(),
  hasPrivateKey: Type.Boolean(),
  isReplacedByCode: Type.Boolean({
    description: 'Whether a provider of code has its name. Then people sign in with that one.',
  }),
  warnings: Type.Array(Type.String(), {
    description: 'What an administrator should know: it works, and may let in other people than intended.',
  }),
  externalLogins: Type.Optional(
    Type.Integer({ description: 'How many external logins there are at it. Of `Get` alone.' }),
  ),
  redirectUri: Type.String({ description: 'Where people come back to. The provider must know it.' }),
  issuer: Nullable(Type.String()),
  tenant: Nullable(Type.String()),
  endpoints: Nullable(
    NamedObject('ProviderEndpoints', {
      authorization: Type.String(),
      token: Type.String(),
      userinfo: Type.String(),
      emails: Nullable(Type.String()),
    }),
  ),
  scopes: Type.Array(Type.String()),
  authorizationParameters: Type.Record(Type.String(), Type.String()),
  claims: NamedObject('ProviderClaimNames', {
    providerKey: Type.Optional(Type.String()),
    name: Type.Optional(Type.String()),
    surname: Type.Optional(Type.String()),
    emailAddress: Type.Optional(Type.String()),
  }),
  emailTrust: EmailTrust,
  allowedDomains: Type.Array(Type.String()),
  registersNewUsers: Type.Boolean(),
  roleForNewUsers: Nullable(Type.String()),
  secretExpiresAt: Nullable(Type.String({ format: 'date-time' })),
  teamId: Nullable(Type.String()),
  keyId: Nullable(Type.String()),
  createdAt: Type.String({ format: 'date-time' }),
});

export const ProviderChangeDto = NamedObject('ProviderChangeDto', {
  number: Type.Integer({ description: '1 for the first change of the provider.' }),
  at: Type.String({ format: 'date-time' }),
  by: Nullable(Type.String({ description: 'The administrator. Null: a role was deleted, or the person was erased.' })),
  changes: Type.Array(
    NamedObject('ChangedProviderMember', {
      member: Type.String(),
      oldValue: Type.Unknown({ description: 'As `Get` answers it. Null for a secret.' }),
      newValue: Type.Unknown(),
    }),
  ),
});

const TypeMember = Type.Enum([...TYPE_MEMBERS]);

/** What a page needs to know of a type. */
export const ProviderTypeDto = NamedObject('ProviderTypeDto', {
  type: ProviderTypeName,
  displayName: Type.String(),
  needs: Type.Array(TypeMember, { description: 'The members that it cannot be without.' }),
  may: Type.Array(TypeMember, { description: 'The members that it may have besides. Others of this list it has not.' }),
  scopes: Type.Array(Type.String(), { description: 'The usual scopes.' }),
  icon: Nullable(Type.String({ description: 'The mark of its maker as a data address, if others may ship it.' })),
  redirectUriStart: Type.String({
    description: 'What the redirect URI begins with. The name follows, percent-encoded as a URI component.',
  }),
});

export const ProviderTest = NamedObject('ProviderTest', {
  steps: Type.Array(
    NamedObject('ProviderTestStep', {
      name: Type.String(),
      isSuccess: Type.Boolean(),
      message: Nullable(Type.String()),
    }),
  ),
});

/** Returns the members as the service keeps them. @throws AuthError `request.invalid`. */
export function toProviderChanges<Members extends Omit<Static<typeof ProviderChangeMembers>, 'id'>>(members: Members) {
  const { endpoints, claims, secretExpiresAt, ...rest } = members;
  return {
    ...rest,
    endpoints: endpoints && toEndpoints(endpoints),
    claims: claims && toClaims(claims),
    secretExpiresAt: secretExpiresAt == null ? secretExpiresAt : parseTime(secretExpiresAt, 'secretExpiresAt'),
  } satisfies ProviderChanges;
}

type GivenEndpoints = NonNullable<Static<typeof ProviderMembers>['endpoints']>;

/** In the order in which `Get` answers them, so that the history has them likewise. */
const toEndpoints = ({ authorization, token, userinfo, emails = null }: GivenEndpoints): ProviderEndpoints => ({
  authorization,
  token,
  userinfo,
  emails,
});

/** Likewise. An empty name is that of no claim. */
function toClaims({ providerKey, name, surname, emailAddress }: ClaimNames): ClaimNames {
  const named = Object.entries({ providerKey, name, surname, emailAddress });
  return Object.fromEntries(named.filter(([, claim]) => claim !== undefined && claim !== ''));
}

/** Returns a change with values as administrators see them. */
export const toChangeDto = ({ number, at, by, changes }: ProviderChange): Static<typeof ProviderChangeDto> => ({
  number,
  at: toIsoString(at),
  by,
  changes: changes.map(({ member, oldValue, newValue }) => ({
    member,
    oldValue: toMemberValue(member, oldValue),
    newValue: toMemberValue(member, newValue),
  })),
});

/** A time is a number where it is stored. */
const toMemberValue = (member: string, value: unknown) =>
  member === 'secretExpiresAt' && typeof value === 'number' ? toIsoString(toInstant(value)) : value;

/** Returns where people come back to from a provider. @param publicUrl the public URL of the service. */
export const redirectUriOf = ({ name }: Pick<ExternalProvider, 'name'>, publicUrl: string): string =>
  `${publicUrl}/login/external/${encodeURIComponent(name)}`;

/** Returns what administrators see of a provider. @param publicUrl the public URL of the service. */
export const toDto = (provider: DescribedProvider, publicUrl: string): Static<typeof ProviderDto> => ({
  ...provider,
  redirectUri: redirectUriOf(provider, publicUrl),
  endpoints: provider.endpoints && { ...provider.endpoints },
  scopes: [...provider.scopes],
  authorizationParameters: { ...provider.authorizationParameters },
  claims: { ...provider.claims },
  allowedDomains: [...provider.allowedDomains],
  warnings: [...provider.warnings],
  secretExpiresAt: provider.secretExpiresAt === null ? null : toIsoString(provider.secretExpiresAt),
  createdAt: toIsoString(provider.createdAt),
});
