// The search over all settings: its field, and what it finds.
import { Anchor, CloseButton, Paper, Stack, Text, TextInput } from '@mantine/core';
import { Link } from 'react-router';
import { Empty } from '../../ui/page.tsx';
import { words } from '../../words/all.ts';
import { linkTo, useSettings } from './context.ts';
import { findSettings } from './find-settings.ts';

export function SearchField({ query, onQuery }: { query: string; onQuery: (query: string) => void }) {
  const text = words.settings.search;
  return (
    <TextInput
      type="search"
      label={text.label}
      placeholder={text.hint}
      value={query}
      onChange={({ currentTarget }) => onQuery(currentTarget.value)}
      onKeyDown={({ key }) => key === 'Escape' && onQuery('')}
      rightSection={query !== '' && <CloseButton size={24} aria-label={text.clear} onClick={() => onQuery('')} />}
      w={{ base: '100%', md: 320 }}
      style={{ flexShrink: 0 }}
    />
  );
}

/** @param props.onOpen is called when the user follows a link. */
export function SearchResults(props: { query: string; frontEnd: string | undefined; onOpen: () => void }) {
  const { query, frontEnd, onOpen } = props;
  const { definitions } = useSettings();
  const found = findSettings(definitions, query);
  const text = words.settings.search;
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {found.length === 0 ? '' : text.found(found.length)}
      </Text>
      {found.length === 0 && (
        <Empty>
          {text.none}
          <br />
          {text.environment}{' '}
          <Anchor component={Link} to="/guide/operating#environment" underline="always">
            {text.guide}
          </Anchor>
        </Empty>
      )}
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {found.map(({ definition, member }) => (
          <Paper key={definition.name} component="li" withBorder p="sm">
            <Anchor component={Link} to={linkTo(definition, frontEnd)} onClick={onOpen} fw={600}>
              {definition.label}
            </Anchor>
            <Text size="sm" c="dimmed">
              {definition.scope === 'general' ? words.settings.scope.general : words.settings.scope.frontEnd}
              {` › ${definition.categoryLabel}`}
              {member !== undefined && ` › ${member}`}
            </Text>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {definition.description}
            </Text>
          </Paper>
        ))}
      </Stack>
    </Stack>
  );
}
