// The dialog to replace the client secret of an application. It asks how long the former one stays valid, and shows the new one.
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/index.ts';
import type { Application } from './application.ts';

/** For how long the former secret may stay valid, in seconds. */
const OVERLAPS = [0, 3600, 86_400, 604_800] as const;

export function RotateDialog({ application, onClose }: { application: Application; onClose: () => void }) {
  const { rotation, created } = words.applications;
  const [overlapSeconds, setOverlap] = useState<number>(OVERLAPS[2]);
  const [secret, setSecret] = useState<string>();
  const { submit, isBusy, problem } = useSubmit(async () => {
    const { clientSecret } = await latchkey.call('Application/RotateSecret', { id: application.id, overlapSeconds });
    setSecret(clientSecret);
  });
  return (
    <Dialog isOpen onClose={onClose} title={rotation.title(application.name)} isHeld={Boolean(secret)}>
      {secret ? (
        <ShownOnce value={secret} texts={{ ...created, reason: rotation.done }} onDone={onClose} />
      ) : (
        <Stack>
          <Text size="sm">{rotation.reason}</Text>
          <NativeSelect
            label={rotation.overlap}
            data={OVERLAPS.map((seconds) => ({ value: String(seconds), label: rotation.overlaps[seconds] }))}
            value={String(overlapSeconds)}
            onChange={(event) => setOverlap(Number(event.currentTarget.value))}
            data-autofocus
          />
          <ProblemNotice problem={problem} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {words.common.cancel}
            </Button>
            <Button onClick={() => submit()} loading={isBusy}>
              {rotation.yes}
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}
