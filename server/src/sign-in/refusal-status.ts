// The status of a refused sign-in: 401, or 400 for clients that reload their page at every 401.
import type { Authentication } from '../authentication/index.ts';
import { AuthError } from '../foundation/errors.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { compatibilitySetting } from '../settings/index.ts';

type SignIns = Pick<Authentication, 'signIn' | 'answerChallenge' | 'findChallenged'>;

export type SignInsWithStatus = SignIns & {
  /** Returns the refusal of a sign-in with the status that the clients of this installation expect. */
  withConfiguredStatus(refusal: AuthError): AuthError;
};

/** Returns the flow of sign-ins, which refuses with the status that the clients of this installation expect. */
export function withRefusalStatus(authentication: SignIns, settings: SettingReader): SignInsWithStatus {
  const withConfiguredStatus = (refusal: AuthError) =>
    refusal.withStatus(settings.read(compatibilitySetting).refusedSignInStatus);
  async function run<Result>(signingIn: Promise<Result>): Promise<Result> {
    try {
      return await signingIn;
    } catch (error) {
      throw error instanceof AuthError && error.status === 401 ? withConfiguredStatus(error) : error;
    }
  }
  return {
    signIn: (...args) => run(authentication.signIn(...args)),
    answerChallenge: (...args) => run(authentication.answerChallenge(...args)),
    findChallenged: (...args) => run(authentication.findChallenged(...args)),
    withConfiguredStatus,
  };
}
