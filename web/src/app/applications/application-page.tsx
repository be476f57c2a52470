// The page of one application: what is set, and what can be done with it.
import { Button, Code, Group, Stack, Tabs } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { CopyValue } from '../../ui/copy-button.tsx';
import { DangerButton } from '../../ui/danger-button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { useNotify } from '../../ui/notify.tsx';
import { Empty, LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { Fact, Facts, Section } from '../../ui/section.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/all.ts';
import { FrontEndName } from '../audit/names.tsx';
import { type Application, applicationsKey, useApplications } from './application.ts';
import { State } from './applications-page.tsx';
import { Connect } from './connect.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { RotateSecret } from './rotate-secret.tsx';

export function ApplicationPage() {
  const { id } = useParams();
  const { data, error, isPending, refetch } = useApplications();
  const application = data?.items.find((one) => one.id === id);
  const texts = words.applications;
  return (
    <Page
      title={application?.name ?? texts.one}
      trail={[{ path: '/applications', label: texts.title }]}
      actions={application && <MainActions application={application} />}
    >
      {isPending && <Loading />}
      {error && <LoadFailure error={error} retry={refetch} />}
      {data && !application && <Empty>{texts.unknown}</Empty>}
      {application && <Parts application={application} />}
    </Page>
  );
}

const CONNECT = 'connect';

/** The tabs. The address names the open one, so that a link leads to it. */
function Parts({ application }: { application: Application }) {
  const texts = words.applications;
  const [query, setQuery] = useSearchParams();
  const open = query.get('tab') === CONNECT ? CONNECT : 'application';
  return (
    <Tabs value={open} onChange={(tab) => setQuery(tab === CONNECT ? { tab } : {})} keepMounted={false}>
      <Tabs.List mb="lg">
        <Tabs.Tab value="application">{texts.one}</Tabs.Tab>
        <Tabs.Tab value={CONNECT}>{words.connect.tab}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="application">
        <Section title={texts.one}>
          <State application={application} />
          <ApplicationFacts application={application} />
          <FurtherActions application={application} />
        </Section>
      </Tabs.Panel>
      <Tabs.Panel value={CONNECT}>
        <Connect application={application} />
      </Tabs.Panel>
    </Tabs>
  );
}

function ApplicationFacts({ application }: { application: Application }) {
  const { columns, fields, kinds, everybody } = words.applications;
  const { kind, clientId, redirectUris, postLogoutRedirectUris, backchannelLogoutUri } = application;
  return (
    <Facts>
      <Fact label={columns.clientId}>
        {clientId} <CopyValue value={clientId} label={columns.clientId} />
      </Fact>
      <Fact label={columns.kind}>{kinds[kind]}</Fact>
      {kind !== 'machine' && (
        <>
          <Fact label={fields.redirectUris}>
            <Lines values={redirectUris} />
          </Fact>
          <Fact label={fields.postLogoutRedirectUris}>
            <Lines values={postLogoutRedirectUris} />
          </Fact>
          <Fact label={fields.backchannelLogoutUri}>
            <Lines values={backchannelLogoutUri === null ? [] : [backchannelLogoutUri]} />
          </Fact>
          <Fact label={fields.allowedRoles}>{application.allowedRoles.join(', ') || everybody}</Fact>
          <Fact label={fields.frontEnd}>
            <FrontEndName appKey={application.frontEnd} />
          </Fact>
        </>
      )}
      <Fact label={fields.scopes}>
        <Lines values={application.scopes} />
      </Fact>
      {application.resources.length > 0 && (
        <Fact label={fields.resources}>
          <Lines values={application.resources} />
        </Fact>
      )}
      <Fact label={columns.createdAt}>
        <Moment at={application.createdAt} />
      </Fact>
    </Facts>
  );
}

/** They are at hand on both tabs. */
function MainActions({ application }: { application: Application }) {
  const texts = words.applications;
  const queries = useQueryClient();
  const notify = useNotify();
  const [open, setOpen] = useState<'edit' | 'rotate'>();
  const close = () => setOpen(undefined);
  return (
    <Group gap="xs">
      {application.authentication === 'secret' && (
        <Button variant="default" onClick={() => setOpen('rotate')}>
          {texts.rotation.open}
        </Button>
      )}
      <Button onClick={() => setOpen('edit')}>{texts.edit}</Button>
      {open === 'edit' && (
        <EditDialog
          application={application}
          onClose={close}
          onSaved={async (saved) => {
            close();
            await queries.invalidateQueries({ queryKey: applicationsKey });
            notify(texts.saved(saved.name));
          }}
        />
      )}
      {open === 'rotate' && <RotateSecret application={application} onClose={close} />}
    </Group>
  );
}

function FurtherActions({ application: { id, name, isEnabled } }: { application: Application }) {
  const texts = words.applications;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const notify = useNotify();
  const [ask, question] = useConfirm();
  const reread = () => queries.invalidateQueries({ queryKey: applicationsKey });
  const { submit, isBusy, problem } = useSubmit(async () => {
    await latchkey.call('Application/Update', { id, isEnabled: true });
    await reread();
    notify(texts.enabled(name));
  });
  const disable = () =>
    ask({
      title: texts.disableTitle(name),
      text: texts.disableText,
      yes: texts.disable,
      run: async () => {
        await latchkey.call('Application/Update', { id, isEnabled: false });
        await reread();
        notify(texts.disabled(name));
      },
    });
  const remove = () =>
    ask({
      title: texts.removeTitle(name),
      text: texts.removeText,
      yes: texts.remove,
      run: async () => {
        const from = location.pathname;
        await latchkey.call('Application/Delete', { id });
        // A reader who has left meanwhile stays there.
        if (location.pathname === from) await navigate('/applications');
        await reread();
        notify(texts.removed(name));
      },
    });
  return (
    <Stack gap="sm">
      <Group gap="xs" role="group" aria-label={texts.actions}>
        <Button variant="default" onClick={() => (isEnabled ? disable() : submit())} loading={isBusy}>
          {isEnabled ? texts.disable : texts.enable}
        </Button>
        <DangerButton onClick={remove}>{texts.remove}</DangerButton>
      </Group>
      <ProblemNotice problem={problem} />
      {question}
    </Stack>
  );
}

function Lines({ values }: { values: readonly string[] }) {
  if (values.length === 0) return words.applications.none;
  return values.map((value) => (
    <div key={value}>
      <Code>{value}</Code>
    </div>
  ));
}
