// The page of one webhook: its state, what it receives, what can be done with it, and its deliveries.
import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { CopyValue } from '../../ui/copy-button.tsx';
import { DangerButton } from '../../ui/danger-button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { useNotify } from '../../ui/notify.tsx';
import { Empty, LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { RotateDialog } from '../../ui/rotate-dialog.tsx';
import { Fact, Facts, Section } from '../../ui/section.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/all.ts';
import { Deliveries } from './deliveries.tsx';
import { State } from './state.tsx';
import { describePattern, titleOf, useDeliveries, useWebhooks, type Webhook, webhooksKey } from './webhook.ts';
import { WebhookDialog } from './webhook-dialog.tsx';

export function WebhookPage() {
  const { id } = useParams();
  const { data, error, isPending, refetch } = useWebhooks();
  const webhook = data?.items.find((one) => one.id === id);
  const texts = words.webhooks;
  return (
    <Page
      title={webhook ? titleOf(webhook) : texts.one}
      trail={[{ path: '/webhooks', label: texts.title }]}
      actions={webhook && <Actions webhook={webhook} />}
    >
      {isPending && <Loading />}
      {error && <LoadFailure error={error} retry={refetch} />}
      {data && !webhook && <Empty>{texts.unknown}</Empty>}
      {webhook && <Content webhook={webhook} />}
    </Page>
  );
}

function Content({ webhook }: { webhook: Webhook }) {
  const texts = words.webhooks;
  const { id, disabledBecause, fullSince, isEnabled, url, actions, createdAt } = webhook;
  const { data } = useDeliveries(id);
  const isUntried = data?.items.every(({ tries }) => tries === 0);
  return (
    <>
      {disabledBecause !== null && (
        <Alert color="red" variant="light" title={texts.states[disabledBecause]}>
          {texts.disabledBecause[disabledBecause]}
        </Alert>
      )}
      {isEnabled && fullSince !== null && (
        <Alert color="red" variant="light">
          {texts.full}
        </Alert>
      )}
      <Section title={texts.one}>
        <State webhook={webhook} isUntried={isUntried} />
        <Facts>
          <Fact label={texts.columns.url}>
            {url} <CopyValue value={url} label={texts.columns.url} />
          </Fact>
          <Fact label={texts.columns.events}>
            {actions.map((pattern) => (
              <Text key={pattern} size="sm">
                {describePattern(pattern)} <Code>{pattern}</Code>
              </Text>
            ))}
          </Fact>
          <Fact label={texts.createdAt}>
            <Moment at={createdAt} />
          </Fact>
        </Facts>
      </Section>
      <Section title={texts.deliveries.title}>
        <Deliveries webhook={webhook} />
      </Section>
    </>
  );
}

function Actions({ webhook }: { webhook: Webhook }) {
  const texts = words.webhooks;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const notify = useNotify();
  const [ask, question] = useConfirm();
  const [open, setOpen] = useState<'edit' | 'rotate'>();
  const { id, url, actions, isEnabled } = webhook;
  const name = titleOf(webhook);
  const reread = () => queries.invalidateQueries({ queryKey: webhooksKey });
  const { submit, isBusy, problem } = useSubmit(async (work: () => Promise<unknown>, text: string) => {
    await work();
    await reread();
    notify(text);
  });
  const enable = (enabled: boolean) =>
    submit(
      () => latchkey.call('Webhook/Update', { id, url, actions: [...actions], isEnabled: enabled }),
      enabled ? texts.enabled(name) : texts.disabled(name),
    );
  const remove = () =>
    ask({
      title: texts.removeTitle(name),
      text: texts.removeText,
      yes: texts.remove,
      run: async () => {
        await latchkey.call('Webhook/Delete', { id });
        await navigate('/webhooks');
        await reread();
        notify(texts.removed(name));
      },
    });
  return (
    <Stack gap="sm">
      <Group gap="xs" role="group" aria-label={texts.actions}>
        <DangerButton onClick={remove}>{texts.remove}</DangerButton>
        <Button variant="default" onClick={() => setOpen('rotate')}>
          {texts.rotation.open}
        </Button>
        <Button variant="default" onClick={() => setOpen('edit')}>
          {texts.edit}
        </Button>
        <Button {...(isEnabled && { variant: 'default' })} onClick={() => enable(!isEnabled)} loading={isBusy}>
          {isEnabled ? texts.disable : texts.enable}
        </Button>
        {isEnabled && (
          <Button
            loading={isBusy}
            onClick={() => submit(() => latchkey.call('Webhook/SendTest', { id }), texts.testSent)}
          >
            {texts.sendTest}
          </Button>
        )}
      </Group>
      <ProblemNotice problem={problem} />
      {open === 'edit' && (
        <WebhookDialog
          edited={webhook}
          onClose={() => setOpen(undefined)}
          onSaved={async (saved) => {
            setOpen(undefined);
            await reread();
            notify(texts.saved(titleOf(saved)));
          }}
        />
      )}
      {open === 'rotate' && (
        <RotateDialog
          texts={{ ...texts.rotation, title: texts.rotation.title(name), shown: texts.created }}
          rotate={async () => (await latchkey.call('Webhook/RotateSecret', { id })).secret}
          onClose={() => setOpen(undefined)}
        />
      )}
      {question}
    </Stack>
  );
}
