// The calls of password reset.
import { Type } from 'typebox';
import { defineRoute, type Route } from '../contract/route.ts';
import { MobileNumber, Name, NamedObject, Nullable, Secret, Text, Uuid } from '../contract/schemas.ts';
import type { UniformTiming } from '../foundation/uniform-timing.ts';
import { ResetMethod } from './method.ts';
import type { ResetOptions } from './options.ts';
import type { ProvenReset } from './proof-settlement.ts';
import type { ResetProofs } from './proofs.ts';
import type { QuestionRounds } from './question-round.ts';
import type { ResetRequests } from './requests.ts';
import type { RedeemToken } from './token-redemption.ts';

const UserOrAddress = Name({ minLength: 1, maxLength: 512 });
const OperationId = Text({ minLength: 1, maxLength: 100 });

/** More than any round asks. The length leaves room for characters that normalization removes. */
const MAX_ANSWERS = 20;
const MAX_ANSWER_LENGTH = 300;

const ResetOptionDto = NamedObject('ResetOptionDto', {
  method: Type.Integer(),
  prompt: Type.String(),
  maskedIdentifier: Nullable(Type.String()),
});
const SecurityQuestionDto = NamedObject('SecurityQuestionDto', { id: Type.String(), question: Type.String() });
const SubmittedQuestion = NamedObject('SubmittedQuestion', {
  questionId: Uuid,
  submittedAnswer: Secret({ maxLength: MAX_ANSWER_LENGTH }),
});

const Proven = NamedObject('ResetCodeResult', {
  isSuccess: Type.Boolean(),
  errorMessage: Nullable(Type.String()),
  token: Nullable(Type.String()),
  username: Nullable(Type.String()),
});

/** One text for every wrong proof, so that it does not tell what was wrong. */
const NOT_PROVEN = 'This is wrong, or can no longer be used. Please check it, wait some minutes, or begin again.';

const toProven = (proven: ProvenReset) =>
  proven
    ? { isSuccess: true, errorMessage: null, ...proven }
    : { isSuccess: false, errorMessage: NOT_PROVEN, token: null, username: null };

/** All calls are public. None of them tells by its timing whether an account exists. */
export function passwordResetRoutes(deps: {
  options: ResetOptions;
  requests: ResetRequests;
  proofs: ResetProofs;
  questionRounds: QuestionRounds;
  redeemToken: RedeemToken;
  withUniformTiming: UniformTiming;
}): Route[] {
  const { options, requests, proofs, questionRounds, redeemToken, withUniformTiming } = deps;
  const routes = [
    defineRoute({
      method: 'GET',
      path: '/api/services/app/User/GetUserPasswordResetOptions',
      summary:
        'List the methods to reset the password of a name: 2 link, 4 SMS, 8 security questions. Unknown names get some too.',
      access: 'public',
      query: Type.Object({ username: UserOrAddress }),
      result: Type.Array(ResetOptionDto),
      handle: ({ input }) => options.list(input.username),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/SendEmailLink',
      summary: 'Mail a link and a code that reset the password. The answer does not tell whether the name exists.',
      access: 'public',
      limit: 'otp',
      body: Type.Object({ username: UserOrAddress }),
      result: Type.Boolean(),
      async handle({ input, origin }) {
        await requests.sendLink(input.username, origin);
        return true;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/SendSmsOtp',
      summary: 'Send a one-time pin by SMS that resets the password. The answer does not tell whether the name exists.',
      access: 'public',
      limit: 'otp',
      body: Type.Object({ username: UserOrAddress }),
      result: Type.Boolean(),
      async handle({ input, origin }) {
        await requests.sendPin(input.username, origin);
        return true;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/ResetPasswordSendOtp',
      summary:
        'Send a one-time pin that resets the password to a mobile number. The answer does not tell whether an account has it.',
      access: 'public',
      limit: 'otp',
      body: Type.Object({ mobileNo: MobileNumber({ minLength: 1 }) }),
      result: NamedObject('RequestedPin', { operationId: Type.String() }),
      handle: async ({ input, origin }) => ({ operationId: await requests.sendPinToNumber(input.mobileNo, origin) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/ValidateResetCode',
      summary:
        'Exchange the secret of the link or the code beside it (method 2), or the one-time pin (4), for a reset token. The name may be in base64.',
      access: 'public',
      body: Type.Object({
        code: Secret({ maxLength: 100 }),
        username: UserOrAddress,
        method: Type.Integer({ enum: [ResetMethod.emailLink, ResetMethod.sms] }),
      }),
      result: Proven,
      async handle({ input, origin }) {
        const { username: name, code, method } = input;
        if (method === ResetMethod.sms) return toProven(await proofs.givePin({ name, pin: code }, origin));
        return toProven(await proofs.giveMailed({ name, code }, origin));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/ResetPasswordVerifyOtp',
      summary: 'Exchange the one-time pin that was sent to a mobile number for a reset token.',
      access: 'public',
      body: Type.Object({
        mobileNo: MobileNumber({ minLength: 1 }),
        operationId: OperationId,
        pin: Secret({ maxLength: 100 }),
      }),
      result: Proven,
      async handle({ input, origin }) {
        const { mobileNo: number, operationId, pin } = input;
        return toProven(await proofs.givePinOfNumber({ number, operationId: operationId.toLowerCase(), pin }, origin));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/User/GetSecurityQuestions',
      summary: 'List the security questions to answer for a name. Unknown names get some too.',
      access: 'public',
      query: Type.Object({ username: UserOrAddress }),
      result: Type.Array(SecurityQuestionDto),
      handle: async ({ input }) => [...(await questionRounds.ask(input.username))],
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/ValidateSecurityQuestions',
      summary: 'Exchange the answers to all of the security questions for a reset token.',
      access: 'public',
      limit: 'answers',
      body: Type.Object({
        username: UserOrAddress,
        submittedQuestions: Type.Array(SubmittedQuestion, { maxItems: MAX_ANSWERS }),
      }),
      result: Proven,
      async handle({ input, origin }) {
        const answers = input.submittedQuestions.map(({ questionId, submittedAnswer: answer }) => ({
          questionId: questionId.toLowerCase(),
          answer,
        }));
        return toProven(await questionRounds.give({ name: input.username, answers }, origin));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/ResetPasswordUsingToken',
      summary:
        'Set a new password with the reset token. All sessions end, the lockout is reset, and the owner is notified.',
      access: 'public',
      body: Type.Object({
        username: UserOrAddress,
        token: Secret({ maxLength: 200 }),
        newPassword: Secret({ maxLength: 4096 }),
      }),
      result: Type.Boolean(),
      async handle({ input, origin }) {
        const { username: name, token, newPassword: password } = input;
        await redeemToken({ name, token, password }, origin);
        return true;
      },
    }),
  ];
  return routes.map((route) => ({ ...route, handle: (call) => withUniformTiming(() => route.handle(call)) }));
}
