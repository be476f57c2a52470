// The buttons of the providers that have a sign-in page.
import { useState } from 'react';
import { canRedirect } from '../api/authorization-request-key.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { MethodButton } from './method-button.tsx';
import { ProviderIcon } from './method-icons.tsx';
import type { Provider } from './offers.ts';

/** @param props.isPersistent whether the sign-in outlives the browser. */
export function ProviderButtons(props: { providers: readonly Provider[]; isPersistent: boolean }) {
  const { providers, isPersistent } = props;
  const [chosen, setChosen] = useState<string>();
  const { submit, isBusy, problem } = useSubmit(async (name: string) => {
    setChosen(name);
    // Loaded here: most sign-ins use no provider.
    const { redirectToProvider } = await import('../api/authorization-request.ts');
    await redirectToProvider(name, 'signIn', isPersistent);
  });
  if (!canRedirect) return null;
  return (
    <>
      {providers.map(({ name, displayName, icon }) => (
        <MethodButton
          key={name}
          method={`provider:${name}`}
          icon={<ProviderIcon icon={icon} />}
          loading={isBusy && chosen === name}
          disabled={isBusy && chosen !== name}
          onClick={() => submit(name)}
        >
          {words.external.continueWith(displayName)}
        </MethodButton>
      ))}
      <ProblemNotice problem={problem} />
    </>
  );
}
