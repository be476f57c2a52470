// The calls of `/api/TokenAuth/`, and the call that tells who is signed in.
import { Type } from 'typebox';
import type { Authentication, AuthenticationMethod, SignedInAccount, SignInResult } from '../authentication/index.ts';
import type { Authorization } from '../authorization/index.ts';
import type { Origin } from '../foundation/events.ts';
import type { UniformTiming } from '../foundation/uniform-timing.ts';
import { defineRoute, NamedObject, Nullable, type Route, Secret, Text } from '../http/contract.ts';
import {
  type AuthorizationResponse,
  authorizationResponse,
  type ExternalProof,
  MAX_KEY_LENGTH,
} from '../providers/index.ts';
import type { Roles } from '../roles/index.ts';
import type { CurrentSession } from './current-session.ts';
import { toCurrentUser } from './current-user.ts';
import type { Credentials } from './password.ts';
import type { GivenPin } from './pin.ts';
import type { PinRequests } from './pin-request.ts';

const issuedToken = {
  accessToken: Type.String(),
  expireInSeconds: Type.Integer(),
  expireOn: Type.String({ format: 'date-time' }),
};

/** The members that clients of the existing implementation read. This service leaves some of them always null. */
const AuthenticateResult = NamedObject('AuthenticateResult', {
  ...issuedToken,
  encryptedAccessToken: Type.Null(),
  userId: Type.Integer(),
  personId: Type.String(),
  deviceName: Type.Null(),
  resultType: Type.Integer(),
  redirectUrl: Type.Null(),
  redirectModule: Type.Null(),
  redirectForm: Type.Null(),
  requiredChangePassword: Type.Boolean(),
});

/** The same through a provider. There is no token when an administrator must activate the new account first. */
const ExternalAuthenticateResult = NamedObject('ExternalAuthenticateResult', {
  ...AuthenticateResult.properties,
  accessToken: Nullable(Type.String()),
  expireInSeconds: Nullable(Type.Integer()),
  expireOn: Nullable(Type.String({ format: 'date-time' })),
  userId: Nullable(Type.Integer()),
  personId: Nullable(Type.String()),
  waitingForActivation: Type.Boolean(),
});

const PermissionGrantDto = NamedObject('PermissionGrantDto', {
  permission: Type.String(),
  permissionedEntity: Type.Array(Type.String()),
});

const CurrentUser = NamedObject('CurrentUserDto', {
  id: Type.Integer(),
  accountFound: Type.Boolean(),
  userName: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  fullName: Type.String(),
  email: Nullable(Type.String()),
  mobileNumber: Nullable(Type.String()),
  isEmailConfirmed: Type.Boolean(),
  isMobileConfirmed: Type.Boolean(),
  personId: Type.String(),
  homeUrl: Type.Null(),
  roles: Type.Array(Type.String()),
  grantedPermissions: Type.Array(PermissionGrantDto),
  requireChangePassword: Type.Boolean(),
});

const CurrentLoginInfo = NamedObject('CurrentLoginInfo', {
  user: Nullable(CurrentUser),
  tenant: Type.Null(),
  initializationErrors: Type.Null(),
});

/** Returns the session of a sign-in. No call answers a challenge yet, so no method may be a second factor. */
function requireSignedIn(result: SignInResult | undefined): SignedInAccount {
  if (result && 'signedIn' in result) return result.signedIn;
  throw new Error('The sign-in needs a second factor, but no call accepts one.');
}

function toAuthenticateResult<SignedIn extends SignedInAccount | typeof noToken>(signedIn: SignedIn) {
  return {
    ...signedIn,
    encryptedAccessToken: null,
    deviceName: null,
    resultType: 0,
    redirectUrl: null,
    redirectModule: null,
    redirectForm: null,
  };
}

/** The members for a new account that an administrator must activate first. */
const noToken = {
  accessToken: null,
  expireInSeconds: null,
  expireOn: null,
  userId: null,
  personId: null,
  requiredChangePassword: false,
};

export function signInRoutes(deps: {
  authentication: Pick<Authentication, 'signIn'>;
  methods: {
    password: AuthenticationMethod<Credentials>;
    pin: AuthenticationMethod<GivenPin>;
    external: AuthenticationMethod<ExternalProof | AuthorizationResponse>;
  };
  pinRequests: PinRequests;
  currentSession: CurrentSession;
  authorization: Authorization;
  roles: Roles;
  withUniformTiming: UniformTiming;
}): Route[] {
  const { authentication, methods, pinRequests, currentSession, authorization, roles, withUniformTiming } = deps;

  async function signInExternally(proof: ExternalProof | AuthorizationResponse, origin: Origin) {
    const result = await authentication.signIn(methods.external, proof, origin);
    const signedIn = result ? requireSignedIn(result) : noToken;
    return { ...toAuthenticateResult(signedIn), waitingForActivation: result === undefined };
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
        userNameOrEmailAddress: Text({ minLength: 1, maxLength: 256 }),
        password: Secret({ maxLength: 4096 }),
        rememberMe: Type.Optional(Nullable(Type.Boolean())),
      }),
      result: AuthenticateResult,
      async handle({ input, origin }) {
        const { userNameOrEmailAddress: name, password } = input;
        return toAuthenticateResult(
          requireSignedIn(await authentication.signIn(methods.password, { name, password }, origin)),
        );
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/TokenAuth/OtpAuthenticateSendPin',
      summary:
        'Request a pin to sign in with, by user name or mobile number. The answer does not tell whether the name exists.',
      access: 'public',
      limit: 'otp',
      body: Type.Object({ userNameOrMobileNo: Text({ minLength: 1, maxLength: 256 }) }),
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
        mobileNo: Type.Optional(Nullable(Text({ maxLength: 256 }))),
      }),
      result: AuthenticateResult,
      async handle({ input, origin }) {
        const { operationId, code: pin, mobileNo } = input;
        const given = { operationId: operationId.toLowerCase(), pin, name: mobileNo || undefined };
        return toAuthenticateResult(requireSignedIn(await authentication.signIn(methods.pin, given, origin)));
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
      body: Type.Object({
        authProvider: Text({ minLength: 1, maxLength: 100 }),
        providerKey: Text({ minLength: 1, maxLength: MAX_KEY_LENGTH }),
        providerAccessCode: Secret({ maxLength: 16_384 }),
      }),
      result: ExternalAuthenticateResult,
      async handle({ input, origin }) {
        const { authProvider, providerKey, providerAccessCode: accessCode } = input;
        return signInExternally({ authProvider, providerKey, accessCode }, origin);
      },
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
      // Access `bearer` guarantees a token.
      result: NamedObject('RefreshTokenResult', issuedToken),
      handle: ({ token = '', origin }) => currentSession.refresh(token, origin),
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
        if (token !== undefined) await currentSession.signOff(token, origin);
        return true;
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
