// The shapes of a token that replaces another one, of the user who is signed in, and of an assertion of a passkey: what a
// browser needs to ask for it, and what the passkey answers (WebAuthn Level 3, 5.1).
import { type Static, Type } from 'typebox';
import { Base64Url, NamedObject, Nullable, Uuid } from '../contract/schemas.ts';
import { ClientData, CredentialId, type GivenAssertion, PasskeyDescriptor } from '../factors/index.ts';

export const IssuedTokenResult = NamedObject('RefreshTokenResult', {
  accessToken: Type.String(),
  expireInSeconds: Type.Integer(),
  expireOn: Type.String({ format: 'date-time' }),
});

const PermissionGrantDto = NamedObject('PermissionGrantDto', {
  permission: Type.String(),
  permissionedEntity: Type.Array(Type.String()),
});

const CurrentUser = NamedObject('CurrentUserDto', {
  id: Type.Integer(),
  accountFound: Type.Boolean(),
  userName: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  fullName: Type.String(),
  email: Nullable(Type.String()),
  mobileNumber: Nullable(Type.String()),
  isEmailConfirmed: Type.Boolean(),
  isMobileConfirmed: Type.Boolean(),
  personId: Type.String(),
  homeUrl: Type.Null(),
  roles: Type.Array(Type.String()),
  grantedPermissions: Type.Array(PermissionGrantDto),
  requireChangePassword: Type.Boolean(),
  requireFactorEnrollment: Type.Boolean({
    description: 'Whether a second factor must be enrolled before anything else.',
  }),
});

export const CurrentLoginInfo = NamedObject('CurrentLoginInfo', {
  user: Nullable(CurrentUser),
  tenant: Type.Null(),
  initializationErrors: Type.Null(),
});

export const SignInWaysDto = NamedObject('SignInWaysDto', {
  password: Type.Boolean({ description: 'Whether a person chose the password of the account.' }),
  pin: Type.Boolean({ description: 'Whether the account has a verified address for pins.' }),
  passkey: Type.Boolean(),
  providers: Type.Array(Type.String(), { description: 'The names of the providers that the account is linked to.' }),
});

export const AssertionOptions = NamedObject('PasskeyAssertionOptions', {
  operationId: Type.String(),
  options: NamedObject('PublicKeyCredentialRequestOptionsJSON', {
    challenge: Type.String(),
    timeout: Type.Optional(Type.Integer({ description: 'In milliseconds.' })),
    rpId: Type.Optional(Type.String()),
    allowCredentials: Type.Optional(Type.Array(PasskeyDescriptor)),
    userVerification: Type.Optional(Type.String()),
  }),
});

/** What `toJSON()` of the browser's `PublicKeyCredential` returns. Other members are ignored. */
export const AssertionCredential = NamedObject('AuthenticationResponseJSON', {
  id: CredentialId,
  rawId: CredentialId,
  response: NamedObject('AuthenticatorAssertionResponseJSON', {
    clientDataJSON: ClientData,
    authenticatorData: Base64Url({ maxLength: 8192 }),
    signature: Base64Url({ maxLength: 8192 }),
    userHandle: Type.Optional(Nullable(Base64Url({ maxLength: 100 }))),
  }),
});

/** The members of a call that accepts a passkey among other proofs. */
export const passkeyAnswer = {
  operationId: Type.Optional(Nullable(Uuid)),
  credential: Type.Optional(Nullable(AssertionCredential)),
};

/** Returns the answer of a passkey, if the call has one. */
export function toAssertion(
  purpose: GivenAssertion['purpose'],
  { operationId, credential }: { operationId?: string | null; credential?: Static<typeof AssertionCredential> | null },
): GivenAssertion | undefined {
  return operationId && credential ? { purpose, operationId: operationId.toLowerCase(), credential } : undefined;
}
