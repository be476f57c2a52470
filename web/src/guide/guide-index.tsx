// The list of all guides, by topic.
import { Anchor, List, Paper, SimpleGrid, Title } from '@mantine/core';
import { useId } from 'react';
import { Link } from 'react-router';
import { Page } from '../ui/page.tsx';
import { words } from '../words/index.ts';
import { listGuides, titles } from './guides.ts';

export function GuideIndex() {
  return (
    <Page title={words.guide.title}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {listGuides().map(([topic, names]) => (
          <Topic key={topic} label={words.guide.topics[topic]} names={names} />
        ))}
      </SimpleGrid>
    </Page>
  );
}

function Topic({ label, names }: { label: string; names: readonly string[] }) {
  const id = useId();
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb="xs">
        {label}
      </Title>
      <List listStyleType="none" spacing={4} lang="en">
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
