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
      actions={webhook && <MainActions webhook={webhook} />}
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
        <FurtherActions webhook={webhook} />
      </Section>
      <Section title={texts.deliveries.title}>
        <Deliveries webhook={webhook} />
      </Section>
    </>
  );
}

/** @returns `submit`, which makes a change, and `done`, which comes after one: it reads the list again, and tells a text. */
function useChange() {
  const queries = useQueryClient();
  const notify = useNotify();
  const done = async (text: string) => {
    await queries.invalidateQueries({ queryKey: webhooksKey });
    notify(text);
  };
  const submission = useSubmit(async (work: () => Promise<unknown>, text: string) => {
    await work();
    await done(text);
  });
  return { ...submission, done };
}

function MainActions({ webhook }: { webhook: Webhook }) {
  const texts = words.webhooks;
  const [isEditing, setEditing] = useState(false);
  const { submit, isBusy, problem, done } = useChange();
  const { id, isEnabled } = webhook;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button variant="default" onClick={() => setEditing(true)}>
          {texts.edit}
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
      {isEditing && (
        <WebhookDialog
          edited={webhook}
          onClose={() => setEditing(false)}
          onSaved={(saved) => {
            setEditing(false);
            return done(texts.saved(titleOf(saved)));
          }}
        />
      )}
    </Stack>
  );
}

function FurtherActions({ webhook }: { webhook: Webhook }) {
  const texts = words.webhooks;
  const navigate = useNavigate();
  const [ask, question] = useConfirm();
  const [isRotating, setRotating] = useState(false);
  const { submit, isBusy, problem, done } = useChange();
  const { id, isEnabled } = webhook;
  const name = titleOf(webhook);
  const turn = () =>
    submit(
      () => latchkey.call('Webhook/Update', { id, isEnabled: !isEnabled }),
      isEnabled ? texts.disabled(name) : texts.enabled(name),
    );
  const remove = () =>
    ask({
      title: texts.removeTitle(name),
      text: texts.removeText,
      yes: texts.remove,
      run: async () => {
        const from = location.pathname;
        await latchkey.call('Webhook/Delete', { id });
        // A reader who has left meanwhile stays there.
        if (location.pathname === from) await navigate('/webhooks');
        await done(texts.removed(name));
      },
    });
  return (
    <Stack gap="sm">
      <Group gap="xs" role="group" aria-label={texts.actions}>
        <Button variant="default" onClick={turn} loading={isBusy}>
          {isEnabled ? texts.disable : texts.enable}
        </Button>
        <Button variant="default" onClick={() => setRotating(true)}>
          {texts.rotation.open}
        </Button>
        <DangerButton onClick={remove}>{texts.remove}</DangerButton>
      </Group>
      <ProblemNotice problem={problem} />
      {isRotating && (
        <RotateDialog
          texts={{ ...texts.rotation, title: texts.rotation.title(name), shown: texts.created }}
          rotate={async () => (await latchkey.call('Webhook/RotateSecret', { id })).secret}
          onClose={() => setRotating(false)}
        />
      )}
      {question}
    </Stack>
  );
}
