// The security questions of a password reset. All answers are sent in one call.
import { Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { Form } from '../ui/form.tsx';
import { InputError, requireFields } from '../ui/problem.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { BackLinks } from './back-links.tsx';
import { CardPage } from './card-page.tsx';
import { type ProvenReset, readProvenReset } from './set-password.tsx';

export type Question = { readonly id: string; readonly question: string };

export function AnswerQuestions(props: {
  name: string;
  questions: readonly Question[];
  onProven: (proven: ProvenReset) => void;
}) {
  const { name: username, questions, onProven } = props;
  const [answers, setAnswers] = useState<Readonly<Record<string, string>>>({});
  const { submit, isBusy, problem } = useSubmit(async () => {
    const submittedQuestions = questions.map(({ id }) => ({ questionId: id, submittedAnswer: answers[id] ?? '' }));
    const empty = submittedQuestions.filter(({ submittedAnswer }) => submittedAnswer.trim() === '');
    requireFields(Object.fromEntries(empty.map(({ questionId }) => [questionId, words.common.required])));
    const answer = await latchkey.call('User/ValidateSecurityQuestions', { username, submittedQuestions });
    const proven = readProvenReset(answer);
    // The service does not tell which answer was wrong.
    if (!proven) throw new InputError({ answers: words.forgot.wrong });
    onProven(proven);
  });
  return (
    <CardPage title={words.forgot.title}>
      <Text>{words.forgot.questions}</Text>
      <Form label={words.forgot.title} onSubmit={submit} problem={problem}>
        {questions.map(({ id, question }) => (
          <TextInput
            key={id}
            name={id}
            label={question}
            autoComplete="off"
            required
            withAsterisk={false}
            value={answers[id] ?? ''}
            onChange={(event) => setAnswers({ ...answers, [id]: event.currentTarget.value })}
            error={problem?.fields[id]}
          />
        ))}
        <Button type="submit" loading={isBusy} fullWidth>
          {words.forgot.check}
        </Button>
      </Form>
      <BackLinks begin="/forgot-password" name={username} />
    </CardPage>
  );
}
