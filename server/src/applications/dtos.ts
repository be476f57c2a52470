// What calls about applications take and answer.
import { type Static, Type } from 'typebox';
import { NamedObject, Nullable, RoleName, Text } from '../contract/schemas.ts';
import { toIsoString } from '../foundation/clock.ts';
import {
  APPLICATION_KINDS,
  type Application,
  AUTHENTICATIONS,
  CONSENTS,
  GRANT_TYPES,
  ID_TOKEN_ALGORITHMS,
  PKCE_RULES,
} from './application.ts';

const Address = Text({ minLength: 1, maxLength: 2000 });
const Addresses = Type.Array(Address, { maxItems: 30, uniqueItems: true });
const names = (maxLength: number) =>
  Type.Array(Text({ minLength: 1, maxLength }), { maxItems: 100, uniqueItems: true });

const jwk = {
  kty: Type.Enum(['RSA', 'EC', 'OKP']),
  kid: Type.Optional(Text({ maxLength: 200 })),
  use: Type.Optional(Text({ maxLength: 20 })),
  alg: Type.Optional(Text({ maxLength: 20 })),
  n: Type.Optional(Text({ maxLength: 2000 })),
  e: Type.Optional(Text({ maxLength: 20 })),
  crv: Type.Optional(Text({ maxLength: 20 })),
  x: Type.Optional(Text({ maxLength: 200 })),
  y: Type.Optional(Text({ maxLength: 200 })),
};
const PublicKeys = Nullable(
  NamedObject('PublicKeySet', { keys: Type.Array(NamedObject('PublicKey', jwk), { minItems: 1, maxItems: 10 }) }),
);
// Named, so that a private key is refused instead of ignored.
const givenJwk = { ...jwk, d: Type.Optional(Text({ maxLength: 2000, description: 'Refused: a private key.' })) };
const GivenKeys = Nullable(
  NamedObject('GivenKeySet', { keys: Type.Array(NamedObject('GivenKey', givenJwk), { minItems: 1, maxItems: 10 }) }),
);

export const settings = {
  redirectUris: Type.Optional(Addresses),
  postLogoutRedirectUris: Type.Optional(Addresses),
  authentication: Type.Optional(Type.Enum([...AUTHENTICATIONS])),
  jwks: Type.Optional(GivenKeys),
  jwksUri: Type.Optional(Nullable(Address)),
  pkce: Type.Optional(Type.Enum([...PKCE_RULES])),
  grants: Type.Optional(Type.Array(Type.Enum([...GRANT_TYPES]), { minItems: 1, maxItems: 4, uniqueItems: true })),
  scopes: Type.Optional(names(100)),
  resources: Type.Optional(names(200)),
  allowedRoles: Type.Optional(Type.Array(RoleName, { maxItems: 100, uniqueItems: true })),
  consent: Type.Optional(Type.Enum([...CONSENTS])),
  frontEnd: Type.Optional(Text({ minLength: 1, maxLength: 100 })),
  idTokenAlgorithm: Type.Optional(Type.Enum([...ID_TOKEN_ALGORITHMS])),
  claimsInIdToken: Type.Optional(Type.Boolean()),
  accessTokenLifetime: Type.Optional(Type.Integer({ minimum: 60, maximum: 86_400, description: 'In seconds.' })),
  backchannelLogoutUri: Type.Optional(Nullable(Address)),
  isEnabled: Type.Optional(Type.Boolean()),
};
const clientId = Type.Optional(Text({ minLength: 1, maxLength: 64, description: 'Characters: A-Z a-z 0-9 . _ -' }));
export const Kind = Type.Enum([...APPLICATION_KINDS]);
/** The name that people see. */
export const ApplicationName = Text({ minLength: 1, maxLength: 100 });

/** The input for a new application. The command line checks it too. */
export const ApplicationMembers = Type.Object({ name: ApplicationName, kind: Kind, clientId, ...settings });

export const dto = {
  id: Type.String(),
  clientId: Type.String(),
  name: Type.String(),
  kind: Kind,
  redirectUris: Type.Array(Type.String()),
  postLogoutRedirectUris: Type.Array(Type.String()),
  authentication: Type.Enum([...AUTHENTICATIONS]),
  jwks: PublicKeys,
  jwksUri: Nullable(Type.String()),
  pkce: Type.Enum([...PKCE_RULES]),
  grants: Type.Array(Type.Enum([...GRANT_TYPES])),
  scopes: Type.Array(Type.String()),
  resources: Type.Array(Type.String()),
  allowedRoles: Type.Array(Type.String(), { description: 'Empty: everybody may sign in.' }),
  consent: Type.Enum([...CONSENTS]),
  frontEnd: Type.String(),
  idTokenAlgorithm: Type.Enum([...ID_TOKEN_ALGORITHMS]),
  claimsInIdToken: Type.Boolean(),
  accessTokenLifetime: Type.Integer({ description: 'In seconds.' }),
  backchannelLogoutUri: Nullable(Type.String()),
  isEnabled: Type.Boolean(),
  createdAt: Type.String({ format: 'date-time' }),
};
export const ApplicationDto = NamedObject('ApplicationDto', dto);

/** A ready entry for a program, and the lines that it needs. In its texts, `{{name}}` stands for the answer to an ask. */
export const ApplicationTemplate = NamedObject('ApplicationTemplate', {
  key: Type.String(),
  name: Type.String(),
  values: NamedObject('ApplicationTemplateValues', { kind: Kind, ...settings }),
  asks: Type.Array(
    NamedObject('ApplicationTemplateAsk', { name: Type.String(), label: Type.String(), example: Type.String() }),
  ),
  snippet: Type.String({
    description: 'Lines for the program, with {{clientId}}, {{clientSecret}} and {{name}} for the answer to an ask.',
  }),
});

/** Returns what administrators see of an application. */
export const toDto = (application: Application): Static<typeof ApplicationDto> => ({
  ...application,
  redirectUris: [...application.redirectUris],
  postLogoutRedirectUris: [...application.postLogoutRedirectUris],
  jwks: application.jwks && { keys: [...application.jwks.keys] },
  grants: [...application.grants],
  scopes: [...application.scopes],
  resources: [...application.resources],
  allowedRoles: [...application.allowedRoles],
  createdAt: toIsoString(application.createdAt),
});
