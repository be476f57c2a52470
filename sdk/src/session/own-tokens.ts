// The service's own tokens: the application asks for the credentials, and calls the API as a front end does.
import { send, type Transport } from '../call.ts';
import type { Calls } from '../calls.ts';
import { type Challenge, isChallenge } from '../challenge.ts';
import { hasToken, isRestricted, isTokenRefusal } from '../results.ts';
import { throwRedirect } from '../service-url.ts';
import { type Credentials, SessionRefused } from './interface.ts';
import { CALL_MS, EXCHANGE_MS, type Held, type Origin, type Tokens } from './tokens.ts';

export interface OwnTokens extends Tokens {
  /**
   * @param device the secret of the trusted device that the browser is.
   * @returns the tokens, and the secret of a device that is trusted from now on.
   * @throws LatchkeyError @throws SessionRefused if the session may only change the password or enroll a second factor, or the account waits
   *   for an administrator.
   */
  signIn(
    credentials: Credentials,
    device: string | undefined,
    origin: Origin,
  ): Promise<{ readonly held: Held; readonly device: string | undefined } | Challenge>;
}

/** @param now tells the time of this application, in milliseconds since 1970. */
export function createOwnTokens(transport: Transport, now: () => number): OwnTokens {
  const from = (headers: Origin): Transport => ({ ...transport, headers });
  const call = <Name extends keyof Calls>(name: Name, { token }: Held, origin: Origin, milliseconds = CALL_MS) =>
    send(from(origin), name, {}, token, AbortSignal.timeout(milliseconds)).catch(throwRedirect);
  async function end(held: Held, origin: Origin): Promise<void> {
    await call('TokenAuth/SignOff', held, origin).catch((error) => {
      if (!isTokenRefusal(error)) throw error;
    });
  }
  return {
    outliveToken: false,
    async signIn(credentials, device, origin) {
      const { call: name, input } =
        'call' in credentials ? credentials : { call: 'TokenAuth/Authenticate' as const, input: credentials };
      const known =
        name === 'TokenAuth/Authenticate' && device !== undefined
          ? { twoFactorRememberClientToken: device, ...input }
          : input;
      // Without a limit: the service checks a password when it is its turn.
      const result = await send(from(origin), name, known, undefined).catch(throwRedirect);
      if (hasToken(result)) {
        const held = { token: result.accessToken, receivedAt: now() };
        if (!isRestricted(result)) return { held, device: result.twoFactorRememberClientToken };
        await end(held, origin).catch(() => undefined);
        throw new SessionRefused(
          'change_required',
          'Change the password or set up the second factor first, on the pages of the service.',
        );
      }
      if (isChallenge(result))
        return { challengeToken: result.challengeToken, twoFactorAuthProviders: result.twoFactorAuthProviders };
      if ('waitingForActivation' in result && result.waitingForActivation)
        throw new SessionRefused('activation_required', 'An administrator must activate the account first.');
      throw new Error(`${name} has signed nobody in.`);
    },
    async refresh(held, origin) {
      try {
        const { accessToken } = await call('TokenAuth/RefreshTokenAsync', held, origin, EXCHANGE_MS);
        return { token: accessToken, receivedAt: now() };
      } catch (error) {
        if (isTokenRefusal(error)) return undefined;
        throw error;
      }
    },
    async isOpen(held, origin) {
      const { user } = await call('Session/GetCurrentLoginInfo', held, origin);
      return user !== null && !user.requireChangePassword && !user.requireFactorEnrollment;
    },
    end,
  };
}
