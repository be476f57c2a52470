// The dialog to replace a secret. It says what that means, and shows the new one once.
import { Button, Group, Stack, Text } from '@mantine/core';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { words } from '../words/index.ts';
import { Dialog } from './dialog.tsx';
import { ProblemNotice } from './problem-notice.tsx';
import { ShownOnce } from './shown-once.tsx';
import { useSubmit } from './use-submit.ts';

/** @param props.rotate replaces the secret, and returns the new one. @param props.children a choice before that, which gets the focus. */
export function RotateDialog(props: {
  texts: Readonly<Record<'title' | 'reason' | 'yes' | 'done', string>> & {
    readonly shown: ComponentProps<typeof ShownOnce>['texts'];
  };
  rotate: () => Promise<string | undefined>;
  onClose: () => void;
  children?: ReactNode;
}) {
  const { texts, rotate, onClose, children } = props;
  const [secret, setSecret] = useState<string>();
  const { submit, isBusy, problem } = useSubmit(async () => setSecret(await rotate()));
  return (
    <Dialog isOpen onClose={onClose} title={texts.title} isHeld={Boolean(secret)} isBusy={isBusy} showsOnce>
      {secret ? (
        <ShownOnce value={secret} texts={{ ...texts.shown, reason: texts.done }} onDone={onClose} />
      ) : (
        <Stack>
          <Text size="sm">{texts.reason}</Text>
          {children}
          <ProblemNotice problem={problem} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={isBusy} data-autofocus={!children || undefined}>
              {words.common.cancel}
            </Button>
            <Button onClick={() => submit()} loading={isBusy}>
              {texts.yes}
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}
