// The search over all settings: by label, description, name, category, the fields of forms, and other words for them.
import { Anchor, CloseButton, Paper, Stack, Text, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { Link } from 'react-router';
import { Empty } from '../../ui/page.tsx';
import { words } from '../../words/all.ts';
import { linkTo, useSettings } from './context.ts';
import type { Definition, Schema } from './definition.ts';
import { synonymsOf } from './synonyms.ts';

export function SearchField({ query, onQuery }: { query: string; onQuery: (query: string) => void }) {
  const text = words.settings.search;
  return (
    <TextInput
      type="search"
      aria-label={text.label}
      placeholder={text.label}
      value={query}
      onChange={({ currentTarget }) => onQuery(currentTarget.value)}
      onKeyDown={({ key }) => key === 'Escape' && onQuery('')}
      leftSection={<Search size={16} strokeWidth={1.75} aria-hidden />}
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
      {found.length === 0 && <Empty>{text.none}</Empty>}
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

type Found = { readonly definition: Definition; readonly member: string | undefined };

/** Returns the settings that have every word of the query, those with it in their label first. */
function findSettings(definitions: readonly Definition[], query: string): Found[] {
  const wanted = fold(query).split(/\s+/).filter(Boolean);
  const hasAll = (text: string) => wanted.every((word) => text.includes(word));
  return definitions
    .flatMap((definition) => {
      const { label, description, name, categoryName, categoryLabel, schema } = definition;
      const members = Object.entries(schema.properties ?? {}).map(([member, inner]) => describeMember(member, inner));
      const own = fold([label, description, name, categoryName, categoryLabel].join(' '));
      const text = [own, ...members.map((one) => one.text), fold(synonymsOf(name))].join(' ');
      if (!hasAll(text)) return [];
      const member = members.find((one) => hasAll(one.text))?.title;
      const rank = hasAll(fold(label)) ? 0 : hasAll(own) ? 1 : 2;
      return [{ definition, member: rank === 2 ? member : undefined, rank }];
    })
    .toSorted((a, b) => a.rank - b.rank || a.definition.order - b.definition.order);
}

const describeMember = (member: string, { title = member, description = '' }: Schema) => ({
  title,
  text: fold([member, title, description].join(' ')),
});

/** Case and accents do not matter. */
const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
