// The buttons of the providers that have a sign-in page.
import { useState } from 'react';
import { canRedirect, redirectToProvider } from '../api/authorization-request.ts';
import { latchkey } from '../api/latchkey.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useLoad } from '../ui/use-load.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { WideButton } from '../ui/wide-button.tsx';
import { words } from '../words/index.ts';

const readProviders = async () => (await latchkey.call('ExternalLogin/GetSignInPages')).items;

/** Shows nothing until the providers are loaded. @param props.isPersistent whether the sign-in outlives the browser. */
export function ProviderButtons({ isPersistent }: { isPersistent: boolean }) {
  const providers = useLoad(readProviders);
  const [chosen, setChosen] = useState<string>();
  const { submit, isBusy, problem } = useSubmit(async (name: string) => {
    setChosen(name);
    await redirectToProvider(name, 'signIn', isPersistent);
  });
  if (providers.state !== 'loaded' || !canRedirect) return null;
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
