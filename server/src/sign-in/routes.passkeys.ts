// The calls of `/api/TokenAuth/` that begin or finish the use of a passkey.
import { Type } from 'typebox';
import {
  AuthenticateResult,
  type Authentication,
  type AuthenticationMethod,
  readSignInStatus,
  refuseWith,
  toAuthenticateResult,
} from '../authentication/index.ts';
import { defineRoute, type Route } from '../contract/route.ts';
import { Secret, Uuid } from '../contract/schemas.ts';
import { factorErrors, factorSettings, type GivenAssertion, type Passkeys } from '../factors/index.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { UniformTiming } from '../foundation/uniform-timing.ts';
import { AssertionCredential, AssertionOptions } from './dtos.ts';

export function passkeyRoutes(deps: {
  authentication: Pick<Authentication, 'signIn' | 'findChallenged'>;
  method: AuthenticationMethod<GivenAssertion>;
  passkeys: Passkeys;
  settings: SettingReader;
  withUniformTiming: UniformTiming;
}): Route[] {
  const { authentication, method, passkeys, settings, withUniformTiming } = deps;

  /** Refuses a sign-in with the status that the clients of this installation expect. */
  const signingIn = <Result>(work: Promise<Result>) => refuseWith(readSignInStatus(settings), work);

  function requireOffered() {
    if (!settings.read(factorSettings).passkeys) throw factorErrors.disabled();
  }

  return [
    defineRoute({
      method: 'POST',
      path: '/api/TokenAuth/GetPasskeyOptions',
      summary: 'Begin a sign-in with a passkey, without a name.',
      access: 'public',
      limit: 'login',
      result: AssertionOptions,
      async handle() {
        requireOffered();
        return passkeys.beginSignIn();
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/TokenAuth/PasskeyAuthenticate',
      summary: 'Sign in with a passkey. A passkey that has verified its user is both factors.',
      access: 'public',
      limit: 'login',
      refusals: [401],
      body: Type.Object({ operationId: Uuid, credential: AssertionCredential }),
      result: AuthenticateResult,
      async handle({ input: { operationId, credential }, origin }) {
        const given = { purpose: 'sign-in', operationId: operationId.toLowerCase(), credential } as const;
        return toAuthenticateResult(
          await withUniformTiming(() => signingIn(authentication.signIn(method, given, origin))),
        );
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/TokenAuth/GetSecondFactorOptions',
      summary: 'Begin to complete a sign-in with one of the passkeys of the account.',
      access: 'public',
      refusals: [401],
      body: Type.Object({ challengeToken: Secret({ maxLength: 100 }) }),
      result: AssertionOptions,
      async handle({ input: { challengeToken } }) {
        requireOffered();
        const { id: accountId } = await signingIn(authentication.findChallenged(challengeToken));
        const begun = await passkeys.beginAssertion({ purpose: 'second-factor', accountId });
        if (!begun) throw factorErrors.invalid().withStatus(readSignInStatus(settings));
        return begun;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/TokenAuth/GetReauthenticationOptions',
      summary: 'Begin to authenticate again with one of your passkeys.',
      access: 'token',
      result: AssertionOptions,
      async handle({ caller: { accountId } }) {
        requireOffered();
        const begun = await passkeys.beginAssertion({ purpose: 'reauthenticate', accountId });
        // 400, because clients sign off at 401.
        if (!begun) throw factorErrors.invalid().withStatus(400);
        return begun;
      },
    }),
  ];
}
