// The guard of unsaved changes.
import { Button, Group, Stack, Text } from '@mantine/core';
import { type RefObject, useEffect } from 'react';
import { useBlocker } from 'react-router';
import { Dialog } from '../../ui/dialog.tsx';
import { useWarningBeforeLeaving } from '../../ui/use-warning-before-leaving.ts';
import { words } from '../../words/all.ts';

/**
 * Asks before the user leaves the page with unsaved changes. Its sections keep them.
 * @param props.isSaved set once the changes are saved, before the page navigates by itself.
 * @param props.texts what is lost, if that is not unsaved changes.
 * @param props.hasResult whether the page shows a result when nothing can be lost any more. Then the user stays.
 */
export function UnsavedGuard(props: {
  isDirty: boolean;
  isSaved?: RefObject<boolean>;
  texts?: { readonly title: string; readonly text: string };
  hasResult?: boolean;
}) {
  const { isDirty, isSaved, texts, hasResult = false } = props;
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty && !isSaved?.current && currentLocation.pathname !== nextLocation.pathname,
  );
  useWarningBeforeLeaving(isDirty);
  const stay = () => blocker.state === 'blocked' && blocker.reset();
  // The changes may be saved while the question is open.
  useEffect(() => {
    if (isDirty || blocker.state !== 'blocked') return;
    if (hasResult) blocker.reset();
    else blocker.proceed();
  }, [isDirty, hasResult, blocker]);
  const text = { ...words.settings.unsaved, ...texts };
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
