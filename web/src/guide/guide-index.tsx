// The list of all guides, by topic, and the search over them.
import { Anchor, List, Paper, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { Empty, LoadFailure, Page } from '../ui/page.tsx';
import { words } from '../words/index.ts';
import { listGuides, titles } from './guides.ts';
import { LanguageNote } from './language-note.tsx';
import { useGuideSearch } from './search.ts';

/** The most places that the search shows. */
const MOST = 50;

export function GuideIndex() {
  const [query, setQuery] = useState('');
  return (
    <Page title={words.guide.title}>
      <LanguageNote />
      <TextInput
        type="search"
        label={words.guide.search}
        placeholder={words.guide.searchHint}
        maw={400}
        value={query}
        onChange={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      {query.trim() === '' ? (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {listGuides().map(([topic, names]) => (
            <Topic key={topic} label={words.guide.topics[topic]} names={names} />
          ))}
        </SimpleGrid>
      ) : (
        <Results query={query} />
      )}
    </Page>
  );
}

function Results({ query }: { query: string }) {
  const { places, isThere, error, refetch } = useGuideSearch(query);
  const count = places.length;
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {count > 0 && (count > MOST ? words.list.moreThan(MOST) : words.list.total(count))}
      </Text>
      {error && <LoadFailure error={error} retry={refetch} />}
      {isThere && !error && count === 0 && <Empty>{words.guide.none}</Empty>}
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none', overflowWrap: 'anywhere' }} lang="en">
        {places.slice(0, MOST).map(({ path, title, heading }) => (
          <li key={path}>
            <Anchor component={Link} to={path} fw={600} size="sm">
              {heading || title}
            </Anchor>
            {heading !== '' && (
              <Text size="sm" c="dimmed">
                {title}
              </Text>
            )}
          </li>
        ))}
      </Stack>
    </Stack>
  );
}

function Topic({ label, names }: { label: string; names: readonly string[] }) {
  const id = useId();
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb="xs">
        {label}
      </Title>
      <List className="links" listStyleType="none" spacing={4} lang="en">
        {names.map((name) => (
          <List.Item key={name}>
            <Anchor component={Link} to={`/guide/${name}`}>
              {titles[name]}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Paper>
  );
}
