// What I share with applications that ask first, with buttons to withdraw it.
import { Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Calls } from 'latchkey-sdk';
import { latchkey } from '../../api/latchkey.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { DangerButton } from '../../ui/danger-button.tsx';
import { formatTime } from '../../ui/format.ts';
import { useNotify } from '../../ui/notify.tsx';
import { translate, words } from '../../words/more.ts';
import { sessionsKey } from './ending.ts';

type Consent = Calls['Consent/GetAll']['result']['items'][number];

const consentsKey = ['consents'];

/** Returns what I share. `null` while that loads. What cannot be read is not shown. */
export function useConsents(): readonly Consent[] | null {
  const { data, isPending } = useQuery({
    queryKey: consentsKey,
    queryFn: () => latchkey.call('Consent/GetAll'),
  });
  return isPending ? null : (data?.items ?? []);
}

export function ConsentsSection({ consents }: { consents: readonly Consent[] }) {
  const texts = words.account.consents;
  const queries = useQueryClient();
  const notify = useNotify();
  const [ask, dialog] = useConfirm();
  const withdraw = ({ id, application: { name } }: Consent) =>
    ask({
      title: texts.withdrawTitle(name),
      text: texts.withdrawText(name),
      yes: texts.withdraw,
      run: async () => {
        await latchkey.call('Consent/Withdraw', { id });
        await Promise.all([consentsKey, sessionsKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
        notify(texts.withdrawn(name));
      },
    });
  return (
    <>
      <Text size="sm">{texts.reason}</Text>
      <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {consents.map((consent) => (
          <Paper key={consent.id} component="li" withBorder p="sm">
            <Group justify="space-between" gap="sm">
              <div style={{ maxWidth: '100%', overflowWrap: 'anywhere' }}>
                <Text fw={600}>{consent.application.name}</Text>
                <ul style={{ margin: 0, paddingInlineStart: '1.25em' }}>
                  {consent.scopes.map((scope) => (
                    <Text key={scope} component="li" size="sm">
                      {translate(words.signInTo.authorization.consent.scopes, scope)}
                    </Text>
                  ))}
                </ul>
                <Text size="sm" c="dimmed">
                  {texts.since(formatTime(consent.at))}
                </Text>
              </div>
              <DangerButton
                size="xs"
                onClick={() => withdraw(consent)}
                aria-label={texts.withdrawOne(consent.application.name)}
              >
                {texts.withdraw}
              </DangerButton>
            </Group>
          </Paper>
        ))}
      </Stack>
      {dialog}
    </>
  );
}
