// Answering security questions, all of them in one go, to show who it is that has forgotten a password.
import { Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { CardPage } from '../ui/card-page.tsx';
import { Form } from '../ui/form.tsx';
import { InputError, requireFields } from '../ui/problem.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { type Proven, readProof } from './set-password.tsx';
import { WaysBack } from './ways-back.tsx';

export type Question = { readonly id: string; readonly question: string };

export function AnswerQuestions(props: {
  name: string;
  questions: readonly Question[];
  onProven: (proven: Proven) => void;
}) {
  const { name: username, questions, onProven } = props;
  const [answers, setAnswers] = useState<Readonly<Record<string, string>>>({});
  const { submit, isBusy, problem } = useSubmit(async () => {
    const submittedQuestions = questions.map(({ id }) => ({ questionId: id, submittedAnswer: answers[id] ?? '' }));
    const empty = submittedQuestions.filter(({ submittedAnswer }) => submittedAnswer.trim() === '');
    requireFields(Object.fromEntries(empty.map(({ questionId }) => [questionId, words.common.required])));
    const answer = await latchkey.call('User/ValidateSecurityQuestions', { username, submittedQuestions });
    const proven = readProof(answer);
    // About no single one: which answer was wrong is not told.
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
      <WaysBack begin="/forgot-password" />
    </CardPage>
  );
}
