// Confirmation: asks before an action that cannot be undone.
import { Button, Group, Stack, Text } from '@mantine/core';
import { type ComponentType, type ReactNode, useState } from 'react';
import { words } from '../words/index.ts';
import { Dialog } from './dialog.tsx';
import { ProblemNotice } from './problem-notice.tsx';
import { useSubmit } from './use-submit.ts';

/** A question, and the action to run on yes. */
type Question = {
  title: string;
  text: ReactNode;
  yes: string;
  run: () => Promise<unknown>;
  /** Whether the action destroys nothing. */
  isHarmless?: boolean;
};

/**
 * @param Prove asks for a second factor where the service requires one. Then the action runs again.
 * @returns the function that asks, and the dialog to render anywhere in the page.
 */
export function useConfirm(
  Prove?: ComponentType<{ onConfirmed: () => void }>,
): [ask: (question: Question) => void, dialog: ReactNode] {
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
  const choice = (
    <Stack>
      <Text component="div" size="sm">
        {question?.text}
      </Text>
      <ProblemNotice problem={problem} />
      <Group justify="flex-end">
        <Button variant="default" onClick={close} disabled={isBusy} data-autofocus>
          {words.common.cancel}
        </Button>
        <Button onClick={submit} loading={isBusy} {...(!question?.isHarmless && { color: 'red' })}>
          {question?.yes}
        </Button>
      </Group>
    </Stack>
  );
  const dialog = (
    <Dialog isOpen={isOpen} onClose={close} title={question?.title} isBusy={isBusy}>
      {Prove && problem?.needsSecondFactor ? <Prove onConfirmed={submit} /> : choice}
    </Dialog>
  );
  return [ask, dialog];
}
