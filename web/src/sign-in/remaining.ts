// What remains of a sign-in after the first factor.
import { type Calls, type Challenge, isChallenge } from 'latchkey-sdk';
import { latchkey } from '../api/latchkey.ts';

/** What the user must still do, in this order. */
export type Remaining = {
  readonly challenge: Challenge | undefined;
  readonly mustChange: boolean;
  readonly mustEnroll: boolean;
};

/** Returns what remains after a sign-in. */
export const remainingAfter = (result: Calls['TokenAuth/Authenticate']['result']): Remaining => ({
  challenge: isChallenge(result) ? result : undefined,
  mustChange: result.requiredChangePassword,
  mustEnroll: result.requiredFactorEnrollment ?? false,
});

/** Returns what remains in the session that is open, or `undefined` if the service has ended it. */
export async function readRemaining(): Promise<Remaining | undefined> {
  const { user } = await latchkey.call('Session/GetCurrentLoginInfo');
  if (!user) return undefined;
  const { requireChangePassword: mustChange = false, requireFactorEnrollment: mustEnroll = false } = user;
  return { challenge: undefined, mustChange, mustEnroll };
}
