// The calls of `/api/TokenAuth/`, and who is signed in.
import { Type } from 'typebox';
import { type Account, fullName, permissionsOf } from '../accounts/index.ts';
import type { EvenTime } from '../foundation/even-time.ts';
import { defineRoute, Nullable, type Route, Secret, Text } from '../http/contract.ts';
import { MAX_KEY_LENGTH } from '../providers/index.ts';
import type { ExternalSignIn } from './external-sign-in.ts';
import type { SignedInAccount } from '../authentication/session-issuer.ts';
import type { PinRequests } from './pin-request.ts';
import type { PinSignIn } from './pin-sign-in.ts';
import type { SignIn } from './sign-in.ts';

const issuedToken = {
  accessToken: Type.String(),
  expireInSeconds: Type.Integer(),
  expireOn: Type.String({ format: 'date-time' }),
};

/** The members that clients of the existing implementation read; those that are always null are its history. */
const AuthenticateResult = Type.Object({
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

/** The same of somebody new whom an administrator has to let in first: there is no token then. */
const ExternalAuthenticateResult = Type.Object({
  ...AuthenticateResult.properties,
  accessToken: Nullable(Type.String()),
  expireInSeconds: Nullable(Type.Integer()),
  expireOn: Nullable(Type.String({ format: 'date-time' })),
  userId: Nullable(Type.Integer()),
  personId: Nullable(Type.String()),
  waitingForActivation: Type.Boolean(),
});

const CurrentUser = Type.Object({
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
  grantedPermissions: Type.Array(
    Type.Object({ permission: Type.String(), permissionedEntity: Type.Array(Type.String()) }),
  ),
  requireChangePassword: Type.Boolean(),
});

function toCurrentUser({ account, mustChangePassword }: { account: Account; mustChangePassword: boolean }) {
  return {
    id: account.id,
    accountFound: true,
    userName: account.userName,
    firstName: account.name,
    lastName: account.surname,
    fullName: fullName(account),
    email: account.emailAddress,
    mobileNumber: account.mobileNumber,
    isEmailConfirmed: account.isEmailConfirmed,
    isMobileConfirmed: account.isMobileConfirmed,
    personId: account.personId,
    homeUrl: null,
    roles: account.roleNames,
    grantedPermissions: permissionsOf(account.roleNames).map((permission) => ({ permission, permissionedEntity: [] })),
    requireChangePassword: mustChangePassword,
  };
}

function toAuthenticateResult<SignedIn extends SignedInAccount | typeof nobodyYet>(signedIn: SignedIn) {
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

/** What is told of somebody who waits. */
const nobodyYet = {
  accessToken: null,
  expireInSeconds: null,
  expireOn: null,
  userId: null,
  personId: null,
  requiredChangePassword: false,
};

export function signInRoutes(deps: {
  signIn: SignIn;
  pinRequests: PinRequests;
  pinSignIn: PinSignIn;
  externalSignIn: ExternalSignIn;
  evenly: EvenTime;
}): Route[] {
  const { signIn, pinRequests, pinSignIn, externalSignIn, evenly } = deps;
  return [
    defineRoute({
      method: 'POST',
      path: '/api/TokenAuth/Authenticate',
      summary: 'Sign in with a user name or e-mail address and a password.',
      access: 'public',
      limit: 'login',
      body: Type.Object({
        userNameOrEmailAddress: Text({ minLength: 1, maxLength: 256 }),
        password: Secret({ maxLength: 4096 }),
        rememberMe: Type.Optional(Nullable(Type.Boolean())),
      }),
      result: AuthenticateResult,
      async handle({ input, origin }) {
        const { userNameOrEmailAddress: name, password } = input;
        return toAuthenticateResult(await signIn.withPassword({ name, password }, origin));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/TokenAuth/OtpAuthenticateSendPin',
      summary:
        'Ask for a pin to sign in with, by user name or mobile number. Answered alike for names that nobody has.',
      access: 'public',
      limit: 'otp',
      body: Type.Object({ userNameOrMobileNo: Text({ minLength: 1, maxLength: 256 }) }),
      result: Type.Object({ operationId: Type.String() }),
      handle: async ({ input, origin }) => ({
        operationId: await evenly(() => pinRequests.request(input.userNameOrMobileNo, origin)),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/TokenAuth/OtpAuthenticate',
      summary: 'Sign in with the pin that was sent, once.',
      access: 'public',
      limit: 'login',
      body: Type.Object({
        operationId: Text({ minLength: 1, maxLength: 100 }),
        code: Secret({ maxLength: 100 }),
        mobileNo: Type.Optional(Nullable(Text({ maxLength: 256 }))),
      }),
      result: AuthenticateResult,
      async handle({ input, origin }) {
        const { operationId, code: pin, mobileNo } = input;
        const given = { operationId: operationId.toLowerCase(), pin, name: mobileNo || undefined };
        return toAuthenticateResult(await pinSignIn.withPin(given, origin));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/TokenAuth/ExternalAuthenticateAsync',
      summary:
        'Sign in through an external provider, with the access code that it gave. Whoever is new gets an account.',
      access: 'public',
      limit: 'login',
      body: Type.Object({
        authProvider: Text({ minLength: 1, maxLength: 100 }),
        providerKey: Text({ minLength: 1, maxLength: MAX_KEY_LENGTH }),
        providerAccessCode: Secret({ maxLength: 16_384 }),
      }),
      result: ExternalAuthenticateResult,
      async handle({ input, origin }) {
        const { authProvider, providerKey, providerAccessCode: accessCode } = input;
        const signedIn = await externalSignIn.withProvider({ authProvider, providerKey, accessCode }, origin);
        return { ...toAuthenticateResult(signedIn ?? nobodyYet), waitingForActivation: signedIn === undefined };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/TokenAuth/RefreshTokenAsync',
      summary: 'Exchange a valid token for a fresh one. The old token is blacklisted: each can be refreshed once.',
      access: 'bearer',
      result: Type.Object(issuedToken),
      handle: ({ token, origin }) => signIn.refresh(token as string, origin),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/TokenAuth/SignOff',
      summary: 'Sign off: the session and all of its tokens are dead. Also true for a token that is dead or absent.',
      access: 'public',
      heedsToken: true,
      result: Type.Boolean(),
      async handle({ token, origin }) {
        if (token !== undefined) await signIn.signOff(token, origin);
        return true;
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Session/GetCurrentLoginInfo',
      summary: 'Who is signed in: the user is null without a valid token.',
      access: 'public',
      heedsToken: true,
      result: Type.Object({ user: Nullable(CurrentUser), tenant: Type.Null(), initializationErrors: Type.Null() }),
      async handle({ token }) {
        const current = await signIn.currentAccount(token);
        return { user: current ? toCurrentUser(current) : null, tenant: null, initializationErrors: null };
      },
    }),
  ];
}
