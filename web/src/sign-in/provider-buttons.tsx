// A button for each provider that has a page to sign in at.
import { useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { leaveFor, mayLeave } from '../api/provider-trip.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useLoad } from '../ui/use-load.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { WideButton } from '../ui/wide-button.tsx';
import { words } from '../words/index.ts';

const readProviders = async () => (await latchkey.call('ExternalLogin/GetSignInPages')).items;

/** Nothing while they are not known: the other ways are there. @param props.isStaying whether the sign-in outlives the browser. */
export function ProviderButtons({ isStaying }: { isStaying: boolean }) {
  const providers = useLoad(readProviders);
  const [chosen, setChosen] = useState<string>();
  const { submit, isBusy, problem } = useSubmit(async (name: string) => {
    setChosen(name);
    await leaveFor(name, 'signIn', isStaying);
  });
  if (providers.state !== 'loaded' || !mayLeave) return null;
  return (
    <>
      {providers.value.map(({ name }) => (
        <WideButton
          key={name}
          loading={isBusy && chosen === name}
          disabled={isBusy && chosen !== name}
          onClick={() => submit(name)}
        >
          {words.external.continueWith(name)}
        </WideButton>
      ))}
      <ProblemNotice problem={problem} />
    </>
  );
}
