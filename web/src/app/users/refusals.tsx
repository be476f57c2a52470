// The latest refusals of an account, and their reasons.
import { Anchor, Group, List, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { formatTime } from '../../ui/format.ts';
import { LoadFailure, Loading } from '../../ui/page.tsx';
import { words } from '../../words/all.ts';
import { describeReason, nameOf } from '../audit/entry.ts';
import { userKey } from './user.ts';

const SHOWN = 5;

export function Refusals({ userId }: { userId: number }) {
  const texts = words.users.refusals;
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...userKey(userId), 'refusals'],
    queryFn: () => latchkey.call('Audit/GetAll', { userId, outcome: 'refused', maxResultCount: SHOWN }),
  });
  return (
    <div>
      <Title order={3} size="h5">
        {texts.title}
      </Title>
      {isPending && <Loading rows={2} />}
      {error && <LoadFailure error={error} retry={refetch} />}
      {data?.items.length === 0 && <Text size="sm">{texts.none}</Text>}
      {data && data.items.length > 0 && (
        <List size="sm" spacing={4} my="xs">
          {data.items.map(({ id, at, action, reason, ipAddress }) => (
            <List.Item key={id} style={{ overflowWrap: 'anywhere' }}>
              <b>{nameOf(action)}:</b> {reason !== null && describeReason(reason)}{' '}
              <Text span size="sm" c="dimmed">
                {formatTime(at)} {ipAddress !== null && texts.from(ipAddress)}
              </Text>
            </List.Item>
          ))}
        </List>
      )}
      <Group gap="md">
        {data && data.items.length > 0 && (
          <Anchor component={Link} to={`/audit?userId=${userId}&outcome=refused`} size="sm">
            {texts.all}
          </Anchor>
        )}
        <Anchor component={Link} to={`/audit?userId=${userId}`} size="sm">
          {texts.everything}
        </Anchor>
      </Group>
    </div>
  );
}
