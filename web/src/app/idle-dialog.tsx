// The dialog in the last minute before automatic log-off. All tabs show it.
import { Button, Group, Stack, Text } from '@mantine/core';
import { latchkey } from '../api/latchkey.ts';
import { Dialog } from '../ui/dialog.tsx';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import { words } from '../words/index.ts';

/** @param props.secondsLeft `null` closes it. @param props.spoken what screen readers announce. */
export function IdleDialog(props: { secondsLeft: number | null; spoken: string; signOut: () => void }) {
  const { secondsLeft, spoken, signOut } = props;
  return (
    <Dialog isOpen={secondsLeft !== null} onClose={() => latchkey.stayActive()} title={words.idle.title}>
      <Stack>
        <Text aria-hidden>{secondsLeft !== null && words.idle.text(secondsLeft)}</Text>
        <VisuallyHidden role="alert">{spoken}</VisuallyHidden>
        <Group justify="flex-end">
          <Button variant="default" onClick={signOut}>
            {words.idle.signOut}
          </Button>
          <Button onClick={() => latchkey.stayActive()} data-autofocus>
            {words.idle.stay}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
