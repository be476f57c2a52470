// The ended sessions of an account that had applications, and what each application was told.
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import type { EndedSession } from '../api/sign-off.ts';
import { formatTime } from '../ui/format.ts';
import { hasPending, ToldApplications } from '../ui/told-applications.tsx';
import { words } from '../words/more.ts';

/** How many are shown at first. */
const SHOWN = 3;

/** Time in milliseconds between two looks while an answer is awaited. */
const REFRESH_MS = 5000;

/** Reads the newest ended sessions with applications. `null` while that loads. What cannot be read is not shown. */
export function useSignOuts(userId: number, queryKey: readonly unknown[]): readonly EndedSession[] | null {
  const { data, isPending } = useQuery({
    queryKey: [...queryKey, 'sign-outs'],
    queryFn: () => latchkey.call('Session/GetSignOuts', { userId }),
    refetchInterval: ({ state }) => hasPending(state.data?.items ?? []) && REFRESH_MS,
  });
  return isPending ? null : (data?.items ?? []);
}

export function SignOuts({ sessions }: { sessions: readonly EndedSession[] }) {
  const [isWhole, setWhole] = useState(false);
  const texts = words.signOuts;
  return (
    <>
      <Text size="sm">{texts.reason}</Text>
      <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {(isWhole ? sessions : sessions.slice(0, SHOWN)).map(({ sessionId, endedAt, applications }) => (
          <Paper key={sessionId} component="li" withBorder p="sm">
            <Stack gap="xs">
              <Text size="sm" c="dimmed">
                {texts.ended(formatTime(endedAt))}
              </Text>
              <ToldApplications applications={applications} texts={words.signInTo.signOut.told} />
            </Stack>
          </Paper>
        ))}
      </Stack>
      {!isWhole && sessions.length > SHOWN && (
        <Group>
          <Button variant="default" onClick={() => setWhole(true)}>
            {texts.all(sessions.length)}
          </Button>
        </Group>
      )}
    </>
  );
}
