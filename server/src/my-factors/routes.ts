// The calls of account owners on their second factors.
import { Type } from 'typebox';
import { defineRoute, NamedObject, type Route, Secret, Text } from '../http/contract.ts';
import type { MyFactors } from './my-factors.ts';

const currentPassword = Secret({ maxLength: 4096 });

export function myFactorRoutes({ myFactors }: { myFactors: MyFactors }): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Authenticator/Begin',
      summary: 'Begin to enroll an authenticator app. The secret is shown once.',
      access: 'token',
      whileRestricted: true,
      body: Type.Object({ currentPassword }),
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
      body: Type.Object({ operationId: Text({ minLength: 1, maxLength: 100 }), code: Secret({ maxLength: 100 }) }),
      result: NamedObject('NewRecoveryCodes', { recoveryCodes: Type.Array(Type.String()) }),
      handle: async ({ input, caller, origin }) => ({
        recoveryCodes: await myFactors.confirmAuthenticator(caller, input, origin),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Authenticator/Remove',
      summary: 'Remove the authenticator app. Recovery codes disappear with the last second factor.',
      access: 'token',
      body: Type.Object({ currentPassword }),
      result: Type.Boolean(),
      async handle({ input, caller, origin }) {
        await myFactors.removeAuthenticator(caller, input.currentPassword, origin);
        return true;
      },
    }),
  ];
}
