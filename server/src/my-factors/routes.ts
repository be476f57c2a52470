// The calls of account owners on their second factors.
import { Type } from 'typebox';
import { AccountFactorsDto, toAccountFactorsDto } from '../account-factors/index.ts';
import { defineRoute, type Route } from '../contract/route.ts';
import { NamedObject, Nullable, Secret, Text, Uuid } from '../contract/schemas.ts';
import type { MyFactors } from './my-factors.ts';

/** Absent when a recent authentication replaces it. */
const proof = { currentPassword: Type.Optional(Nullable(Secret({ maxLength: 4096 }))) };

const NewRecoveryCodes = NamedObject('NewRecoveryCodes', { recoveryCodes: Type.Array(Type.String()) });

export function myFactorRoutes({ myFactors }: { myFactors: MyFactors }): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Factor/GetAll',
      summary: 'List my second factors, passkeys and trusted devices.',
      access: 'token',
      result: AccountFactorsDto,
      handle: async ({ caller }) => toAccountFactorsDto(await myFactors.read(caller)),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Authenticator/Begin',
      summary: 'Begin to enroll an authenticator app. The secret is shown once.',
      access: 'token',
      whileRestricted: true,
      refusals: [403],
      body: Type.Object(proof),
      result: NamedObject('NewAuthenticator', {
        operationId: Type.String(),
        secret: Type.String({ description: 'base32' }),
        uri: Type.String({ description: 'The content of the QR code, otpauth:' }),
      }),
      handle: ({ input, caller, origin }) => myFactors.beginAuthenticator(caller, input.currentPassword, origin),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Authenticator/Confirm',
      summary: 'Enroll the authenticator app with its first code. Recovery codes are shown once.',
      access: 'token',
      whileRestricted: true,
      refusals: [403],
      body: Type.Object({ operationId: Text({ minLength: 1, maxLength: 100 }), code: Secret({ maxLength: 100 }) }),
      result: NewRecoveryCodes,
      handle: async ({ input, caller, origin }) => ({
        recoveryCodes: await myFactors.confirmAuthenticator(caller, input, origin),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Authenticator/Remove',
      summary: 'Remove the authenticator app. Recovery codes disappear with the last second factor.',
      access: 'token',
      body: Type.Object(proof),
      result: Type.Boolean(),
      async handle({ input, caller, origin }) {
        await myFactors.removeAuthenticator(caller, input.currentPassword, origin);
        return true;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/RecoveryCode/Regenerate',
      summary: 'Make new recovery codes, which are shown once. The former ones stop working.',
      access: 'token',
      body: Type.Object(proof),
      result: NewRecoveryCodes,
      handle: async ({ input, caller, origin }) => ({
        recoveryCodes: await myFactors.replaceRecoveryCodes(caller, input.currentPassword, origin),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/TrustedDevice/Remove',
      summary: 'Remove a trusted device. Its next sign-in asks for the second factor.',
      access: 'token',
      body: Type.Object({ id: Uuid }),
      result: Type.Boolean(),
      async handle({ input, caller, origin }) {
        await myFactors.removeTrustedDevice(caller, input.id.toLowerCase(), origin);
        return true;
      },
    }),
  ];
}
