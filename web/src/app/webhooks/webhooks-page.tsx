// The page "Webhooks": the addresses that receive events.
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Empty, LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { Records } from '../../ui/records.tsx';
import { words } from '../../words/all.ts';
import { useCreation } from '../use-creation.ts';
import { State } from './state.tsx';
import { describePattern, titleOf, useWebhooks, type Webhook, webhooksKey } from './webhook.ts';
import { WebhookDialog } from './webhook-dialog.tsx';

/** Events that a line of the list names. */
const SHOWN = 3;

export function WebhooksPage() {
  const queries = useQueryClient();
  const [isOpen, setOpen] = useCreation();
  const texts = words.webhooks;
  const webhooks = useWebhooks();
  const reload = () => queries.invalidateQueries({ queryKey: webhooksKey });
  return (
    <Page title={texts.title} actions={<Button onClick={() => setOpen(true)}>{texts.add}</Button>}>
      <Text>{texts.reason}</Text>
      {webhooks.isPending && <Loading />}
      {webhooks.error && <LoadFailure error={webhooks.error} retry={webhooks.refetch} />}
      {webhooks.data?.items.length === 0 && <Empty>{texts.empty}</Empty>}
      {webhooks.data && webhooks.data.items.length > 0 && <WebhookTable webhooks={webhooks.data.items} />}
      {isOpen && <WebhookDialog edited="new" onClose={() => setOpen(false)} onSaved={reload} />}
    </Page>
  );
}

function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  const { title, columns, events } = words.webhooks;
  return (
    <Records
      label={title}
      records={webhooks}
      keyOf={({ id }) => id}
      columns={[
        {
          key: 'url',
          label: columns.url,
          width: 42,
          isLead: true,
          cell: (webhook) => (
            <Stack gap={0}>
              <Anchor component={Link} to={`/webhooks/${webhook.id}`} size="sm" fw={600}>
                {titleOf(webhook)}
              </Anchor>
              <Text size="xs" c="dimmed">
                {webhook.url}
              </Text>
            </Stack>
          ),
        },
        {
          key: 'events',
          label: columns.events,
          cell: ({ actions }) => (
            <Text size="sm">
              {actions.slice(0, SHOWN).map(describePattern).join(', ')}
              {actions.length > SHOWN && ` ${events.more(actions.length - SHOWN)}`}
            </Text>
          ),
        },
        { key: 'state', label: columns.state, width: 26, cell: (webhook) => <State webhook={webhook} isException /> },
      ]}
    />
  );
}
