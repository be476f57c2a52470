// The last deliveries of a webhook: what came of each, and a button to deliver it again.
import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { latchkey } from '../../api/latchkey.ts';
import { Moment } from '../../ui/moment.tsx';
import { useNotify } from '../../ui/notify.tsx';
import { Empty, LoadFailure, Loading } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { Records } from '../../ui/records.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/all.ts';
import {
  type Delivery,
  describeFailure,
  describePattern,
  useDeliveries,
  type Webhook,
  webhooksKey,
} from './webhook.ts';

export function Deliveries({ webhook: { id, isEnabled } }: { webhook: Webhook }) {
  const texts = words.webhooks.deliveries;
  const queries = useQueryClient();
  const notify = useNotify();
  const { data, error, isPending, refetch } = useDeliveries(id);
  const { submit, problem } = useSubmit(async (deliveryId: string) => {
    await latchkey.call('Webhook/Redeliver', { deliveryId });
    await queries.invalidateQueries({ queryKey: webhooksKey });
    notify(texts.again);
  });
  return (
    <Stack gap="sm">
      <Text size="sm">{texts.reason}</Text>
      {isPending && <Loading />}
      {error && <LoadFailure error={error} retry={refetch} />}
      <ProblemNotice problem={problem} />
      {data?.items.length === 0 && <Empty>{texts.empty}</Empty>}
      {data && data.items.length > 0 && (
        <DeliveryTable deliveries={data.items} onRedeliver={isEnabled ? submit : undefined} />
      )}
    </Stack>
  );
}

function DeliveryTable(props: {
  deliveries: readonly Delivery[];
  /** Absent while the webhook is disabled. */
  onRedeliver: ((id: string) => void) | undefined;
}) {
  const { deliveries, onRedeliver } = props;
  const { title, columns, redeliver, redeliverOne } = words.webhooks.deliveries;
  return (
    <Records
      label={title}
      records={deliveries}
      keyOf={({ id }) => id}
      columns={[
        {
          key: 'type',
          label: columns.event,
          isLead: true,
          cell: ({ type }) => (
            <Text size="sm" fw={500}>
              {describePattern(type)}
            </Text>
          ),
        },
        { key: 'at', label: columns.at, width: 16, cell: ({ at }) => <Moment at={at} /> },
        { key: 'result', label: columns.result, width: 30, cell: (delivery) => <Result delivery={delivery} /> },
        {
          key: 'durationMs',
          label: columns.duration,
          width: 12,
          // Without a status, nobody has answered.
          cell: ({ status, durationMs }) =>
            status === null || durationMs === null ? null : <Text size="sm">{formatMs(durationMs)}</Text>,
        },
        {
          key: 'actions',
          label: '',
          width: 20,
          isLead: true,
          cell: ({ id, type, tries }) =>
            onRedeliver && tries > 0 ? (
              <Button
                size="xs"
                variant="default"
                onClick={() => onRedeliver(id)}
                aria-label={redeliverOne(describePattern(type))}
              >
                {redeliver}
              </Button>
            ) : null,
        },
      ]}
    />
  );
}

/** Returns a duration of an answer in the reader's language: "320 ms". */
const formatMs = (count: number) =>
  new Intl.NumberFormat(document.documentElement.lang, { style: 'unit', unit: 'millisecond' }).format(count);

function Result({ delivery }: { delivery: Delivery }) {
  const { state, status, tries, nextTryAt } = delivery;
  const texts = words.webhooks.deliveries;
  const failure = describeFailure(delivery);
  const isFailing = state === 'queued' && failure !== undefined;
  const colour = { sent: 'green', failed: 'red', queued: isFailing ? 'orange' : 'blue' } as const;
  return (
    <Stack gap={2} align="flex-start">
      <StatusBadge colour={colour[state]}>
        {state === 'sent' && status !== null ? texts.accepted(status) : isFailing ? texts.retried : texts.states[state]}
      </StatusBadge>
      {failure !== undefined && <Text size="sm">{failure}</Text>}
      {tries > 1 && (
        <Text size="xs" c="dimmed">
          {texts.tries(tries)}
        </Text>
      )}
      {isFailing && nextTryAt !== null && (
        <Text size="xs" c="dimmed" component="div">
          {texts.next} <Moment at={nextTryAt} />
        </Text>
      )}
    </Stack>
  );
}
