// The calls of registration.
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { fullName } from '../accounts/index.ts';
import { defineRoute, type Route } from '../contract/route.ts';
import {
  EmailAddress,
  EmailAddressOrNone,
  MobileNumber,
  Name,
  NamedObject,
  Nullable,
  Secret,
  SentPin,
  Text,
  UserName,
} from '../contract/schemas.ts';
import { invalidMember } from '../foundation/errors.ts';
import type { Address } from '../foundation/medium.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { pinErrors } from '../proofs/index.ts';
import type { AccountRegistration } from './account-registration.ts';
import type { RegistrationProofs } from './address-proof.ts';
import { userManagementSetting } from './settings.ts';

/** How a pin is sent. Existing front ends know these numbers. */
const SendType = { sms: 1, emailPin: 2, emailLink: 4 } as const;

const OperationId = Text({ minLength: 1, maxLength: 100 });

/** @throws AuthError `request.invalid` for text that is not an e-mail address. */
function readAddress({ sendTo, sendType }: { sendTo: string; sendType: number }): Address {
  if (sendType === SendType.sms) return { medium: 'sms', to: sendTo };
  if (Check(EmailAddress, sendTo)) return { medium: 'email', to: sendTo };
  throw invalidMember('sendTo', 'Give one e-mail address, such as thandi@example.org.');
}

export function registrationRoutes(deps: {
  proofs: RegistrationProofs;
  registration: AccountRegistration;
  settings: SettingReader;
}): Route[] {
  const { proofs, registration, settings } = deps;
  return [
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Otp/SendPin',
      summary:
        'Request a pin to register with, by SMS (1), by e-mail (2) or in a mailed link (4). The answer does not tell whether an account has the address.',
      access: 'public',
      limit: 'otp',
      body: Type.Object({
        sendTo: Name({ minLength: 1, maxLength: 254 }),
        sendType: Type.Integer({ enum: Object.values(SendType) }),
      }),
      result: SentPin,
      handle: async ({ input, origin }) =>
        proofs.send({ ...readAddress(input), asLink: input.sendType === SendType.emailLink }, origin),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Otp/ResendPin',
      summary: 'Request a new pin at the same address. The previous pin becomes invalid.',
      access: 'public',
      limit: 'otp',
      body: Type.Object({ operationId: OperationId }),
      refusals: [401],
      result: SentPin,
      handle: ({ input, origin }) => proofs.resend(input.operationId.toLowerCase(), origin),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Otp/VerifyPin',
      summary: 'Verify the pin. The operation then proves the address for 15 minutes, for one registration.',
      access: 'public',
      body: Type.Object({ operationId: OperationId, pin: Secret({ maxLength: 100 }) }),
      result: NamedObject('PinVerification', {
        isSuccess: Type.Boolean(),
        errorMessage: Nullable(Type.String()),
      }),
      async handle({ input, origin }) {
        const given = { operationId: input.operationId.toLowerCase(), pin: input.pin };
        const isSuccess = await proofs.verify(given, origin);
        return { isSuccess, errorMessage: isSuccess ? null : pinErrors.invalid.message };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/UserManagement/Create',
      summary: 'Register with the verified address. The service stores only that address, and ignores another one.',
      access: 'public',
      body: Type.Object({
        userName: Type.Optional(Nullable(UserName({ minLength: 0 }))),
        password: Secret({ maxLength: 4096 }),
        passwordConfirmation: Secret({ maxLength: 4096 }),
        firstName: Text({ maxLength: 100 }),
        lastName: Text({ maxLength: 100 }),
        emailAddress: Type.Optional(Nullable(EmailAddressOrNone)),
        mobileNumber: Type.Optional(Nullable(MobileNumber())),
        operationId: OperationId,
      }),
      result: NamedObject('RegistrationResult', {
        id: Type.String({ description: 'Of the person.' }),
        userId: Type.Integer(),
        userName: Type.String(),
        fullName: Type.String(),
        goToUrlAfterRegistration: Type.String(),
      }),
      async handle({ input, origin }) {
        const form = {
          ...input,
          userName: input.userName || null,
          emailAddress: input.emailAddress || null,
          mobileNumber: input.mobileNumber || null,
          operationId: input.operationId.toLowerCase(),
        };
        const account = await registration.create(form, origin);
        const { goToUrlAfterRegistration } = settings.read(userManagementSetting);
        const { id: userId, personId: id, userName } = account;
        return { id, userId, userName, fullName: fullName(account), goToUrlAfterRegistration };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Account/Register',
      summary: 'Register as ABP’s clients do. The verified address needs its operationId, as in UserManagement/Create.',
      access: 'public',
      body: Type.Object({
        name: Text({ maxLength: 100 }),
        surname: Text({ maxLength: 100 }),
        userName: Type.Optional(Nullable(UserName({ minLength: 0 }))),
        emailAddress: Type.Optional(Nullable(EmailAddressOrNone)),
        mobileNumber: Type.Optional(Nullable(MobileNumber())),
        password: Secret({ maxLength: 4096 }),
        operationId: Type.Optional(Nullable(Text({ maxLength: 100 }))),
      }),
      result: NamedObject('AbpRegistration', { canLogin: Type.Boolean() }),
      async handle({ input, origin }) {
        const form = {
          userName: input.userName || null,
          firstName: input.name,
          lastName: input.surname,
          emailAddress: input.emailAddress || null,
          mobileNumber: input.mobileNumber || null,
          password: input.password,
          passwordConfirmation: input.password,
          operationId: input.operationId?.toLowerCase() ?? '',
        };
        const { isActive } = await registration.create(form, origin);
        return { canLogin: isActive };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/UserManagement/CompleteRegistration',
      summary: 'Record that all extra information is filled in.',
      access: 'token',
      result: Type.Boolean(),
      async handle({ caller, origin }) {
        await registration.complete(caller, origin);
        return true;
      },
    }),
  ];
}
