// The choice of the method to reset a forgotten password.
import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { WideButton } from '../ui/wide-button.tsx';
import { words } from '../words/index.ts';
import type { Question } from './answer-questions.tsx';
import { BackLinks } from './back-links.tsx';
import { CardPage } from './card-page.tsx';
import { type Kept, keepMessage, orKeptMessage } from './kept-message.ts';

/** A method, by number: 2 link, 4 SMS, 8 security questions. */
export type ResetOption = { readonly method: number; readonly maskedIdentifier: string | null };

const labels: Readonly<Record<number, (to: string) => string>> = {
  2: (to) => words.forgot.methods.link(to),
  4: (to) => words.forgot.methods.sms(to),
  8: () => words.forgot.methods.questions,
};

/** What follows the choice of a method. */
export type Begun =
  | { readonly is: 'code'; readonly sent: Kept }
  | { readonly is: 'questions'; readonly questions: readonly Question[] };

/** Sends the message of a method, or reads the questions to answer. */
export async function beginReset(username: string, method: number): Promise<Begun> {
  if (method === 8)
    return { is: 'questions', questions: await latchkey.call('User/GetSecurityQuestions', { username }) };
  const sending = latchkey.call(method === 4 ? 'User/SendSmsOtp' : 'User/SendEmailLink', { username });
  const detail = method === 4 ? '4' : '2';
  const send = async () => {
    await sending;
    return keepMessage('reset', { name: username, operationId: '', detail });
  };
  return { is: 'code', sent: await send().catch(orKeptMessage('reset', username, detail)) };
}

export function ChooseMethod(props: {
  name: string;
  options: readonly ResetOption[];
  onBegun: (begun: Begun) => void;
}) {
  const { name: username, options, onBegun } = props;
  const [chosen, setChosen] = useState<number>();
  const { submit, isBusy, problem } = useSubmit(async (method: number) => {
    setChosen(method);
    onBegun(await beginReset(username, method));
  });
  return (
    <CardPage title={words.forgot.title}>
      <Text>{words.forgot.choose}</Text>
      <Stack gap="sm">
        {options.map(({ method, maskedIdentifier }) => (
          <WideButton
            key={method}
            loading={isBusy && chosen === method}
            disabled={isBusy && chosen !== method}
            onClick={() => submit(method)}
          >
            {labels[method]?.(maskedIdentifier ?? '')}
          </WideButton>
        ))}
      </Stack>
      <ProblemNotice problem={problem} />
      <BackLinks begin="/forgot-password" name={username} />
    </CardPage>
  );
}
