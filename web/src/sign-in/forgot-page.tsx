// The steps of a password reset: the name, the method, the proof, and the new password.
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { Form } from '../ui/form.tsx';
import { requireFields } from '../ui/problem.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { carriedName } from './after-sign-in.ts';
import { AnswerQuestions } from './answer-questions.tsx';
import { BackLinks } from './back-links.tsx';
import { CardPage } from './card-page.tsx';
import { type Begun, beginReset, ChooseMethod, type ResetOption } from './choose-method.tsx';
import { EnterCode } from './enter-code.tsx';
import { readBeforeReload } from './kept-message.ts';
import { NameField } from './name-field.tsx';
import { type ProvenReset, SetPassword } from './set-password.tsx';

type Step =
  | { readonly is: 'name' }
  | { readonly is: 'choose'; readonly options: readonly ResetOption[] }
  | Begun
  | { readonly is: 'password'; readonly proven: ProvenReset };

export function ForgotPage() {
  const [step, setStep] = useState<Step>(() => {
    // "Begin again" carries the name, and reloads this page.
    const sent = carriedName === '' ? readBeforeReload('reset') : undefined;
    return sent ? { is: 'code', sent } : { is: 'name' };
  });
  const [name, setName] = useState('');
  const onProven = (proven: ProvenReset) => setStep({ is: 'password', proven });
  switch (step.is) {
    case 'choose':
      return <ChooseMethod name={name} options={step.options} onBegun={setStep} />;
    case 'code':
      return <EnterCode sent={step.sent} onProven={onProven} />;
    case 'questions':
      return <AnswerQuestions name={name} questions={step.questions} onProven={onProven} />;
    case 'password':
      return <SetPassword proven={step.proven} />;
    default:
      return (
        <TypeName
          onNext={(typed, next) => {
            setName(typed);
            setStep(next);
          }}
        />
      );
  }
}

/** A single method needs no choice. */
function TypeName({ onNext }: { onNext: (name: string, step: Step) => void }) {
  const [typed, setTyped] = useState(carriedName);
  const [isNone, setNone] = useState(false);
  const { submit, isBusy, problem } = useSubmit(async () => {
    const username = typed.trim();
    requireFields({ ...(username === '' && { username: words.common.required }) });
    const options = await latchkey.call('User/GetUserPasswordResetOptions', { username });
    const [only, ...others] = options;
    setNone(only === undefined);
    if (only)
      onNext(username, others.length === 0 ? await beginReset(username, only.method) : { is: 'choose', options });
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
      <BackLinks name={typed.trim()} />
    </CardPage>
  );
}
