// The pages of a sign-out that an application has asked for: the question, and what is said afterwards.
import { Anchor, Button, Text } from '@mantine/core';
import { isLatchkeyError } from 'latchkey-sdk';
import { useState } from 'react';
import { at, pagePath } from '../api/base-path.ts';
import { latchkey } from '../api/latchkey.ts';
import { signOff } from '../api/sign-off.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useLoad } from '../ui/use-load.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { withTarget } from './after-sign-in.ts';
import { applicationTexts } from './application-texts.ts';
import { CardPage } from './card-page.tsx';
import { ToldAfterSignOut } from './told-after-sign-out.tsx';

/** Returns who is signed in with the token of this page. A token of a session that has ended is dropped. */
const readUser = async () => (await latchkey.call('Session/GetCurrentLoginInfo')).user;

/** The question, or at `/signed-out` what is said after it. */
export const SignOutPage = () => (pagePath() === '/signed-out' ? <SignedOut /> : <Question />);

/** It does not repeat the name of the application: the address bar is untrusted. */
function Question() {
  const texts = applicationTexts().signOut;
  const [isOver, setOver] = useState(false);
  const { submit, isBusy, problem } = useSubmit(async () => {
    const question = new URLSearchParams(location.search).get('question') ?? '';
    try {
      const { redirectTo } = await latchkey.call('Authorization/EndSession', { question });
      await readUser().catch(() => {});
      location.replace(redirectTo);
    } catch (error) {
      if (!isLatchkeyError(error) || (error.status !== 404 && error.status !== 400)) throw error;
      setOver(true);
    }
  });
  return (
    <CardPage title={texts.title}>
      <Text role="status">{isOver ? texts.over : texts.text}</Text>
      <ProblemNotice problem={problem} />
      {!isOver && (
        <Button onClick={submit} loading={isBusy} fullWidth>
          {texts.submit}
        </Button>
      )}
      <Anchor size="sm" href={at('/app')}>
        {isOver ? words.external.backToAccount : texts.stay}
      </Anchor>
    </CardPage>
  );
}

function SignedOut() {
  const texts = applicationTexts().signOut;
  const user = useLoad(readUser);
  const query = new URLSearchParams(location.search);
  const receipt = query.get('receipt');
  const [isDone, setDone] = useState(false);
  const { submit, isBusy } = useSubmit(async () => {
    const path = await signOff();
    if (path) location.replace(path);
    else setDone(true);
  });
  if (user.state === 'loading') return null;
  // A token that the service refused is dropped: then nobody is signed in here.
  if (user.state === 'failed' && latchkey.isSignedIn && !isDone) {
    return (
      <CardPage title={texts.title}>
        <ProblemNotice problem={user.problem} />
        <Button variant="default" onClick={user.retry}>
          {words.common.retry}
        </Button>
      </CardPage>
    );
  }
  const present = isDone || user.state === 'failed' ? null : user.value;
  const { title, text } =
    !isDone && query.get('end') === 'unheard' ? texts.unheard : { title: texts.done, text: texts.doneText };
  return (
    <CardPage title={present ? texts.title : title}>
      <Text role="status">{present ? texts.still(present.userName) : text}</Text>
      {receipt !== null && <ToldAfterSignOut receipt={receipt} />}
      {present ? (
        <Button onClick={submit} loading={isBusy} fullWidth>
          {texts.submit}
        </Button>
      ) : (
        <Anchor size="sm" href={withTarget('/login')}>
          {words.signIn.submit}
        </Anchor>
      )}
    </CardPage>
  );
}
