// The second factor that an application asks of a person who is signed in: confirmed, or set up first.
import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { confirmFactor, readMine } from '../factors/guarded-form.tsx';
import { SecondFactorForm } from '../factors/second-factor-form.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useLoad } from '../ui/use-load.ts';
import { words } from '../words/index.ts';
import { applicationTexts } from './application-texts.ts';
import { CardPage } from './card-page.tsx';
import { RequiredEnrollment } from './required-enrollment.tsx';

/**
 * Asks for a second factor of mine, or to set one up.
 * @param props.password as for {@link RequiredEnrollment}.
 * @param props.children the way back to the application.
 */
export function RaiseSession(props: {
  application: string;
  password: string;
  onDone: () => void;
  children: ReactNode;
}) {
  const { application, password, onDone, children } = props;
  const mine = useLoad(readMine);
  if (mine.state === 'loaded' && mine.value.length === 0) {
    return (
      <RequiredEnrollment password={password} onDone={onDone}>
        {children}
      </RequiredEnrollment>
    );
  }
  return (
    <CardPage title={words.factors.challenge.title}>
      <Text>{applicationTexts().authorization.level(application)}</Text>
      {mine.state === 'loading' && <Text role="status">{words.common.loading}</Text>}
      {mine.state === 'failed' && (
        <>
          <ProblemNotice problem={mine.problem} />
          <Button variant="default" onClick={mine.retry}>
            {words.common.retry}
          </Button>
        </>
      )}
      {mine.state === 'loaded' && (
        <SecondFactorForm
          has={mine.value}
          submitsItself
          verify={async (provider, code) => {
            await confirmFactor(provider, code);
            onDone();
          }}
        />
      )}
      {children}
    </CardPage>
  );
}
