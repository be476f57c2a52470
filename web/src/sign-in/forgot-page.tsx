// A forgotten password: who it is, how that is proven, and the new password.
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { CardPage } from '../ui/card-page.tsx';
import { Form } from '../ui/form.tsx';
import { requireFields } from '../ui/problem.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { AnswerQuestions, type Question } from './answer-questions.tsx';
import { ChooseWay, type Way } from './choose-way.tsx';
import { GiveCode } from './give-code.tsx';
import { NameField } from './name-field.tsx';
import { type Proven, SetPassword } from './set-password.tsx';
import { WaysBack } from './ways-back.tsx';

type Step =
  | { readonly is: 'name' }
  | { readonly is: 'choose'; readonly ways: readonly Way[] }
  | { readonly is: 'code'; readonly method: 2 | 4 }
  | { readonly is: 'questions'; readonly questions: readonly Question[] }
  | { readonly is: 'password'; readonly proven: Proven };

export function ForgotPage() {
  const [step, setStep] = useState<Step>({ is: 'name' });
  const [name, setName] = useState('');
  const onProven = (proven: Proven) => setStep({ is: 'password', proven });
  switch (step.is) {
    case 'choose':
      return (
        <ChooseWay
          name={name}
          ways={step.ways}
          onSent={(method) => setStep({ is: 'code', method })}
          onAsked={(questions) => setStep({ is: 'questions', questions })}
        />
      );
    case 'code':
      return <GiveCode name={name} method={step.method} onProven={onProven} />;
    case 'questions':
      return <AnswerQuestions name={name} questions={step.questions} onProven={onProven} />;
    case 'password':
      return <SetPassword proven={step.proven} />;
    default:
      return (
        <TypeName
          onFound={(typed, ways) => {
            setName(typed);
            setStep({ is: 'choose', ways });
          }}
        />
      );
  }
}

function TypeName({ onFound }: { onFound: (name: string, ways: readonly Way[]) => void }) {
  const [typed, setTyped] = useState('');
  const [isNone, setNone] = useState(false);
  const { submit, isBusy, problem } = useSubmit(async () => {
    const username = typed.trim();
    requireFields({ ...(username === '' && { username: words.common.required }) });
    const ways = await latchkey.call('User/GetUserPasswordResetOptions', { username });
    setNone(ways.length === 0);
    if (ways.length > 0) onFound(username, ways);
  });
  return (
    <CardPage title={words.forgot.title}>
      <Form label={words.forgot.title} onSubmit={submit} problem={problem}>
        <NameField name="username" label={words.forgot.name} value={typed} onChange={setTyped} problem={problem} />
        <Button type="submit" loading={isBusy} fullWidth>
          {words.common.continue}
        </Button>
        <div role="status">{isNone && <Text size="sm">{words.forgot.none}</Text>}</div>
      </Form>
      <WaysBack />
    </CardPage>
  );
}
