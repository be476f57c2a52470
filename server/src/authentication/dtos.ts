// The answer of every sign-in: a token, or the challenge for a second factor.
import { Type } from 'typebox';
import { NamedObject, Nullable } from '../contract/schemas.ts';
import type { SignInResult } from './sign-in-result.ts';

/** The names that clients of ASP.NET Zero know, by the name of the method. */
export const factorProviders: Readonly<Record<string, string>> = {
  authenticator: 'Authenticator',
  passkey: 'Passkey',
  recoveryCode: 'RecoveryCode',
};

/** The members that clients of the existing implementation read. This service leaves some of them always null. */
export const AuthenticateResult = NamedObject('AuthenticateResult', {
  accessToken: Nullable(Type.String({ description: 'Null when the sign-in needs a second factor.' })),
  expireInSeconds: Nullable(Type.Integer()),
  expireOn: Nullable(Type.String({ format: 'date-time' })),
  encryptedAccessToken: Type.Null(),
  userId: Nullable(Type.Integer()),
  personId: Nullable(Type.String()),
  deviceName: Type.Null(),
  resultType: Type.Integer(),
  redirectUrl: Type.Null(),
  redirectModule: Type.Null(),
  redirectForm: Type.Null(),
  requiredChangePassword: Type.Boolean(),
  requiresTwoFactorVerification: Type.Boolean(),
  requiredFactorEnrollment: Type.Optional(
    Type.Boolean({ description: 'Whether a second factor must be enrolled before anything else.' }),
  ),
  twoFactorAuthProviders: Type.Optional(
    Type.Array(Type.String(), {
      description: 'The second factors of the account: Authenticator, Passkey, RecoveryCode.',
    }),
  ),
  challengeToken: Type.Optional(
    Type.String({ description: 'What VerifySecondFactor needs. It completes one sign-in within 5 minutes.' }),
  ),
  twoFactorRememberClientToken: Type.Optional(
    Type.String({ description: 'What a device that the user trusts sends at its next sign-in.' }),
  ),
});

/** The same through a provider. There is no token when an administrator must activate the new account first. */
export const ExternalAuthenticateResult = NamedObject('ExternalAuthenticateResult', {
  ...AuthenticateResult.properties,
  waitingForActivation: Type.Boolean(),
});

const fixed = {
  requiresTwoFactorVerification: false,
  encryptedAccessToken: null,
  deviceName: null,
  resultType: 0,
  redirectUrl: null,
  redirectModule: null,
  redirectForm: null,
};

const noToken = {
  accessToken: null,
  expireInSeconds: null,
  expireOn: null,
  userId: null,
  personId: null,
  requiredChangePassword: false,
};

/** @param result `undefined` when the account waits for an administrator. */
export function toAuthenticateResult(result: SignInResult | undefined) {
  if (!result) return { ...fixed, ...noToken };
  if ('signedIn' in result) {
    const { trustedDevice, ...signedIn } = result.signedIn;
    return { ...fixed, ...signedIn, ...(trustedDevice && { twoFactorRememberClientToken: trustedDevice }) };
  }
  const { token, methods } = result.challenge;
  return {
    ...fixed,
    ...noToken,
    requiresTwoFactorVerification: true,
    twoFactorAuthProviders: methods.map((name) => factorProviders[name] ?? name),
    challengeToken: token,
  };
}
