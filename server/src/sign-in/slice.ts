// The slice of signing in.
import { createCookies } from '../contract/cookies.ts';
import type { Capabilities, Slice } from '../slice.ts';
import { createAuthenticatorMethod } from './authenticator.ts';
import { signInActions } from './declarations.ts';
import { createExternalMethod } from './external.ts';
import { createExternalRegistration } from './external-registration.ts';
import { createPasskeyMethod } from './passkey.ts';
import { createPasswordMethod } from './password.ts';
import { createPinMethod } from './pin.ts';
import { createPinRequests } from './pin-request.ts';
import { createReauthentication } from './reauthentication.ts';
import { createRecoveryCodeMethod } from './recovery-code.ts';
import { createRenewals } from './renewals.ts';
import { forgettingBrowserSession } from './routes.browser-session.ts';
import { passkeyRoutes } from './routes.passkeys.ts';
import { signInRoutes } from './routes.ts';
import { recoveryCodeUsedMessage, signInPinMessage } from './templates.ts';

export const signInSlice = {
  declarations: {
    settings: [signInPinMessage, recoveryCodeUsedMessage],
    actions: [signInActions],
    registrations: { provider: signInActions.externalRegistered },
  },
  create(capabilities: Capabilities) {
    const { authentication, authorization, roles, settings, passkeys, signOff, withUniformTiming } = capabilities;
    const registration = createExternalRegistration(capabilities);
    const methods = {
      password: createPasswordMethod(capabilities),
      pin: createPinMethod(capabilities),
      external: createExternalMethod({ ...capabilities, registration }),
      authenticator: createAuthenticatorMethod(capabilities),
      passkey: createPasskeyMethod(capabilities),
      recoveryCode: createRecoveryCodeMethod(capabilities),
    };
    const pinRequests = createPinRequests(capabilities);
    const { renew, refresh } = createRenewals(capabilities);
    const reauthentication = createReauthentication({ ...capabilities, renewTokens: renew });
    const { database, issuer, ownerVerification, readSignInWays } = capabilities;
    const cookies = createCookies(issuer);
    return {
      methods: Object.values(methods),
      routes: [
        ...signInRoutes({
          authentication,
          methods,
          pinRequests,
          refresh,
          signOff,
          reauthentication,
          readWays: (owner) =>
            database.transaction(async (tx) => readSignInWays(tx, await ownerVerification.requireOwner(tx, owner))),
          authorization,
          roles,
          settings,
          withUniformTiming,
        }),
        ...passkeyRoutes({ authentication, method: methods.passkey, passkeys, settings, withUniformTiming }),
      ].map((route) => forgettingBrowserSession(route, cookies)),
    };
  },
} satisfies Slice;
