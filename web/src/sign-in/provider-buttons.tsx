// The buttons of the providers that have a sign-in page.
import { useState } from 'react';
import { canRedirect } from '../api/authorization-request-key.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { ProviderIcon } from '../ui/provider-icon.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { MethodButton } from './method-button.tsx';
import type { Provider } from './offers.ts';

/** @param props.isPersistent whether the sign-in outlives the browser. `again`: it renews the session that there is. */
export function ProviderButtons(props: { providers: readonly Provider[]; isPersistent: boolean; again?: boolean }) {
  const { providers, isPersistent, again = false } = props;
  const [chosen, setChosen] = useState<string>();
  const { submit, isBusy, problem } = useSubmit(async (provider: Provider) => {
    setChosen(provider.name);
    // Loaded here: most sign-ins use no provider.
    const { redirectToProvider } = await import('../api/authorization-request.ts');
    await redirectToProvider(provider, again ? 'again' : 'signIn', isPersistent);
  });
  if (!canRedirect) return null;
  return (
    <>
      {providers.map((provider) => (
        <MethodButton
          key={provider.name}
          method={`provider:${provider.name}`}
          icon={<ProviderIcon icon={provider.icon} />}
          loading={isBusy && chosen === provider.name}
          disabled={isBusy && chosen !== provider.name}
          onClick={() => submit(provider)}
        >
          {words.external.continueWith(provider.displayName)}
        </MethodButton>
      ))}
      <ProblemNotice problem={problem} />
    </>
  );
}
