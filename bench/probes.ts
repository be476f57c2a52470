// Probes: the public calls that take a name or an address, as an attacker calls them to enumerate accounts.
import type { Somebody } from './crowd.ts';
import { paths } from './latchkey.ts';
import { createWrongAssertion } from './passkeys.ts';

/** What earlier answers returned for a name. */
export type Heard = { signIn?: string; reset?: string; questions?: string[]; passkey?: BegunPasskey };

type BegunPasskey = { operationId: string; options: { challenge: string } };

export type Probe = {
  readonly name: string;
  readonly path: (of: Somebody) => string;
  /** Absent: a GET. */
  readonly body?: (of: Somebody, heard: Heard) => object;
  /** The reason of every answer, or `success`, for any name: with another one the request has not done its work. */
  readonly ends: string;
  /** Keeps what later calls need from the answer. */
  readonly keep?: (heard: Heard, result: never) => void;
  /** Whether it hashes. */
  readonly isSlow?: boolean;
  /** Whether it answers at whole steps (foundation/uniform-timing). */
  readonly waits?: boolean;
  /** Settings to change before. */
  readonly settings?: Readonly<Record<string, object>>;
};

const USER = '/api/services/app/User';
const post = (path: string) => () => path;
const get =
  (path: string) =>
  ({ name }: Somebody) =>
    `${path}?username=${name}`;
const NOT_PROVEN = 'not proven';
const wrongCode = '000000';
const wrongSecret = 'x'.repeat(43);

/** In the order in which they are sent: calls that need a pin come after calls that make one. */
export const probes: readonly Probe[] = [
  {
    name: 'Authenticate, wrong password',
    path: post(paths.authenticate),
    body: ({ name }) => ({ userNameOrEmailAddress: name, password: 'a wrong guess at it' }),
    ends: 'signIn.invalidCredentials',
    isSlow: true,
  },
  {
    name: 'OtpAuthenticateSendPin, name',
    path: post('/api/TokenAuth/OtpAuthenticateSendPin'),
    body: ({ name }) => ({ userNameOrMobileNo: name }),
    ends: 'success',
    waits: true,
    keep: (heard, { operationId }: { operationId: string }) => {
      heard.signIn = operationId;
    },
  },
  {
    name: 'OtpAuthenticate, wrong pin',
    path: post('/api/TokenAuth/OtpAuthenticate'),
    body: (_, { signIn }) => ({ operationId: signIn, code: wrongCode }),
    ends: 'pin.invalid',
    waits: true,
  },
  {
    name: 'OtpAuthenticateSendPin, number',
    path: post('/api/TokenAuth/OtpAuthenticateSendPin'),
    body: ({ number }) => ({ userNameOrMobileNo: number }),
    ends: 'success',
    waits: true,
  },
  {
    name: 'GetUserPasswordResetOptions',
    path: get(`${USER}/GetUserPasswordResetOptions`),
    ends: 'success',
    waits: true,
  },
  {
    name: 'SendEmailLink',
    path: post(`${USER}/SendEmailLink`),
    body: ({ name }) => ({ username: name }),
    ends: 'success',
    waits: true,
  },
  {
    name: 'ValidateResetCode, wrong secret of a link',
    path: post(`${USER}/ValidateResetCode`),
    body: ({ name }) => ({ username: name, code: wrongSecret, method: 2 }),
    ends: NOT_PROVEN,
    waits: true,
  },
  {
    name: 'ValidateResetCode, wrong code of a mail',
    path: post(`${USER}/ValidateResetCode`),
    body: ({ name }) => ({ username: name, code: wrongCode, method: 2 }),
    ends: NOT_PROVEN,
    waits: true,
  },
  {
    name: 'SendSmsOtp',
    path: post(`${USER}/SendSmsOtp`),
    body: ({ name }) => ({ username: name }),
    ends: 'success',
    waits: true,
  },
  {
    name: 'ValidateResetCode, wrong pin',
    path: post(`${USER}/ValidateResetCode`),
    body: ({ name }) => ({ username: name, code: wrongCode, method: 4 }),
    ends: NOT_PROVEN,
    waits: true,
  },
  {
    name: 'ResetPasswordSendOtp',
    path: post(`${USER}/ResetPasswordSendOtp`),
    body: ({ number }) => ({ mobileNo: number }),
    ends: 'success',
    waits: true,
    keep: (heard, { operationId }: { operationId: string }) => {
      heard.reset = operationId;
    },
  },
  {
    name: 'ResetPasswordVerifyOtp, wrong pin',
    path: post(`${USER}/ResetPasswordVerifyOtp`),
    body: ({ number }, { reset }) => ({ mobileNo: number, operationId: reset, pin: wrongCode }),
    ends: NOT_PROVEN,
    waits: true,
  },
  {
    name: 'GetSecurityQuestions',
    path: get(`${USER}/GetSecurityQuestions`),
    ends: 'success',
    waits: true,
    keep: (heard, result: { id: string }[]) => {
      heard.questions = result.map(({ id }) => id);
    },
  },
  {
    name: 'ValidateSecurityQuestions, wrong answers',
    path: post(`${USER}/ValidateSecurityQuestions`),
    body: ({ name }, { questions: ids = [] }) => ({
      username: name,
      submittedQuestions: ids.map((questionId) => ({ questionId, submittedAnswer: 'a wrong guess' })),
    }),
    ends: NOT_PROVEN,
    isSlow: true,
  },
  {
    name: 'ResetPasswordUsingToken, wrong token',
    path: post(`${USER}/ResetPasswordUsingToken`),
    body: ({ name }) => ({ username: name, token: wrongSecret, newPassword: 'quarry velvet thimble' }),
    ends: 'reset.invalidToken',
    waits: true,
  },
  {
    name: 'Otp/SendPin, e-mail address',
    path: post('/api/services/app/Otp/SendPin'),
    body: ({ email }) => ({ sendTo: email, sendType: 2 }),
    ends: 'success',
    settings: { 'Shesha.UserManagement': { supportedRegistrationMethods: 2 } },
  },
  {
    name: 'Otp/SendPin, number',
    path: post('/api/services/app/Otp/SendPin'),
    body: ({ number }) => ({ sendTo: number, sendType: 1 }),
    ends: 'success',
    settings: { 'Shesha.UserManagement': { supportedRegistrationMethods: 3 } },
  },
  {
    name: 'Authenticate, wrong password, with a code and a trusted device',
    path: post(paths.authenticate),
    body: ({ name }) => ({
      userNameOrEmailAddress: name,
      password: 'a wrong guess at it',
      twoFactorVerificationCode: '000000',
      twoFactorRememberClientToken: wrongSecret,
    }),
    ends: 'signIn.invalidCredentials',
    isSlow: true,
    settings: { 'Latchkey.Factors': { authenticator: true, trustedDeviceDays: 30 } },
  },
  {
    name: 'GetPasskeyOptions',
    path: post('/api/TokenAuth/GetPasskeyOptions'),
    body: () => ({}),
    ends: 'success',
    settings: { 'Latchkey.Factors': { passkeys: true } },
    keep: (heard, begun: BegunPasskey) => {
      heard.passkey = begun;
    },
  },
  {
    name: 'PasskeyAuthenticate, wrong signature',
    path: post('/api/TokenAuth/PasskeyAuthenticate'),
    body: ({ name }, { passkey }) => ({
      operationId: passkey?.operationId,
      credential: createWrongAssertion(name, passkey?.options.challenge ?? ''),
    }),
    ends: 'factor.invalid',
    waits: true,
  },
];
