// Who has access right now: open sessions, and users by their state.
import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { words } from '../../words/index.ts';
import { ListLink } from './list-link.tsx';
import { formatNumber, type OverviewData } from './series.ts';

/** The service counts open sessions and locked accounts up to this number. */
const MOST_COUNTED = 100_000;

export function PeopleCard({ data: { openSessions, users } }: { data: OverviewData }) {
  const id = useId();
  const texts = words.overview.now;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Stack gap="sm">
        <Title order={2} size="h5" id={id}>
          {texts.title}
        </Title>
        <Stack component="dl" gap={8} m={0}>
          <Line
            label={texts.openSessions}
            count={openSessions}
            most={MOST_COUNTED}
            {...(users && { path: '/users?signedIn=1' })}
          />
          {users && (
            <>
              <Line label={texts.users} count={users.total} path="/users" />
              <Line label={texts.active} count={users.active} path="/users?filter=active" />
              <Line label={texts.inactive} count={users.inactive} path="/users?filter=inactive" />
              <Line label={texts.locked} count={users.locked} most={MOST_COUNTED} path="/users?locked=1" />
              <Line label={texts.mustChangePassword} count={users.mustChangePassword} path="/users?mustChange=1" />
            </>
          )}
        </Stack>
      </Stack>
    </Paper>
  );
}

function Line({ label, count, path, most }: { label: string; count: number; path?: string; most?: number }) {
  const number = formatNumber(count);
  return (
    <Group justify="space-between" gap="md" wrap="nowrap">
      <Text component="dt" size="sm">
        <ListLink to={path} text={label} />
      </Text>
      <Text component="dd" m={0} size="sm" fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {count === most ? words.overview.now.orMore(number) : number}
      </Text>
    </Group>
  );
}
