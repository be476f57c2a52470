// The page of one provider: what is set, its test, and what can be done with it.
import { Alert, Button, Code, Group, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { DangerButton } from '../../ui/danger-button.tsx';
import { describeDay } from '../../ui/format.ts';
import { Moment } from '../../ui/moment.tsx';
import { useNotify } from '../../ui/notify.tsx';
import { Empty, LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { describeFault } from '../../ui/problem.ts';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { Fact, Facts, Section } from '../../ui/section.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/all.ts';
import { EditDialog } from './edit-dialog.tsx';
import { HistoryDialog } from './history-dialog.tsx';
import {
  type Change,
  describeType,
  ENDPOINTS,
  isUndoable,
  type Provider,
  type ProviderType,
  providersKey,
  restore,
  undoChange,
  useProviders,
  useTypes,
} from './provider.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { State } from './state.tsx';
import { type Steps, TestSteps } from './test-steps.tsx';
import { TypeGuide } from './type-guide.tsx';

export function ProviderPage() {
  const { id } = useParams();
  const texts = words.externalProviders;
  const providers = useProviders();
  const types = useTypes();
  const { error, refetch } = providers.error ? providers : types;
  const provider = providers.data?.items.find((one) => one.id === id);
  const type = types.data?.find((one) => one.type === provider?.type);
  const [steps, setSteps] = useState<Steps>();
  return (
    <Page
      title={provider?.displayName ?? texts.one}
      trail={[{ path: '/external-providers', label: texts.title }]}
      actions={provider && type && <MainActions provider={provider} type={type} onSteps={setSteps} />}
    >
      {(providers.isPending || types.isPending) && <Loading />}
      {error && <LoadFailure error={error} retry={refetch} />}
      {providers.data && !provider && <Empty>{texts.unknown}</Empty>}
      {provider && type && (
        <>
          <Section title={texts.one}>
            <State provider={provider} />
            {provider.isReplacedByCode && (
              <Alert color="orange" variant="light">
                {texts.replacedText}
              </Alert>
            )}
            <Warnings warnings={provider.warnings} />
            <Settings provider={provider} type={type} />
            {steps && <TestSteps steps={steps} />}
            <FurtherActions provider={provider} type={type} onSteps={setSteps} />
          </Section>
          <TypeGuide type={type} uri={provider.redirectUri} />
        </>
      )}
    </Page>
  );
}

/** What an administrator should know: the provider works, and may let in other people than intended. */
function Warnings({ warnings }: Pick<Provider, 'warnings'>) {
  const table = words.externalProviders.messages;
  return warnings.map((message) => (
    <Alert key={message} color="orange" variant="light">
      {describeFault({ message, members: [] }, table)}
    </Alert>
  ));
}

function Settings({ provider, type }: { provider: Provider; type: ProviderType }) {
  const texts = words.externalProviders;
  const { columns, fields, secret } = texts;
  const { endpoints, scopes, allowedDomains, secretExpiresAt } = provider;
  const isApple = type.needs.includes('privateKey');
  const has = isApple ? provider.hasPrivateKey : provider.hasClientSecret;
  return (
    <Facts>
      <Fact label={columns.type}>{describeType(type)}</Fact>
      <Fact label={fields.name}>{provider.name}</Fact>
      <Fact label={fields.clientId}>{provider.clientId}</Fact>
      {(['issuer', 'tenant', 'teamId', 'keyId'] as const).map(
        (name) =>
          provider[name] !== null && (
            <Fact key={name} label={fields[name]}>
              {provider[name]}
            </Fact>
          ),
      )}
      {endpoints &&
        ENDPOINTS.map(
          (name) =>
            endpoints[name] !== null && (
              <Fact key={name} label={texts.endpoints[name]}>
                {endpoints[name]}
              </Fact>
            ),
        )}
      <Fact label={isApple ? fields.privateKey : fields.clientSecret}>{has ? secret.stored : secret.none}</Fact>
      {secretExpiresAt !== null && <Fact label={fields.secretExpiresAt}>{describeDay(secretExpiresAt)}</Fact>}
      <Fact label={fields.scopes}>
        <Code>{(scopes.length > 0 ? scopes : type.scopes).join(' ')}</Code>
      </Fact>
      <Fact label={fields.emailTrust}>{texts.trusts[provider.emailTrust]}</Fact>
      <Fact label={fields.registersNewUsers}>
        {provider.registersNewUsers ? allowedDomains.join(', ') || texts.everybody : texts.nobody}
      </Fact>
      {provider.roleForNewUsers !== null && <Fact label={fields.roleForNewUsers}>{provider.roleForNewUsers}</Fact>}
      <Fact label={columns.createdAt}>
        <Moment at={provider.createdAt} />
      </Fact>
    </Facts>
  );
}

type ActionProps = {
  provider: Provider;
  type: ProviderType;
  /** Gets the steps of a test, and nothing when they are out of date. */
  onSteps: (steps: Steps | undefined) => void;
};

/** @returns what an administrator can do with the provider, and the question before it is deleted. */
function useActions({ provider, onSteps }: ActionProps) {
  const texts = words.externalProviders;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const notify = useNotify();
  const [ask, question] = useConfirm();
  const { id, displayName: name, isEnabled } = provider;
  const reread = () => queries.invalidateQueries({ queryKey: providersKey });
  const done = async (text: string, change?: Change) => {
    onSteps(undefined);
    await reread();
    notify(text, change && isUndoable(change) ? () => undoChange(change).then(reread) : undefined);
  };
  const { submit, isBusy, problem } = useSubmit((work: () => Promise<unknown>) => work());
  return {
    question,
    isBusy,
    problem,
    done,
    test: () =>
      submit(async () => {
        onSteps(undefined);
        onSteps((await latchkey.call('ExternalProvider/Test', { id })).steps);
      }),
    turn: () =>
      submit(async () => {
        const after = await latchkey.call('ExternalProvider/Update', { id, isEnabled: !isEnabled });
        const text = after.isEnabled ? texts.enabled(name) : texts.disabled(name);
        await done(text, { before: provider, after, changed: ['isEnabled'] });
      }),
    remove: () =>
      submit(async () => {
        const { externalLogins = 0 } = await latchkey.call('ExternalProvider/Get', { id });
        ask({
          title: texts.removeTitle(name),
          text: texts.removeText(externalLogins),
          yes: texts.remove,
          run: async () => {
            const from = location.pathname;
            await latchkey.call('ExternalProvider/Delete', { id });
            // A reader who has left meanwhile stays there.
            if (location.pathname === from) await navigate('/external-providers');
            await done(texts.removed(name));
          },
        });
      }),
  };
}

function MainActions(props: ActionProps) {
  const { provider, type } = props;
  const texts = words.externalProviders;
  const { isBusy, problem, done, test } = useActions(props);
  const [isEditing, setEditing] = useState(false);
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button variant="default" onClick={() => setEditing(true)}>
          {texts.edit}
        </Button>
        <Button onClick={test} loading={isBusy}>
          {texts.test.open}
        </Button>
      </Group>
      <ProblemNotice problem={problem} />
      {isEditing && (
        <EditDialog
          provider={provider}
          type={type}
          onClose={() => setEditing(false)}
          onSaved={(change) => {
            setEditing(false);
            return done(texts.saved(provider.displayName), change);
          }}
        />
      )}
    </Stack>
  );
}

function FurtherActions(props: ActionProps) {
  const { provider, type } = props;
  const texts = words.externalProviders;
  const { question, isBusy, problem, done, turn, remove } = useActions(props);
  const [open, setOpen] = useState<'secret' | 'history'>();
  const { displayName: name } = provider;
  const dialog = { provider, type, onClose: () => setOpen(undefined) };
  const close = async (text: string, change?: Change) => {
    setOpen(undefined);
    await done(text, change);
  };
  return (
    <Stack gap="sm">
      <Group gap="xs" role="group" aria-label={texts.actions}>
        <Button variant="default" onClick={() => setOpen('secret')}>
          {texts.secret.open}
        </Button>
        <Button variant="default" onClick={() => setOpen('history')}>
          {words.settings.history.open}
        </Button>
        <Button variant="default" onClick={turn} disabled={isBusy}>
          {provider.isEnabled ? texts.disable : texts.enable}
        </Button>
        <DangerButton onClick={remove} disabled={isBusy}>
          {texts.remove}
        </DangerButton>
      </Group>
      <ProblemNotice problem={problem} />
      {open === 'secret' && <SecretDialog {...dialog} onSaved={() => close(texts.secret.done(name))} />}
      {open === 'history' && (
        <HistoryDialog
          {...dialog}
          onRestore={async (change, isLatest) => close(texts.saved(name), await restore(provider, change, isLatest))}
        />
      )}
      {question}
    </Stack>
  );
}
