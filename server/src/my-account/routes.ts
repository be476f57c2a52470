// The calls of account owners: sessions, password, addresses, security questions and external logins.
import { Type } from 'typebox';
import { defineRoute, type Route } from '../contract/route.ts';
import {
  EmailAddress,
  ExactText,
  Items,
  MobileNumber,
  NamedObject,
  Nullable,
  Secret,
  SentPin,
  Text,
  Uuid,
} from '../contract/schemas.ts';
import { toIsoString } from '../foundation/clock.ts';
import { invalidMembers } from '../foundation/errors.ts';
import type { Address } from '../foundation/medium.ts';
import { pinErrors } from '../proofs/index.ts';
import { authorizationResponse, MAX_KEY_LENGTH } from '../providers/index.ts';
import { sessionMembers, toSessionMembers } from '../tokens/index.ts';
import type { AddressProofs } from './address-proof.ts';
import type { AddressRequests } from './address-request.ts';
import type { MyExternalLogins } from './my-external-logins.ts';
import type { MyQuestions } from './my-questions.ts';
import type { MySessions } from './my-sessions.ts';
import type { ChangePassword } from './password-change.ts';

const SessionDto = NamedObject('SessionDto', { ...sessionMembers, current: Type.Boolean() });

const MySecurityQuestionDto = NamedObject('MySecurityQuestionDto', {
  id: Type.String(),
  question: Type.String(),
  answered: Type.Boolean(),
});
const MySecurityQuestions = NamedObject('MySecurityQuestions', {
  required: Type.Integer(),
  questions: Type.Array(MySecurityQuestionDto),
});
const SecurityAnswer = NamedObject('SecurityAnswer', { questionId: Uuid, answer: Secret({ maxLength: 300 }) });

const MyExternalLoginDto = NamedObject('MyExternalLoginDto', {
  id: Type.String(),
  provider: Type.String(),
  linkedAt: Type.String({ format: 'date-time' }),
});

/** Returns the one address in the input. @throws AuthError `request.invalid` for none or two. */
function readAddress(input: { emailAddress?: string | null; mobileNumber?: string | null }): Address {
  const { emailAddress, mobileNumber } = input;
  if (emailAddress && !mobileNumber) return { medium: 'email', to: emailAddress };
  if (mobileNumber && !emailAddress) return { medium: 'sms', to: mobileNumber };
  const message = 'Give either an e-mail address or a mobile number.';
  throw invalidMembers([{ message, members: ['emailAddress', 'mobileNumber'] }]);
}

