// The calls of `/api/TokenAuth/`, and the call that tells who is signed in.
import { Type } from 'typebox';
import {
  AuthenticateResult,
  type Authentication,
  type AuthenticationMethod,
  ExternalAuthenticateResult,
  factorProviders,
  readSignInStatus,
  refuseWith,
  type SignOff,
  toAuthenticateResult,
} from '../authentication/index.ts';
import type { Authorization } from '../authorization/index.ts';
import { defineRoute, type Route } from '../contract/route.ts';
import { ExactText, Name, NamedObject, Nullable, Secret, Text } from '../contract/schemas.ts';
import { factorErrors, type GivenAssertion } from '../factors/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import { invalidMember } from '../foundation/errors.ts';
import type { Origin } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { readCode } from '../foundation/typed-text.ts';
import type { UniformTiming } from '../foundation/uniform-timing.ts';
import {
  type AuthorizationResponse,
  authorizationResponse,
  type ExternalProof,
  MAX_KEY_LENGTH,
} from '../providers/index.ts';
import type { Roles } from '../roles/index.ts';
import type { SignInWays } from '../sign-in-ways/index.ts';
import { toCurrentUser } from './current-user.ts';
import { CurrentLoginInfo, IssuedTokenResult, passkeyAnswer, SignInWaysDto, toAssertion } from './dtos.ts';
import type { Credentials } from './password.ts';
import type { GivenPin } from './pin.ts';
import type { PinRequests } from './pin-request.ts';
import type { Reauthentication } from './reauthentication.ts';
import type { Renewals } from './renewals.ts';

/** What a provider has told a front end without a request of the service. */
const externalAccess = {
  authProvider: ExactText({ minLength: 1, maxLength: 100 }),
  providerKey: ExactText({ minLength: 1, maxLength: MAX_KEY_LENGTH }),
  providerAccessCode: Secret({ maxLength: 16_384 }),
};

const toExternalProof = (access: { authProvider: string; providerKey: string; providerAccessCode: string }) => {
  const { authProvider, providerKey, providerAccessCode: accessCode } = access;
  return { authProvider, providerKey, accessCode };
};

/** Returns the pin of a call that accepts it among other proofs, if the call has one. */
const toPin = ({ operationId, pin }: { operationId?: string | null; pin?: string | null }) =>
  operationId && pin ? { operationId: operationId.toLowerCase(), pin, name: undefined } : undefined;

