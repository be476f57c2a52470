// The guard of unsaved changes.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useBlocker } from 'react-router';
import { Dialog } from '../../ui/dialog.tsx';
import { useWarningBeforeLeaving } from '../../ui/use-warning-before-leaving.ts';
import { words } from '../../words/all.ts';

/** Asks before the user leaves the page with unsaved changes. Its sections keep them. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
  );
  useWarningBeforeLeaving(isDirty);
  const stay = () => blocker.state === 'blocked' && blocker.reset();
  const text = words.settings.unsaved;
  return (
    <Dialog isOpen={blocker.state === 'blocked'} onClose={stay} title={text.title}>
      <Stack>
        <Text size="sm">{text.text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={stay} data-autofocus>
            {text.stay}
          </Button>
          <Button color="red" onClick={() => blocker.state === 'blocked' && blocker.proceed()}>
            {text.leave}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
