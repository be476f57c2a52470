// The service's own tokens: the application asks for the credentials, and calls the API as a front end does.
import { send, type Transport } from '../call.ts';
import { type Challenge, isChallenge } from '../challenge.ts';
import { hasNoUser, hasToken, isTokenRefusal } from '../results.ts';
import type { Credentials } from './interface.ts';
import type { Held, Origin, Tokens } from './tokens.ts';

export interface OwnTokens extends Tokens {
  /** @throws LatchkeyError */
  signIn(credentials: Credentials, origin: Origin): Promise<Held | Challenge>;
}

export function createOwnTokens(transport: Transport): OwnTokens {
  const from = (headers: Origin): Transport => ({ ...transport, headers });
  return {
    outliveToken: false,
    async signIn(credentials, origin) {
      const { call, input } =
        'call' in credentials ? credentials : { call: 'TokenAuth/Authenticate' as const, input: credentials };
      const result = await send(from(origin), call, input, undefined);
      if (hasToken(result)) return { token: result.accessToken };
      if (isChallenge(result))
        return { challengeToken: result.challengeToken, twoFactorAuthProviders: result.twoFactorAuthProviders };
      throw new Error(`${call} has signed nobody in.`);
    },
    async refresh({ token }, origin) {
      try {
        const { accessToken } = await send(from(origin), 'TokenAuth/RefreshTokenAsync', {}, token);
        return { token: accessToken };
      } catch (error) {
        if (isTokenRefusal(error)) return undefined;
        throw error;
      }
    },
    async isOpen({ token }, origin) {
      return !hasNoUser(await send(from(origin), 'Session/GetCurrentLoginInfo', {}, token));
    },
    async end({ token }, origin) {
      await send(from(origin), 'TokenAuth/SignOff', {}, token).catch((error) => {
        if (!isTokenRefusal(error)) throw error;
      });
    },
  };
}
