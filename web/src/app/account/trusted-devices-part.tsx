// My trusted devices, with buttons to remove them.
import { Group, Paper, Stack, Text } from '@mantine/core';
import { latchkey } from '../../api/latchkey.ts';
import { DangerButton } from '../../ui/danger-button.tsx';
import { formatTime } from '../../ui/format.ts';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { describeBrowser } from '../../ui/user-agent.ts';
import { words } from '../../words/more.ts';
import { type Factors, useRefreshFactors } from './factors.ts';

export function TrustedDevicesPart({ devices }: { devices: Factors['trustedDevices'] }) {
  const texts = words.factors.account.devices;
  const refresh = useRefreshFactors();
  const { submit, isBusy, problem } = useSubmit(async (id: string, browser: string) => {
    await latchkey.call('TrustedDevice/Remove', { id });
    await refresh(texts.removed(browser));
    // The button that had the focus is gone.
    document.querySelector('h1')?.focus({ preventScroll: true });
  });
  return (
    <>
      <Text size="sm">{texts.reason}</Text>
      <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {devices.map(({ id, name, lastUsedAt }) => {
          const browser = describeBrowser(name);
          return (
            <Paper key={id} component="li" withBorder p="sm">
              <Group justify="space-between" gap="sm">
                <div style={{ maxWidth: '100%', overflowWrap: 'anywhere' }}>
                  <Text fw={600}>{browser}</Text>
                  <Text size="sm">{texts.used(formatTime(lastUsedAt))}</Text>
                </div>
                <DangerButton
                  size="xs"
                  disabled={isBusy}
                  onClick={() => submit(id, browser)}
                  aria-label={texts.removeOne(browser)}
                >
                  {texts.remove}
                </DangerButton>
              </Group>
            </Paper>
          );
        })}
      </Stack>
      <ProblemNotice problem={problem} />
    </>
  );
}
