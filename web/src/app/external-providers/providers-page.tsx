// The page "External providers": the systems through which people sign in here.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Empty, LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { ProviderIcon } from '../../ui/provider-icon.tsx';
import { Records } from '../../ui/records.tsx';
import { words } from '../../words/all.ts';
import { describeType, type Provider, type ProviderType, useProviders, useTypes } from './provider.ts';
import { State } from './state.tsx';

export function ProvidersPage() {
  const texts = words.externalProviders;
  const { data, error, isPending, refetch } = useProviders();
  const { data: types = [] } = useTypes();
  const add = (
    <Button component={Link} to="/external-providers/add">
      {texts.add}
    </Button>
  );
  return (
    <Page title={texts.title} actions={add}>
      <Text>{texts.reason}</Text>
      {isPending && <Loading />}
      {error && <LoadFailure error={error} retry={refetch} />}
      {data?.items.length === 0 && <Empty>{texts.empty}</Empty>}
      {data && data.items.length > 0 && <ProviderTable providers={data.items} types={types} />}
    </Page>
  );
}

function ProviderTable({ providers, types }: { providers: readonly Provider[]; types: readonly ProviderType[] }) {
  const { title, columns } = words.externalProviders;
  const typeOf = ({ type }: Provider) => types.find((one) => one.type === type);
  return (
    <Records
      label={title}
      records={providers}
      keyOf={({ id }) => id}
      columns={[
        {
          key: 'displayName',
          label: columns.displayName,
          width: 36,
          isLead: true,
          cell: (provider) => (
            <Group gap="sm" wrap="nowrap">
              <ProviderIcon icon={typeOf(provider)?.icon ?? null} />
              <Stack gap={0} miw={0} style={{ overflowWrap: 'anywhere' }}>
                <Anchor component={Link} to={`/external-providers/${provider.id}`} size="sm" fw={600}>
                  {provider.displayName}
                </Anchor>
                {provider.displayName !== provider.name && (
                  <Text size="xs" c="dimmed">
                    {provider.name}
                  </Text>
                )}
              </Stack>
            </Group>
          ),
        },
        {
          key: 'type',
          label: columns.type,
          cell: (provider) => {
            const type = typeOf(provider);
            return <Text size="sm">{type && describeType(type)}</Text>;
          },
        },
        {
          key: 'state',
          label: columns.state,
          width: 34,
          cell: (provider) => <State provider={provider} isException />,
        },
      ]}
    />
  );
}