export function myAccountRoutes(deps: {
  changePassword: ChangePassword;
  mySessions: MySessions;
  addressRequests: AddressRequests;
  addressProofs: AddressProofs;
  myQuestions: MyQuestions;
  myExternalLogins: MyExternalLogins;
}): Route[] {
  const { changePassword, mySessions, addressRequests, addressProofs, myQuestions, myExternalLogins } = deps;
  return [
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Session/GetAll',
      summary: 'List my open sessions, newest first.',
      access: 'token',
      result: Items(SessionDto),
      async handle({ caller }) {
        const sessions = await mySessions.list(caller);
        return { items: sessions.map((session) => ({ ...toSessionMembers(session), current: session.current })) };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Session/End',
      summary: 'End one of my sessions.',
      access: 'token',
      body: Type.Object({ id: Uuid }),
      result: Type.Boolean(),
      async handle({ input, caller, origin }) {
        await mySessions.end(caller, input.id.toLowerCase(), origin);
        return true;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Session/EndOthers',
      summary: 'End all of my other sessions.',
      access: 'token',
      result: Type.Boolean(),
      async handle({ caller, origin }) {
        await mySessions.endOthers(caller, origin);
        return true;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/ChangePassword',
      summary: 'Change my password, and end all of my other sessions.',
      access: 'token',
      whileRestricted: true,
      body: Type.Object({ currentPassword: Secret({ maxLength: 4096 }), newPassword: Secret({ maxLength: 4096 }) }),
      result: Type.Boolean(),
      async handle({ input, caller, origin }) {
        await changePassword(caller, { current: input.currentPassword, next: input.newPassword }, origin);
        return true;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/ChangeMyAddress',
      summary: 'Request a pin to verify my e-mail address or mobile number, new or present.',
      access: 'token',
      limit: 'otp',
      body: Type.Object({
        currentPassword: Secret({ maxLength: 4096 }),
        emailAddress: Type.Optional(Nullable(EmailAddress)),
        mobileNumber: Type.Optional(Nullable(MobileNumber())),
      }),
      result: SentPin,
      async handle({ input, caller, origin }) {
        const wanted = { password: input.currentPassword, address: readAddress(input) };
        return addressRequests.request(caller, wanted, origin);
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/VerifyMyAddress',
      summary: 'Verify my address with the pin that was sent to it. It replaces my previous address.',
      access: 'token',
      body: Type.Object({ operationId: Text({ minLength: 1, maxLength: 100 }), pin: Secret({ maxLength: 100 }) }),
      result: NamedObject('PinVerification', {
        isSuccess: Type.Boolean(),
        errorMessage: Nullable(Type.String()),
      }),
      async handle({ input, caller, origin }) {
        const given = { operationId: input.operationId.toLowerCase(), pin: input.pin };
        const isSuccess = await addressProofs.verify(caller, given, origin);
        return { isSuccess, errorMessage: isSuccess ? null : pinErrors.invalid.message };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/User/GetMySecurityQuestions',
      summary: 'List all security questions, which of them I have answered, and how many a password reset asks.',
      access: 'token',
      result: MySecurityQuestions,
      handle: ({ caller }) => myQuestions.list(caller),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/SetMySecurityQuestions',
      summary: 'Replace all of my answers to security questions.',
      access: 'token',
      body: Type.Object({
        currentPassword: Secret({ maxLength: 4096 }),
        answers: Type.Array(SecurityAnswer, { minItems: 1, maxItems: 20 }),
      }),
      result: Type.Boolean(),
      async handle({ input, caller, origin }) {
        const { currentPassword: password } = input;
        const answers = input.answers.map(({ questionId, answer }) => ({
          questionId: questionId.toLowerCase(),
          answer,
        }));
        await myQuestions.set(caller, { password, answers }, origin);
        return true;
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/ExternalLogin/GetAll',
      summary: 'List the external logins of my account, oldest first.',
      access: 'token',
      result: Items(MyExternalLoginDto),
      async handle({ caller }) {
        const logins = await myExternalLogins.list(caller);
        return { items: logins.map((login) => ({ ...login, linkedAt: toIsoString(login.linkedAt) })) };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/ExternalLogin/Link',
      summary: 'Link my account to an external provider, with the access code that it issued.',
      access: 'token',
      body: Type.Object({
        authProvider: ExactText({ minLength: 1, maxLength: 100 }),
        providerKey: ExactText({ minLength: 1, maxLength: MAX_KEY_LENGTH }),
        providerAccessCode: Secret({ maxLength: 16_384 }),
        currentPassword: Secret({ maxLength: 4096 }),
      }),
      result: Type.Boolean(),
      async handle({ input, caller, origin }) {
        const { authProvider, providerKey, providerAccessCode: accessCode, currentPassword: password } = input;
        await myExternalLogins.link(caller, { password, proof: { authProvider, providerKey, accessCode } }, origin);
        return true;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/ExternalLogin/LinkByCode',
      summary:
        'Link my account to an external provider, with its response to a request that ExternalLogin/Begin has made.',
      access: 'token',
      body: Type.Object({ ...authorizationResponse, currentPassword: Secret({ maxLength: 4096 }) }),
      result: Type.Boolean(),
      async handle({ input, caller, origin }) {
        const { currentPassword: password, ...proof } = input;
        await myExternalLogins.link(caller, { password, proof }, origin);
        return true;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/ExternalLogin/Unlink',
      summary:
        'Remove an external login of my account, and end all of my other sessions. Another way to sign in must remain.',
      access: 'token',
      body: Type.Object({ id: Uuid }),
      result: Type.Boolean(),
      async handle({ input, caller, origin }) {
        await myExternalLogins.unlink(caller, input.id.toLowerCase(), origin);
        return true;
      },
    }),
  ];
}
