// The calls with which a forgotten password is replaced.
import { Type } from 'typebox';
import type { UniformTiming } from '../foundation/uniform-timing.ts';
import { defineRoute, NamedObject, Nullable, type Route, Secret, Text, Uuid } from '../http/contract.ts';
import { ResetMethod } from './method.ts';
import type { ResetOptions } from './options.ts';
import type { ProvenReset, ResetProofs } from './proofs.ts';
import type { QuestionRounds } from './question-round.ts';
import type { ResetRequests } from './requests.ts';
import type { RedeemToken } from './token-redemption.ts';

const Name = Text({ minLength: 1, maxLength: 512 });
const OperationId = Text({ minLength: 1, maxLength: 100 });
const MobileNumber = Text({ minLength: 1, maxLength: 40 });

/** More than is ever asked, and room for what of an answer does not count. */
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

/** One text for whatever was wrong. */
const NOT_PROVEN = 'This is wrong, or can no longer be used. Please check it, wait some minutes, or begin again.';

const toProven = (proven: ProvenReset) =>
  proven
    ? { isSuccess: true, errorMessage: null, ...proven }
    : { isSuccess: false, errorMessage: NOT_PROVEN, token: null, username: null };

/** All calls are public. None of them tells by its time whether an account exists. */
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
        'The ways to reset the password of this name: 2 link, 4 SMS, 8 security questions. Names that nobody has get some too.',
      access: 'public',
      query: Type.Object({ username: Name }),
      result: Type.Array(ResetOptionDto),
      handle: ({ input }) => options.list(input.username),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/SendEmailLink',
      summary: 'Mail a link, and a code to type, that reset the password. Answered alike for names that nobody has.',
      access: 'public',
      limit: 'otp',
      body: Type.Object({ username: Name }),
      result: Type.Boolean(),
      async handle({ input, origin }) {
        await requests.sendLink(input.username, origin);
        return true;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/SendSmsOtp',
      summary: 'Send a one-time password that resets the password. Answered alike for names that nobody has.',
      access: 'public',
      limit: 'otp',
      body: Type.Object({ username: Name }),
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
        'Send a one-time password that resets the password to a mobile number, whether an account has it or not.',
      access: 'public',
      limit: 'otp',
      body: Type.Object({ mobileNo: MobileNumber }),
      result: NamedObject('RequestedPin', { operationId: Type.String() }),
      handle: async ({ input, origin }) => ({ operationId: await requests.sendPinToNumber(input.mobileNo, origin) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/ValidateResetCode',
      summary:
        'Give the code of the link or the one beside it (method 2), or the one-time password (4), for a token. The name may be in base64.',
      access: 'public',
      body: Type.Object({
        code: Secret({ maxLength: 100 }),
        username: Name,
        method: Type.Integer({ enum: [ResetMethod.emailLink, ResetMethod.sms] }),
      }),
      result: Proven,
      async handle({ input, origin }) {
        const { username: name, code, method } = input;
        return toProven(await proofs.giveCode({ name, code, method: method as 2 | 4 }, origin));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/ResetPasswordVerifyOtp',
      summary: 'Give the one-time password that went to the mobile number, for a token.',
      access: 'public',
      body: Type.Object({ mobileNo: MobileNumber, operationId: OperationId, pin: Secret({ maxLength: 100 }) }),
      result: Proven,
      async handle({ input, origin }) {
        const { mobileNo: number, operationId, pin } = input;
        return toProven(await proofs.givePin({ number, operationId: operationId.toLowerCase(), pin }, origin));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/User/GetSecurityQuestions',
      summary: 'The security questions to answer for this name. Names that nobody has are asked some too.',
      access: 'public',
      query: Type.Object({ username: Name }),
      result: Type.Array(SecurityQuestionDto),
      handle: async ({ input }) => [...(await questionRounds.ask(input.username))],
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/ValidateSecurityQuestions',
      summary: 'Answer all of the security questions that are asked, in one go, for a token.',
      access: 'public',
      limit: 'answers',
      body: Type.Object({
        username: Name,
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
      summary: 'Set a new password with the token: all sessions end, the lock is lifted, and the owner is told.',
      access: 'public',
      body: Type.Object({
        username: Name,
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
