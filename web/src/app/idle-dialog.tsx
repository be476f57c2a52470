// The dialog in the last minute before automatic log-off. All tabs show it.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { Dialog } from '../ui/dialog.tsx';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import { words } from '../words/index.ts';

/** Screen readers announce the time left at these seconds, not at each second. */
const SPOKEN_AT = [60, 30, 10];

export function IdleDialog() {
  const [secondsLeft, setSecondsLeft] = useState<number | null>(null);
  const [spoken, setSpoken] = useState('');
  useEffect(
    () =>
      latchkey.onIdle((seconds) => {
        setSecondsLeft(seconds);
        if (seconds === null) setSpoken('');
        else if (SPOKEN_AT.includes(seconds)) setSpoken(words.idle.text(seconds));
      }),
    [],
  );
  return (
    <Dialog isOpen={secondsLeft !== null} onClose={() => latchkey.stayActive()} title={words.idle.title}>
      <Stack>
        <Text aria-hidden>{secondsLeft !== null && words.idle.text(secondsLeft)}</Text>
        <VisuallyHidden role="alert">{spoken}</VisuallyHidden>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => latchkey.signOff().catch(() => {})}>
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
