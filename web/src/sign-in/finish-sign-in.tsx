// What follows the first factor: the second factor, a new password, and the enrollment of a second factor, as required.
import { type Calls, type Challenge, isChallenge } from 'latchkey-sdk';
import { lazy, useEffect, useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { openTarget } from './after-sign-in.ts';

const ChangePassword = lazy(async () => ({ default: (await import('./change-password.tsx')).ChangePassword }));
const SecondFactor = lazy(async () => ({ default: (await import('./second-factor.tsx')).SecondFactor }));
const RequiredEnrollment = lazy(async () => ({
  default: (await import('./required-enrollment.tsx')).RequiredEnrollment,
}));

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

/** Opens the requested page when nothing remains. */
export function FinishSignIn(props: {
  remaining: Remaining;
  /** The password of the sign-in. Absent after a sign-in without one. */
  password?: string;
  /** The name that the password was for. The second factor can then be remembered for it on this device. */
  name?: string;
}) {
  const [remaining, setRemaining] = useState(props.remaining);
  const [password, setPassword] = useState(props.password ?? '');
  const { challenge, mustChange, mustEnroll } = remaining;
  const isOver = !challenge && !mustChange && !mustEnroll;
  useEffect(() => {
    if (isOver) openTarget();
  }, [isOver]);
  if (challenge) {
    const onSignedIn = (result: Calls['TokenAuth/VerifySecondFactor']['result']) =>
      setRemaining(remainingAfter(result));
    return <SecondFactor challenge={challenge} name={props.name} onSignedIn={onSignedIn} />;
  }
  if (mustChange) {
    const onDone = (changed: string) => {
      setPassword(changed);
      setRemaining({ ...remaining, mustChange: false });
    };
    return <ChangePassword current={password} onDone={onDone} />;
  }
  if (mustEnroll) {
    return <RequiredEnrollment password={password} onDone={() => setRemaining({ ...remaining, mustEnroll: false })} />;
  }
  return null;
}
