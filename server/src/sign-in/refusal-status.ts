// The status of a refused sign-in: 401, or 400 for clients that reload their page at every 401.
import type { Authentication } from '../authentication/index.ts';
import { AuthError } from '../foundation/errors.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { compatibilitySetting } from '../settings/index.ts';

type SignIns = Pick<Authentication, 'signIn' | 'answerChallenge' | 'findChallenged'>;

/** Returns the flow of sign-ins, which refuses with the status that the clients of this installation expect. */
export function withRefusalStatus(authentication: SignIns, settings: SettingReader): SignIns {
  async function restate<Result>(signingIn: Promise<Result>): Promise<Result> {
    try {
      return await signingIn;
    } catch (error) {
      if (!(error instanceof AuthError) || error.status !== 401) throw error;
      throw error.withStatus(settings.read(compatibilitySetting).refusedSignInStatus);
    }
  }
  return {
    signIn: (...args) => restate(authentication.signIn(...args)),
    answerChallenge: (...args) => restate(authentication.answerChallenge(...args)),
    findChallenged: (...args) => restate(authentication.findChallenged(...args)),
  };
}
