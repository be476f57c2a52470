// What follows the first factor: the second factor, a new password, and the enrollment of a second factor, as required.
import type { Calls } from 'latchkey-sdk';
import { Suspense, useEffect, useState } from 'react';
import { Boundary, lazyComponent } from '../ui/part.ts';
import { openTarget, readAuthorization } from './after-sign-in.ts';
import { FailedPage } from './failed-page.tsx';
import { loadApplications } from './load-applications.ts';
import { type Remaining, remainingAfter } from './remaining.ts';

const AnswerApplication = lazyComponent(async () => (await loadApplications()).AnswerApplication);
const ChangePassword = lazyComponent(async () => (await import('./change-password.tsx')).ChangePassword);
const SecondFactor = lazyComponent(async () => (await import('./second-factor.tsx')).SecondFactor);
const RequiredEnrollment = lazyComponent(async () => (await import('./required-enrollment.tsx')).RequiredEnrollment);

/** Shows what remains, step by step. When nothing remains, it opens the requested page, or answers the application. */
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
  const isForApplication = readAuthorization() !== null;
  useEffect(() => {
    if (isOver && !isForApplication) void openTarget();
  }, [isOver, isForApplication]);
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
        ) : mustEnroll ? (
          <RequiredEnrollment password={password} onDone={onEnrolled} />
        ) : (
          isForApplication && <AnswerApplication password={password} />
        )}
      </Suspense>
    </Boundary>
  );
}
