// Confirmation: asks before an action that cannot be undone.
import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { words } from '../words/index.ts';
import { Dialog } from './dialog.tsx';
import { ProblemNotice } from './problem-notice.tsx';
import { useSubmit } from './use-submit.ts';

/** A question, and the action to run on yes. */
type Question = { title: string; text: ReactNode; yes: string; run: () => Promise<unknown> };

/** @returns the function that asks, and the dialog to render anywhere in the page. */
export function useConfirm(): [ask: (question: Question) => void, dialog: ReactNode] {
  const [question, setQuestion] = useState<Question>();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const { submit, isBusy, problem, setProblem } = useSubmit(async () => {
    await question?.run();
    close();
  });
  const ask = (next: Question) => {
    setProblem(undefined);
    setQuestion(next);
    setOpen(true);
  };
  const dialog = (
    <Dialog isOpen={isOpen} onClose={close} title={question?.title}>
      <Stack>
        <Text component="div" size="sm">
          {question?.text}
        </Text>
        <ProblemNotice problem={problem} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {words.common.cancel}
          </Button>
          <Button color="red" onClick={submit} loading={isBusy}>
            {question?.yes}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
  return [ask, dialog];
}
