// What follows the first factor: the second factor, a new password, and the enrollment of a second factor, as required.
import { type Calls, type Challenge, isChallenge } from 'latchkey-sdk';
import { Suspense, useEffect, useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { Boundary, lazyComponent } from '../ui/part.ts';
import { openTarget } from './after-sign-in.ts';
import { FailedPage } from './failed-page.tsx';

const ChangePassword = lazyComponent(async () => (await import('./change-password.tsx')).ChangePassword);
const SecondFactor = lazyComponent(async () => (await import('./second-factor.tsx')).SecondFactor);
const RequiredEnrollment = lazyComponent(async () => (await import('./required-enrollment.tsx')).RequiredEnrollment);

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

/** Shows what remains, step by step, and opens the requested page when nothing remains. */
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
  const onSignedIn = (result: Calls['TokenAuth/VerifySecondFactor']['result']) => setRemaining(remainingAfter(result));
  const onChanged = (changed: string) => {
    setPassword(changed);
    setRemaining({ ...remaining, mustChange: false });
  };
  const onEnrolled = () => setRemaining({ ...remaining, mustEnroll: false });
  return (
    // A reload would lose the challenge. Once there is a session, the page reads from it what remains.
    <Boundary fallback={(error, retry) => <FailedPage error={error} retry={challenge && retry} />}>
      <Suspense fallback={null}>
        {challenge ? (
          <SecondFactor challenge={challenge} name={props.name} onSignedIn={onSignedIn} />
        ) : mustChange ? (
          <ChangePassword current={password} onDone={onChanged} />
        ) : (
          mustEnroll && <RequiredEnrollment password={password} onDone={onEnrolled} />
        )}
      </Suspense>
    </Boundary>
  );
}
