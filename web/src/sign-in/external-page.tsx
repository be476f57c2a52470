// Back from an external provider: the answer is used once, and leads on to where the trip began.
import { Anchor, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { chooseStaying, latchkey } from '../api/latchkey.ts';
import { endTrip, type Proof, readProof } from '../api/provider-trip.ts';
import { CardPage } from '../ui/card-page.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { goOn, mustChangePassword } from './after-sign-in.ts';
import { ChangePassword } from './change-password.tsx';
import { fragment } from './fragment.ts';
import { LinkProvider } from './link-provider.tsx';
import { WaysBack } from './ways-back.tsx';

const trip = endTrip(fragment);
const proof = trip && readProof(trip, fragment);

// The address becomes like that of the page that was left: it says where to go on, also when it is loaded again.
if (trip) history.replaceState(history.state, '', location.pathname + trip.search);

export function ExternalPage() {
  if (!trip) return <Nothing />;
  const { provider, purpose } = trip;
  const isLink = purpose === 'link';
  if (proof) return isLink ? <LinkProvider proof={proof} /> : <SignIn proof={proof} isStaying={trip.isStaying} />;
  const isDenied = fragment.get('error') === 'access_denied';
  const denied = isLink ? words.external.link.denied : words.external.denied;
  return (
    <CardPage title={(isLink ? words.external.link : words.external).title(provider)}>
      <Text role="status">{(isDenied ? denied : words.external.noProof)(provider)}</Text>
      {isLink ? (
        <Anchor size="sm" href="/app">
          {words.external.backToAccount}
        </Anchor>
      ) : (
        <WaysBack />
      )}
    </CardPage>
  );
}

function SignIn({ proof, isStaying }: { proof: Proof; isStaying: boolean }) {
  const [end, setEnd] = useState<'waiting' | 'mustChange'>();
  const { submit, problem } = useSubmit(async () => {
    chooseStaying(isStaying);
    const result = await latchkey.call('TokenAuth/ExternalAuthenticateAsync', proof);
    if (result.waitingForActivation) setEnd('waiting');
    else if (result.requiredChangePassword) setEnd('mustChange');
    else goOn();
  });
  useEffect(() => void submit(), [submit]);
  if (end === 'mustChange') return <ChangePassword current="" onDone={goOn} />;
  const isOver = end === 'waiting' || problem !== undefined;
  return (
    <CardPage title={words.external.title(proof.authProvider)}>
      {!problem && <Text role="status">{isOver ? words.external.waiting : words.external.checking}</Text>}
      <ProblemNotice problem={problem} />
      {isOver && <WaysBack />}
    </CardPage>
  );
}

/** Loaded again, or opened by something else than an answer to this tab. */
function Nothing() {
  const [mustChange, setMustChange] = useState(false);
  const { submit, isBusy } = useSubmit(async () => {
    if (!latchkey.isSignedIn) return;
    if (await mustChangePassword()) setMustChange(true);
    else goOn();
  });
  useEffect(() => void submit(), [submit]);
  if (mustChange) return <ChangePassword current="" onDone={goOn} />;
  return (
    <CardPage title={words.signIn.title}>
      {!isBusy && <Text role="status">{words.external.nothing}</Text>}
      <WaysBack />
    </CardPage>
  );
}
