// The result of a sign-in that needs a second factor.
import type { Calls } from './calls.ts';

type SignInResult = Calls['TokenAuth/Authenticate']['result'];

/** A second factor of an account, as `TokenAuth/VerifySecondFactor` names it. */
export type FactorProvider = Calls['TokenAuth/VerifySecondFactor']['input']['provider'];

/** A sign-in without a token: `TokenAuth/VerifySecondFactor` completes it with one of the providers, within 5 minutes. */
export type Challenge = {
  readonly challengeToken: string;
  readonly twoFactorAuthProviders: readonly FactorProvider[];
};

/** Whether a sign-in needs a second factor. */
export const isChallenge = <Result extends SignInResult>(result: Result): result is Result & Challenge =>
  result.requiresTwoFactorVerification;
