// The page "Outbox": the messages that were not sent because no gateway is configured.
import { Group, Paper, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { isLatchkeyError } from 'latchkey-sdk';
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { formatTime } from '../../ui/format.ts';
import { Empty, LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { words } from '../../words/more.ts';
import { MessageText } from './message-text.tsx';

const SIZE = 20;
const REFETCH_MS = 3000;

export function OutboxPage() {
  const [page, setPage] = useState(1);
  const messages = useQuery({
    queryKey: ['outbox', page],
    queryFn: () => latchkey.call('Outbox/GetAll', { skipCount: (page - 1) * SIZE, maxResultCount: SIZE }),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  });
  const { data, error, isPending, refetch } = messages;
  const isAbsent = isLatchkeyError(error, 'request.notFound');
  return (
    <Page title={words.outbox.title}>
      <Text>{isAbsent ? words.outbox.absent : words.outbox.reason}</Text>
      {isPending && <Loading />}
      {error && !isAbsent && <LoadFailure error={error} retry={refetch} />}
      {data && !isAbsent && (
        <>
          {data.items.length === 0 && <Empty>{words.outbox.empty}</Empty>}
          <Stack>
            {data.items.map((message) => (
              <Paper key={message.id} withBorder p="md" component="article" aria-label={message.to}>
                <Group justify="space-between">
                  <Group gap="xs">
                    <StatusBadge colour="gray">{words.outbox.means[message.means]}</StatusBadge>
                    <Text fw={600}>{message.to}</Text>
                  </Group>
                  <Text size="sm">{formatTime(message.at)}</Text>
                </Group>
                {message.subject !== null && <Text mt="xs">{message.subject}</Text>}
                <MessageText text={message.text} />
              </Paper>
            ))}
          </Stack>
          {data.totalCount > 0 && <Pager page={page} size={SIZE} total={data.totalCount} onChange={setPage} />}
        </>
      )}
    </Page>
  );
}