export function signInRoutes(deps: {
  authentication: Pick<Authentication, 'signIn' | 'answerChallenge'>;
  methods: {
    password: AuthenticationMethod<Credentials>;
    pin: AuthenticationMethod<GivenPin>;
    external: AuthenticationMethod<ExternalProof | AuthorizationResponse>;
    authenticator: AuthenticationMethod<string>;
    passkey: AuthenticationMethod<GivenAssertion>;
    recoveryCode: AuthenticationMethod<string>;
  };
  pinRequests: PinRequests;
  refresh: Renewals['refresh'];
  signOff: SignOff;
  reauthentication: Reauthentication;
  readWays: (owner: SignedIn) => Promise<SignInWays>;
  authorization: Authorization;
  roles: Roles;
  settings: SettingReader;
  withUniformTiming: UniformTiming;
}): Route[] {
  const { authentication, methods, pinRequests, refresh, signOff, reauthentication, readWays } = deps;
  const { authorization, roles, settings, withUniformTiming } = deps;

  /** Refuses a sign-in with the status that the clients of this installation expect. */
  const signingIn = <Result>(work: Promise<Result>) => refuseWith(readSignInStatus(settings), work);

  async function signInExternally(proof: ExternalProof | AuthorizationResponse, origin: Origin) {
    const result = await signingIn(authentication.signIn(methods.external, proof, origin));
    return { ...toAuthenticateResult(result), waitingForActivation: result === undefined };
  }

  return [
    defineRoute({
      method: 'POST',
      path: '/api/TokenAuth/Authenticate',
      summary: 'Sign in with a user name or e-mail address and a password.',
      access: 'public',
      limit: 'login',
      refusals: [401],
      body: Type.Object({
        userNameOrEmailAddress: Name({ minLength: 1, maxLength: 256 }),
        password: Secret({ maxLength: 4096 }),
        rememberMe: Type.Optional(Nullable(Type.Boolean())),
        twoFactorVerificationCode: Type.Optional(Nullable(Secret({ maxLength: 100 }))),
        rememberClient: Type.Optional(Nullable(Type.Boolean())),
        twoFactorRememberClientToken: Type.Optional(Nullable(Secret({ maxLength: 100 }))),
      }),
      result: AuthenticateResult,
      async handle({ input, origin }) {
        const { userNameOrEmailAddress: name, password } = input;
        const code = readCode(input.twoFactorVerificationCode ?? '');
        const trusted = input.twoFactorRememberClientToken ?? undefined;
        const result = await signingIn(authentication.signIn(methods.password, { name, password }, origin, trusted));
        if (code === '' || !result || !('challenge' in result)) return toAuthenticateResult(result);
        const answer = { token: result.challenge.token, given: code, trustsDevice: input.rememberClient ?? false };
        return toAuthenticateResult(
          await signingIn(authentication.answerChallenge(methods.authenticator, answer, origin)),
        );
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/TokenAuth/VerifySecondFactor',
      summary: 'Complete a sign-in with a second factor.',
      access: 'public',
      limit: 'login',
      refusals: [401],
      body: Type.Object({
        challengeToken: Secret({ maxLength: 100 }),
        provider: Type.Enum(Object.values(factorProviders)),
        code: Type.Optional(Nullable(Secret({ maxLength: 100 }))),
        ...passkeyAnswer,
        rememberClient: Type.Optional(Nullable(Type.Boolean())),
      }),
      result: AuthenticateResult,
      async handle({ input, origin }) {
        const { challengeToken: token, provider, code, rememberClient } = input;
        const trustsDevice = rememberClient ?? false;
        const given = toAssertion('second-factor', input);
        if (provider === factorProviders.passkey && given) {
          const answer = { token, given, trustsDevice };
          return toAuthenticateResult(await signingIn(authentication.answerChallenge(methods.passkey, answer, origin)));
        }
        const method = [methods.authenticator, methods.recoveryCode].find(
          ({ name }) => factorProviders[name] === provider,
        );
        if (!method || !code) throw factorErrors.invalid().withStatus(readSignInStatus(settings));
        const answer = { token, given: code, trustsDevice };
        return toAuthenticateResult(await signingIn(authentication.answerChallenge(method, answer, origin)));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/TokenAuth/OtpAuthenticateSendPin',
      summary:
        'Request a pin to sign in with, by user name or mobile number. The answer does not tell whether the name exists.',
      access: 'public',
      limit: 'otp',
      body: Type.Object({ userNameOrMobileNo: Name({ minLength: 1, maxLength: 256 }) }),
      result: NamedObject('RequestedPin', { operationId: Type.String() }),
      handle: async ({ input, origin }) => ({
        operationId: await withUniformTiming(() => pinRequests.request(input.userNameOrMobileNo, origin)),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/TokenAuth/OtpAuthenticate',
      summary: 'Sign in with a pin. Each pin works once.',
      access: 'public',
      limit: 'login',
      refusals: [401],
      body: Type.Object({
        operationId: Text({ minLength: 1, maxLength: 100 }),
        code: Secret({ maxLength: 100 }),
        mobileNo: Type.Optional(Nullable(Name({ maxLength: 256 }))),
      }),
      result: AuthenticateResult,
      async handle({ input, origin }) {
        const { operationId, code: pin, mobileNo } = input;
        const given = { operationId: operationId.toLowerCase(), pin, name: mobileNo || undefined };
        return toAuthenticateResult(
          await withUniformTiming(() => signingIn(authentication.signIn(methods.pin, given, origin))),
        );
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/TokenAuth/ExternalAuthenticateAsync',
      summary:
        'Sign in through an external provider, with the access code that it issued. A new identity gets an account.',
      access: 'public',
      limit: 'login',
      refusals: [401, 403],
      body: Type.Object(externalAccess),
      result: ExternalAuthenticateResult,
      handle: ({ input, origin }) => signInExternally(toExternalProof(input), origin),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/TokenAuth/ExternalAuthenticateByCode',
      summary:
        'Sign in through an external provider, with its response to a request that ExternalLogin/Begin has made. A new identity gets an account.',
      access: 'public',
      limit: 'login',
      refusals: [401, 403],
      body: Type.Object(authorizationResponse),
      result: ExternalAuthenticateResult,
      handle: ({ input, origin }) => signInExternally(input, origin),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/TokenAuth/RefreshTokenAsync',
      summary: 'Exchange a valid token for a new one, and revoke the old one. Each token can be refreshed once.',
      access: 'bearer',
      result: IssuedTokenResult,
      // Access `bearer` guarantees a token.
      handle: ({ token = '', origin }) => refresh(token, origin),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/TokenAuth/Reauthenticate',
      summary:
        'Prove again who you are: by the password, a pin to sign in with or a linked provider, or by a code of the authenticator app, a passkey or a recovery code, which raise the session to aal2. The fresh token replaces the old one.',
      access: 'token',
      body: Type.Object({
        password: Type.Optional(Nullable(Secret({ maxLength: 4096 }))),
        code: Type.Optional(Nullable(Secret({ maxLength: 100 }))),
        ...passkeyAnswer,
        recoveryCode: Type.Optional(Nullable(Secret({ maxLength: 100 }))),
        pin: Type.Optional(Nullable(Secret({ maxLength: 100 }))),
        externalResponse: Type.Optional(Nullable(NamedObject('ExternalResponse', authorizationResponse))),
        externalAccess: Type.Optional(Nullable(NamedObject('ExternalAccess', externalAccess))),
      }),
      result: IssuedTokenResult,
      async handle({ input, caller: owner, token = '', origin }) {
        const caller = { owner, token, origin };
        const { password, code, recoveryCode, externalResponse: response, externalAccess: access } = input;
        const passkey = toAssertion('reauthenticate', input);
        const pin = toPin(input);
        const external = response ?? (access && toExternalProof(access));
        if ([password, code, passkey, recoveryCode, pin, response, access].filter(Boolean).length === 1) {
          if (password) return reauthentication.byPassword(caller, password);
          if (pin) return withUniformTiming(() => reauthentication.byFirstFactor(caller, methods.pin, pin));
          if (external) return reauthentication.byFirstFactor(caller, methods.external, external);
          if (code) return reauthentication.byFactor(caller, methods.authenticator, code);
          if (passkey) return reauthentication.byFactor(caller, methods.passkey, passkey);
          if (recoveryCode) return reauthentication.byFactor(caller, methods.recoveryCode, recoveryCode);
        }
        const ways =
          'the password, a code of the authenticator app, operationId and credential of a passkey, a recovery code, operationId and pin, externalResponse, or externalAccess';
        throw invalidMember('password', `Give one of these: ${ways}.`);
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/TokenAuth/SignOff',
      summary:
        'Sign off: end the session and revoke all of its tokens. Returns true for a revoked or missing token too.',
      access: 'public',
      optionalAuth: true,
      result: Type.Boolean(),
      async handle({ token, origin }) {
        if (token !== undefined) await signOff(token, origin);
        return true;
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Session/GetSignInWays',
      summary: 'The ways in which I can sign in. Those that the service does not offer at present are among them.',
      access: 'token',
      result: SignInWaysDto,
      async handle({ caller }) {
        const { providers, ...ways } = await readWays(caller);
        return { ...ways, providers: [...providers] };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Session/GetCurrentLoginInfo',
      summary: 'Get the user who is signed in. Without a valid token the user is null.',
      access: 'public',
      optionalAuth: true,
      result: CurrentLoginInfo,
      async handle({ token }) {
        const current = await authorization.findAccount(token);
        return { user: current ? toCurrentUser(current, roles) : null, tenant: null, initializationErrors: null };
      },
    }),
  ];
}
