// The dialog to replace the secret of a webhook. It says that both sign for a day, and shows the new one.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/index.ts';
import { titleOf, type Webhook } from './webhook.ts';

export function RotateDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const texts = words.webhooks.rotation;
  const [secret, setSecret] = useState<string>();
  const { submit, isBusy, problem } = useSubmit(async () => {
    setSecret((await latchkey.call('Webhook/RotateSecret', { id: webhook.id })).secret);
  });
  return (
    <Dialog isOpen onClose={onClose} title={texts.title(titleOf(webhook))} isHeld={Boolean(secret)}>
      {secret ? (
        <ShownOnce value={secret} texts={{ ...words.webhooks.created, reason: texts.done }} onDone={onClose} />
      ) : (
        <Stack>
          <Text size="sm">{texts.reason}</Text>
          <ProblemNotice problem={problem} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus>
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
