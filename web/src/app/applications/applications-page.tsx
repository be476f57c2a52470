// The page "Applications": the programs that people sign in to with this service.
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Empty, LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { Records } from '../../ui/records.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { words } from '../../words/all.ts';
import { useCreation } from '../use-creation.ts';
import { AddDialog } from './add-dialog.tsx';
import { type Application, applicationsKey, useApplications } from './application.ts';

export function ApplicationsPage() {
  const queries = useQueryClient();
  const [isOpen, setOpen] = useCreation();
  const texts = words.applications;
  const { data, error, isPending, refetch } = useApplications();
  return (
    <Page title={texts.title} actions={<Button onClick={() => setOpen(true)}>{texts.add}</Button>}>
      <Text>{texts.reason}</Text>
      {isPending && <Loading />}
      {error && <LoadFailure error={error} retry={refetch} />}
      {data?.items.length === 0 && <Empty>{texts.empty}</Empty>}
      {data && data.items.length > 0 && <ApplicationTable applications={data.items} />}
      {isOpen && (
        <AddDialog
          onClose={() => setOpen(false)}
          onAdded={() => queries.invalidateQueries({ queryKey: applicationsKey })}
        />
      )}
    </Page>
  );
}

/** Whether people can sign in to the application, as a badge. */
export function State({ application: { isEnabled } }: { application: Application }) {
  const { states } = words.applications;
  return (
    <StatusBadge colour={isEnabled ? 'green' : 'gray'}>{isEnabled ? states.enabled : states.disabled}</StatusBadge>
  );
}

function ApplicationTable({ applications }: { applications: readonly Application[] }) {
  const { title, columns, kinds, everybody } = words.applications;
  return (
    <Records
      label={title}
      records={applications}
      keyOf={({ id }) => id}
      columns={[
        {
          key: 'name',
          label: columns.name,
          width: 36,
          isLead: true,
          cell: ({ id, name, clientId }) => (
            <Stack gap={0}>
              <Anchor component={Link} to={`/applications/${id}`} size="sm" fw={600}>
                {name}
              </Anchor>
              <Text size="xs" c="dimmed">
                {clientId}
              </Text>
            </Stack>
          ),
        },
        { key: 'kind', label: columns.kind, cell: ({ kind }) => <Text size="sm">{kinds[kind]}</Text> },
        {
          key: 'roles',
          label: columns.roles,
          cell: ({ kind, allowedRoles }) =>
            kind === 'machine' ? null : <Text size="sm">{allowedRoles.join(', ') || everybody}</Text>,
        },
        {
          key: 'state',
          label: columns.state,
          width: 18,
          cell: (application) => !application.isEnabled && <State application={application} />,
        },
      ]}
    />
  );
}
