// My security questions: which ones I have answered, and whether that is enough to reset the password.
import { Alert, Button, Group, List, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { latchkey, readSetting } from '../../api/latchkey.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useNotify } from '../../ui/notify.tsx';
import { LoadFailure, Loading } from '../../ui/page.tsx';
import { words } from '../../words/more.ts';
import { QuestionsForm } from './questions-form.tsx';

type Questions = Awaited<ReturnType<typeof readQuestions>>;

const questionsKey = ['my-questions'];

/** Reads my questions, and whether security questions can reset passwords now: the service offers it if there are enough. */
async function readQuestions() {
  const [mine, security] = await Promise.all([
    latchkey.call('User/GetMySecurityQuestions'),
    readSetting('Shesha.Security'),
  ]);
  const isEnough = mine.questions.length >= mine.required;
  return { ...mine, isOn: isEnough && security.useResetPasswordViaSecurityQuestions === true };
}

/** Returns my questions. `null` while they load; `undefined` if they are turned off and I have answered none. */
export function useQuestions() {
  const { data, error, isPending, isLoadingError, refetch } = useQuery({
    queryKey: questionsKey,
    queryFn: readQuestions,
  });
  if (isLoadingError) return { error, retry: refetch };
  if (isPending) return null;
  return data.isOn || data.questions.some(({ answered }) => answered) ? data : undefined;
}

export function QuestionsSection({ questions }: { questions: Exclude<ReturnType<typeof useQuestions>, undefined> }) {
  if (questions === null) return <Loading rows={2} />;
  if ('error' in questions) return <LoadFailure {...questions} />;
  if (questions.questions.length === 0) return <Text size="sm">{words.account.questions.none}</Text>;
  return <Overview {...questions} />;
}

function Overview({ isOn, ...mine }: Questions) {
  const texts = words.account.questions;
  const [isOpen, setOpen] = useState(false);
  const notify = useNotify();
  const queries = useQueryClient();
  const { required: needed, questions } = mine;
  const answered = questions.filter((question) => question.answered);
  const action = answered.length === 0 ? texts.begin : texts.replace;
  const onDone = async () => {
    await queries.invalidateQueries({ queryKey: questionsKey });
    setOpen(false);
    notify(texts.done);
  };
  return (
    <>
      {!isOn && (
        <Alert color="blue" variant="light">
          {texts.isOff}
        </Alert>
      )}
      {isOn && <Text size="sm">{texts.needed(needed)}</Text>}
      {answered.length === 0 ? (
        <Text size="sm">{texts.unanswered}</Text>
      ) : (
        <div>
          <Text size="sm">{texts.answered(answered.length)}</Text>
          <List size="sm">
            {answered.map(({ id, question }) => (
              <List.Item key={id} style={{ overflowWrap: 'anywhere' }}>
                {question}
              </List.Item>
            ))}
          </List>
          {isOn && answered.length < needed && (
            <Text size="sm" fw={600}>
              {texts.tooFew(needed)}
            </Text>
          )}
        </div>
      )}
      {isOn && (
        <Group>
          <Button variant="default" onClick={() => setOpen(true)}>
            {action}
          </Button>
        </Group>
      )}
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={texts.title}>
        <QuestionsForm questions={questions} needed={needed} onDone={onDone} />
      </Dialog>
    </>
  );
}
