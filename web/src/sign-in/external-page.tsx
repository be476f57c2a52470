// The redirect page of external providers: uses the response once, then signs in or links the provider.
import { Anchor, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import {
  type AuthorizationRequest,
  forgetUser,
  needsHybridFlow,
  type Proof,
  readProof,
  redirectByHybridFlow,
  takeRequest,
} from '../api/authorization-request.ts';
import { at } from '../api/base-path.ts';
import { keepSignedIn, latchkey } from '../api/latchkey.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { BackLinks } from './back-links.tsx';
import { CardPage } from './card-page.tsx';
import { FinishSignIn } from './finish-sign-in.tsx';
import { fragment } from './fragment.ts';
import { keepLastMethod } from './last-method.ts';
import { LinkProvider } from './link-provider.tsx';
import { type Remaining, readRemaining, remainingAfter } from './remaining.ts';

const request = takeRequest(fragment);
const proof = request && readProof(request, fragment);
const error = fragment.get('error') ?? '';

// Restore the query of the page that redirected: it holds the target, also after a reload.
if (request) history.replaceState(history.state, '', location.pathname + request.search);

export function ExternalPage() {
  if (!request) return <Nothing />;
  const { displayName, purpose } = request;
  const isLink = purpose === 'link';
  if (proof)
    return isLink ? (
      <LinkProvider proof={proof} displayName={displayName} />
    ) : (
      <SignIn proof={proof} request={request} />
    );
  const title = (isLink ? words.external.link : words.external).title(displayName);
  if (needsHybridFlow(request, error)) return <Redirect request={request} title={title} />;
  return (
    <CardPage title={title}>
      <Text role="status">{describeError(request)}</Text>
      {isLink ? (
        <Anchor size="sm" href={at('/app/account')}>
          {words.external.backToAccount}
        </Anchor>
      ) : (
        <BackLinks />
      )}
    </CardPage>
  );
}

/** A person cancelled: the code of RFC 6749 (4.1.2.1), and those of Apple and LinkedIn. */
const CANCELLED = ['access_denied', 'user_cancelled_authorize', 'user_cancelled_login'];

/** Says why the response holds no proof. Only an error code of the known form is shown: the address bar is untrusted. */
function describeError({ displayName, purpose, firstError }: AuthorizationRequest): string {
  if (CANCELLED.includes(error)) {
    if (purpose === 'again') return words.external.deniedAgain(displayName);
    return (purpose === 'link' ? words.external.link : words.external).denied(displayName);
  }
  if (!/^[a-z_]{1,60}$/.test(error)) return words.external.noProof(displayName);
  return words.external.failed(displayName, firstError ?? error);
}

/** Sends the person back to a provider that accepts the hybrid flow only. Nothing has to be entered twice there. */
function Redirect({ request, title }: { request: AuthorizationRequest; title: string }) {
  const { submit, problem } = useSubmit(() => redirectByHybridFlow(request, error));
  useEffect(() => void submit(), [submit]);
  return (
    <CardPage title={title}>
      {!problem && <Text role="status">{words.common.loading}</Text>}
      <ProblemNotice problem={problem} />
      {problem && <BackLinks />}
    </CardPage>
  );
}

function SignIn({ proof, request }: { proof: Proof; request: AuthorizationRequest }) {
  const [end, setEnd] = useState<'waiting' | Remaining>();
  const { submit, problem } = useSubmit(async () => {
    if (request.purpose === 'again') {
      await latchkey.reauthenticate('request' in proof ? { externalResponse: proof } : { externalAccess: proof });
      return setEnd(await readRemaining());
    }
    keepSignedIn(request.isPersistent);
    const result =
      'request' in proof
        ? await latchkey.call('TokenAuth/ExternalAuthenticateByCode', proof)
        : await latchkey.call('TokenAuth/ExternalAuthenticateAsync', proof);
    forgetUser();
    keepLastMethod(`provider:${proof.authProvider}`);
    setEnd(result.waitingForActivation ? 'waiting' : remainingAfter(result));
  });
  useEffect(() => void submit(), [submit]);
  if (end !== undefined && end !== 'waiting') return <FinishSignIn remaining={end} />;
  const isOver = end === 'waiting' || problem !== undefined;
  return (
    <CardPage title={words.external.title(request.displayName)}>
      {!problem && <Text role="status">{isOver ? words.external.waiting : words.external.checking}</Text>}
      <ProblemNotice problem={problem} />
      {isOver && <BackLinks />}
    </CardPage>
  );
}

/** The page without a response to this tab, such as after a reload. */
function Nothing() {
  const [remaining, setRemaining] = useState<Remaining>();
  const { submit, isBusy } = useSubmit(async () => {
    if (latchkey.isSignedIn) setRemaining(await readRemaining());
  });
  useEffect(() => void submit(), [submit]);
  if (remaining) return <FinishSignIn remaining={remaining} />;
  return (
    <CardPage title={words.signIn.title}>
      {!isBusy && <Text role="status">{words.external.nothing}</Text>}
      <BackLinks />
    </CardPage>
  );
}
