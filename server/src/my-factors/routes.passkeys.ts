// The calls of account owners on their passkeys.
import { Type } from 'typebox';
import { defineRoute, type Route } from '../contract/route.ts';
import { Nullable, Secret, Text, Uuid } from '../contract/schemas.ts';
import { RegisteredPasskey, RegistrationCredential, RegistrationOptions, toPasskeyDto } from './dtos.ts';
import type { MyPasskeys } from './my-passkeys.ts';

/** Absent when a recent authentication replaces it. */
const currentPassword = Type.Optional(Nullable(Secret({ maxLength: 4096 })));
/** The service says itself what is wrong with an empty one. */
const name = Text({ maxLength: 100 });

export function myPasskeyRoutes({ myPasskeys }: { myPasskeys: MyPasskeys }): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Passkey/GetRegistrationOptions',
      summary: 'Begin to register a passkey.',
      access: 'token',
      whileRestricted: true,
      refusals: [403],
      body: Type.Object({ currentPassword }),
      result: RegistrationOptions,
      handle: ({ input, caller, origin }) => myPasskeys.beginRegistration(caller, input.currentPassword, origin),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Passkey/Register',
      summary: 'Register the passkey. Recovery codes are shown once, with the first second factor.',
      access: 'token',
      whileRestricted: true,
      refusals: [403],
      body: Type.Object({ operationId: Uuid, name, credential: RegistrationCredential }),
      result: RegisteredPasskey,
      async handle({ input, caller, origin }) {
        const given = { ...input, operationId: input.operationId.toLowerCase() };
        const { passkey, recoveryCodes } = await myPasskeys.register(caller, given, origin);
        return { ...toPasskeyDto(passkey), ...(recoveryCodes && { recoveryCodes }) };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Passkey/Rename',
      summary: 'Rename one of your passkeys.',
      access: 'token',
      body: Type.Object({ id: Uuid, name }),
      result: Type.Boolean(),
      async handle({ input: { id, name: newName }, caller, origin }) {
        await myPasskeys.rename(caller, { id: id.toLowerCase(), name: newName }, origin);
        return true;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Passkey/Remove',
      summary: 'Remove one of your passkeys. Recovery codes disappear with the last second factor.',
      access: 'token',
      body: Type.Object({ id: Uuid, currentPassword }),
      result: Type.Boolean(),
      async handle({ input: { id, currentPassword: password }, caller, origin }) {
        await myPasskeys.remove(caller, { id: id.toLowerCase(), password }, origin);
        return true;
      },
    }),
  ];
}
