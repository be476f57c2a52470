// The page "API explorer": all calls of the service, by group.
import { Anchor, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { at } from '../api/base-path.ts';
import { matcherOf } from '../ui/match.ts';
import { Empty, LoadFailure, Loading, Page } from '../ui/page.tsx';
import { words } from '../words/all.ts';
import { CallName } from './call-name.tsx';
import { type Operation, useApi } from './document.ts';

export function ExplorerPage() {
  const { data, error, refetch } = useApi();
  const [typed, setTyped] = useState('');
  const isSearching = typed.trim() !== '';
  const matches = matcherOf(typed);
  const found = data?.operations.filter(({ path, summary }) => matches(`${path} ${summary}`));
  const groups = Object.entries(Object.groupBy(found ?? [], ({ group }) => group));
  return (
    <Page title={words.api.title}>
      <Text>
        {words.api.reason}{' '}
        <Anchor href={at('/openapi.json')} underline="always">
          {words.api.document}
        </Anchor>
      </Text>
      <TextInput
        type="search"
        label={words.api.search}
        placeholder={words.api.searchHint}
        maw={400}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {!data && !error && <Loading rows={8} />}
      {error && <LoadFailure error={error} retry={refetch} />}
      {data && groups.length === 0 && <Empty>{words.api.empty}</Empty>}
      {groups.map(([group, operations = []]) => (
        <Group key={`${group} ${isSearching}`} name={group} operations={operations} isOpen={isSearching} />
      ))}
    </Page>
  );
}

/** Closed until the reader opens it or searches: there are a hundred calls. */
function Group(props: { name: string; operations: readonly Operation[]; isOpen: boolean }) {
  const { name, operations, isOpen } = props;
  return (
    <Paper component="details" withBorder p="md" lang="en" open={isOpen}>
      <summary className="thumb">
        <Title order={2} size="h4" display="inline">
          {name}
        </Title>{' '}
        <Text span size="sm" c="dimmed" lang={document.documentElement.lang}>
          {words.api.count(operations.length)}
        </Text>
      </summary>
      <Stack component="ul" gap="sm" m={0} mt="sm" p={0} style={{ listStyle: 'none', overflowWrap: 'anywhere' }}>
        {operations.map((operation) => (
          <li key={operation.id}>
            <Anchor component={Link} to={`/api/${operation.id}`} fw={600} size="sm" display="inline-block" py={2}>
              <CallName name={operation.name} />
            </Anchor>
            <Text size="sm">{operation.summary}</Text>
          </li>
        ))}
      </Stack>
    </Paper>
  );
}
