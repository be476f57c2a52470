// Sign-in with a passkey, without a name: by a button, and in the autofill of the name field.

import { type Calls, isLatchkeyError } from 'latchkey-sdk';
import { useEffect, useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import {
  askForPasskey,
  awaitAutofill,
  canAutofillPasskeys,
  cancelPasskey,
  type UsedPasskey,
} from '../factors/passkeys.ts';
import { InputError } from '../ui/problem.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { MethodButton } from './method-button.tsx';
import { PasskeyIcon } from './method-icons.tsx';

type Result = Calls['TokenAuth/PasskeyAuthenticate']['result'];

/** The service forgets an operation after five minutes. */
const RENEW_MS = 240_000;

/** @param props.signIn makes the given call as the sign-in of this page. */
export function PasskeySignIn({ signIn }: { signIn: (call: () => Promise<Result>) => Promise<void> }) {
  const authenticate = (passkey: UsedPasskey) =>
    signIn(() => latchkey.call('TokenAuth/PasskeyAuthenticate', passkey)).catch(describeRefusal);
  const { submit, isBusy, problem } = useSubmit(async (chosen?: UsedPasskey) =>
    authenticate(chosen ?? (await askForPasskey(await latchkey.call('TokenAuth/GetPasskeyOptions')))),
  );
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (isBusy) return;
    let isOver = false;
    const offer = async () => {
      if (!(await canAutofillPasskeys())) return;
      const begun = await latchkey.call('TokenAuth/GetPasskeyOptions');
      const chosen = isOver ? undefined : await awaitAutofill(begun);
      if (chosen) await submit(chosen);
    };
    offer().catch(() => {});
    // Each round uses up the sign-in limit of the address: a page that nobody sees begins none.
    const renew = () => {
      if (!document.hidden) setRound(round + 1);
    };
    const timer = setTimeout(() => {
      document.addEventListener('visibilitychange', renew);
      renew();
    }, RENEW_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', renew);
      cancelPasskey();
    };
  }, [submit, isBusy, round]);
  return (
    <>
      <MethodButton method="passkey" icon={<PasskeyIcon />} loading={isBusy} onClick={() => submit()}>
        {words.factors.passkey.signIn}
      </MethodButton>
      <ProblemNotice problem={problem} />
    </>
  );
}

/** The service's own text is about second factors. */
function describeRefusal(error: unknown): never {
  if (isLatchkeyError(error, 'factor.invalid')) throw new InputError({ passkey: words.factors.passkey.refused });
  throw error;
}
