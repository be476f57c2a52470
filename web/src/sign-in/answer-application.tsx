// The end of a sign-in to an application: the service answers it, or the person does first what it asks for.
import { Anchor, Button, Group, Text } from '@mantine/core';
import { isLatchkeyError } from 'latchkey-sdk';
import { Suspense, use, useEffect, useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { lazyComponent } from '../ui/part.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { translate, words } from '../words/index.ts';
import { readAuthorization } from './after-sign-in.ts';
import { findApplicationRequest, RequestEnded } from './application-request.tsx';
import { applicationTexts } from './application-texts.ts';
import { CardPage } from './card-page.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { SignOutLink } from './sign-out-link.tsx';
import { useSessionEnd } from './use-session-end.ts';

const RaiseSession = lazyComponent(async () => (await import('./raise-session.tsx')).RaiseSession);

/** What the page shows. `left`: the browser is on its way to this address. */
type Step =
  | { readonly is: 'left'; readonly to: string }
  | { readonly is: 'consent'; readonly scopes: readonly string[]; readonly user: string; readonly userId?: number }
  | { readonly is: 'denied' | 'loginRequired'; readonly user: string }
  | { readonly is: 'levelRequired' | 'ended' | 'allowed' | 'refused' };

const readUser = async () => (await latchkey.call('Session/GetCurrentLoginInfo')).user;
const readUserName = async () => (await readUser())?.userName ?? '';

/**
 * @param consent whether the person shares what was asked. Absent: not asked yet.
 * @param userId whom the page showed when it asked. Another tab may have signed in somebody else since.
 */
async function proceed(authorization: string, consent?: boolean, userId?: number): Promise<Step> {
  const answer = {
    authorization,
    staySignedIn: latchkey.tokenPlace === 'local',
    ...(consent !== undefined && { consent }),
    ...(userId !== undefined && { userId }),
  };
  try {
    const { redirectTo, consentNeeded } = await latchkey.call('Authorization/Continue', answer);
    if (consentNeeded) {
      const user = await readUser();
      return {
        is: 'consent',
        scopes: consentNeeded.scopes,
        user: user?.userName ?? '',
        ...(user && { userId: user.id }),
      };
    }
    if (!redirectTo) return { is: consent === false ? 'refused' : 'allowed' };
    // Going back does not lead to a request that is answered.
    location.replace(redirectTo);
    return { is: 'left', to: redirectTo };
  } catch (error) {
    if (isLatchkeyError(error, 'authorization.notFound')) return { is: 'ended' };
    if (isLatchkeyError(error, 'authorization.denied')) return { is: 'denied', user: await readUserName() };
    if (isLatchkeyError(error, 'authorization.loginRequired')) {
      return { is: 'loginRequired', user: await readUserName() };
    }
    if (isLatchkeyError(error, 'authorization.levelRequired')) return { is: 'levelRequired' };
    throw error;
  }
}

/** @param props.password the password of the sign-in a moment ago, or ''. */
export function AnswerApplication({ password }: { password: string }) {
  const request = use(findApplicationRequest());
  const [step, setStep] = useState<Step>();
  const { submit, isBusy, problem } = useSubmit(async (consent?: boolean) => {
    // What was asked for before begins anew if it is asked for again.
    if (consent === undefined) setStep(undefined);
    const userId = step?.is === 'consent' ? step.userId : undefined;
    setStep(await proceed(readAuthorization() ?? '', consent, userId));
  });
  useEffect(() => void submit(), [submit]);
  useSessionEnd();
  if (!request || step?.is === 'ended') return <RequestEnded />;
  const { name } = request.application;
  const { authorization: texts, device } = applicationTexts();
  switch (step?.is) {
    case 'loginRequired':
      return <SignInAgain application={name} user={step.user} onDone={() => submit()} />;
    case 'levelRequired':
      return (
        <Suspense fallback={null}>
          <RaiseSession application={name} password={password} onDone={() => submit()}>
            <ProblemNotice problem={problem} />
            <Button variant="default" loading={isBusy} onClick={() => submit(false)}>
              {texts.back(name)}
            </Button>
          </RaiseSession>
        </Suspense>
      );
    case 'allowed':
    case 'refused':
      return (
        <CardPage title={device[step.is].title}>
          <Text role="status">{device[step.is].text}</Text>
        </CardPage>
      );
    case 'denied':
      return (
        <CardPage title={texts.denied.title(name)}>
          <Text role="status">{texts.denied.text}</Text>
          <ProblemNotice problem={problem} />
          <Button loading={isBusy} onClick={() => submit(false)}>
            {texts.back(name)}
          </Button>
          <OtherAccount user={step.user} />
        </CardPage>
      );
    case 'consent':
      return (
        <CardPage title={texts.consent.title(name)}>
          <Consent application={name} scopes={step.scopes} />
          <ProblemNotice problem={problem} />
          <Group grow>
            <Button variant="default" disabled={isBusy} onClick={() => submit(false)}>
              {texts.consent.refuse}
            </Button>
            <Button loading={isBusy} onClick={() => submit(true)}>
              {texts.consent.allow}
            </Button>
          </Group>
          <OtherAccount user={step.user} />
        </CardPage>
      );
    default:
      return (
        <CardPage title={texts.title(name)}>
          {!problem && <Text role="status">{texts.continuing(name)}</Text>}
          <ProblemNotice problem={problem} />
          {problem && <Button onClick={() => submit()}>{words.common.retry}</Button>}
          {/* An application that is no page does not replace this one. */}
          {step?.is === 'left' && <Anchor href={step.to}>{texts.back(name)}</Anchor>}
        </CardPage>
      );
  }
}

function Consent({ application, scopes }: { application: string; scopes: readonly string[] }) {
  const texts = applicationTexts().authorization.consent;
  return (
    <>
      <Text>{texts.text(application)}</Text>
      <ul style={{ margin: 0 }}>
        {scopes.map((scope) => (
          <li key={scope}>{translate(texts.scopes, scope)}</li>
        ))}
      </ul>
      <Text size="sm">{texts.later}</Text>
    </>
  );
}

function OtherAccount({ user }: { user: string }) {
  const texts = applicationTexts().authorization;
  return (
    <Group justify="space-between">
      <Text size="sm">{texts.signedInAs(user)}</Text>
      <SignOutLink>{texts.other}</SignOutLink>
    </Group>
  );
}
