// The latest entries of the audit trail about an account: what it did, what was done to it, and why something was refused.
import { Anchor, Box, Group, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { formatTime } from '../../ui/format.ts';
import { LoadFailure, Loading } from '../../ui/page.tsx';
import { words } from '../../words/more.ts';
import { actorOf, type Entry, refusalOf, sentenceOf } from '../audit/entry.ts';
import { userKey } from './user.ts';

const SHOWN = 8;

export function Activity({ userId }: { userId: number }) {
  const texts = words.users.activity;
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...userKey(userId), 'activity'],
    queryFn: () => latchkey.call('Audit/GetAll', { userId, maxResultCount: SHOWN }),
  });
  return (
    <>
      {isPending && <Loading rows={2} />}
      {error && <LoadFailure error={error} retry={refetch} />}
      {data?.items.length === 0 && <Text size="sm">{texts.none}</Text>}
      {data && data.items.length > 0 && (
        <Paper component="ul" withBorder className="rows" aria-label={texts.title}>
          {data.items.map((entry) => (
            <ActivityRow key={entry.id} entry={entry} />
          ))}
        </Paper>
      )}
      <Group gap="md">
        <Anchor component={Link} to={`/audit?userId=${userId}`} size="sm">
          {texts.all}
        </Anchor>
        <Anchor component={Link} to={`/audit?userId=${userId}&outcome=refused`} size="sm">
          {texts.refusals}
        </Anchor>
      </Group>
    </>
  );
}

function ActivityRow({ entry }: { entry: Entry }) {
  const refusal = refusalOf(entry);
  const actor = actorOf(entry);
  const where = [
    formatTime(entry.at),
    ...(actor ? [words.users.activity.by(actor.name)] : []),
    ...(entry.ipAddress === null ? [] : [words.users.activity.from(entry.ipAddress)]),
  ];
  return (
    <Box component="li" py="xs" style={{ overflowWrap: 'anywhere' }}>
      <Text size="sm">
        {sentenceOf(entry)}
        {refusal && (
          <Text span size="sm" c="var(--danger)">
            {' · '}
            {refusal}
          </Text>
        )}
      </Text>
      <Text size="xs" c="dimmed">
        {where.join(' · ')}
      </Text>
    </Box>
  );
}
