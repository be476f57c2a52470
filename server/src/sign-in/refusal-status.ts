// The status of a refused sign-in: 401, or 400 for clients that reload their page at every 401.
import type { Authentication } from '../authentication/index.ts';
import { AuthError } from '../foundation/errors.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { compatibilitySetting } from '../settings/index.ts';

/** Returns the flow of sign-ins, which refuses with the status that the clients of this installation expect. */
export function withRefusalStatus(
  authentication: Pick<Authentication, 'signIn'>,
  settings: SettingReader,
): Pick<Authentication, 'signIn'> {
  return {
    async signIn(method, given, origin) {
      try {
        return await authentication.signIn(method, given, origin);
      } catch (error) {
        if (!(error instanceof AuthError) || error.status !== 401) throw error;
        throw error.withStatus(settings.read(compatibilitySetting).refusedSignInStatus);
      }
    },
  };
}
