// What the applications of an ended session were told, and what they answered.
import { Box, Group, Stack, Text } from '@mantine/core';
import type { ComponentProps } from 'react';
import type { EndedSession } from '../api/sign-off.ts';
import type { signInTo } from '../words/en-sign-in-to.ts';
import { formatTime } from './format.ts';
import { StatusBadge } from './status-badge.tsx';

type Told = EndedSession['applications'][number];

const colours: Readonly<Record<Told['state'], ComponentProps<typeof StatusBadge>['colour']>> = {
  pending: 'blue',
  confirmed: 'green',
  refused: 'red',
  failed: 'red',
  unreachable: 'orange',
};

export const hasPending = (sessions: readonly EndedSession[]) =>
  sessions.some(({ applications }) => applications.some(({ state }) => state === 'pending'));

/** One entry of each application and state, by name. A session may have several grants of one application: the last one counts. */
function merge(applications: readonly Told[]): Told[] {
  const last = new Map<string, Told>();
  for (const told of applications) {
    const key = `${told.state} ${told.name}`;
    const other = last.get(key);
    if (!other || Date.parse(told.tokensEndAt) > Date.parse(other.tokensEndAt)) last.set(key, told);
  }
  return [...last.values()].sort((one, other) => one.name.localeCompare(other.name));
}

/** @param props.texts the sign-in pages load them apart from others. */
export function ToldApplications(props: {
  applications: readonly Told[];
  texts: (typeof signInTo)['signOut']['told'];
}) {
  const { applications, texts } = props;
  const describe = ({ state, at, tokensEndAt }: Told) => {
    if (state === 'confirmed') return formatTime(at);
    return new Date(tokensEndAt) > new Date() ? texts.tokensEnd(formatTime(tokensEndAt)) : texts.tokensEnded;
  };
  return (
    <Stack
      component="ul"
      gap="xs"
      m={0}
      p={0}
      aria-label={texts.label}
      aria-live="polite"
      style={{ listStyle: 'none', overflowWrap: 'anywhere' }}
    >
      {merge(applications).map((told) => (
        <li key={`${told.state} ${told.name}`}>
          <Group justify="space-between" align="flex-start" gap="xs">
            <Text fw={600} miw={0}>
              {told.name}
            </Text>
            <Box flex="none">
              <StatusBadge colour={colours[told.state]}>{texts.states[told.state]}</StatusBadge>
            </Box>
          </Group>
          <Text size="sm" c="dimmed">
            {describe(told)}
          </Text>
        </li>
      ))}
    </Stack>
  );
}
