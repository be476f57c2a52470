// The table of contents: the categories, with the number of changed and of unsaved settings in each.
import { Badge, Box, Group, NativeSelect, NavLink, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useId } from 'react';
import { Link, useNavigate } from 'react-router';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { words } from '../../words/all.ts';
import { useSettings } from './context.ts';
import type { Category } from './definition.ts';
import { placeOf } from './values.ts';

/** Below this width the contents are a select above the section. */
export const NARROW = '(max-width: 62em)';

type Entry = {
  readonly category: Category;
  readonly to: string;
  readonly counts: string[];
  readonly changed: number;
  readonly unsaved: number;
};

export function Contents(props: {
  categories: readonly Category[];
  chosen: Category;
  frontEnd: string | undefined;
  linkTo: (category: Category) => string;
}) {
  const { categories, chosen, frontEnd, linkTo } = props;
  const { values, edits } = useSettings();
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const text = words.settings.counts;
  const entries = categories.map((category): Entry => {
    const isHere = category.definitions.map((one) => [one, placeOf(one, frontEnd)] as const);
    const changed = isHere.filter(([one, appKey]) => values.isChanged(one, appKey)).length;
    const unsaved = isHere.filter(([one, appKey]) => edits.find(one, appKey)).length;
    const counts = [changed > 0 && text.changed(changed), unsaved > 0 && text.unsaved(unsaved)];
    return { category, to: linkTo(category), changed, unsaved, counts: counts.filter((count) => count !== false) };
  });
  return isNarrow ? <Chooser entries={entries} chosen={chosen} /> : <Links entries={entries} chosen={chosen} />;
}

function Links({ entries, chosen }: { entries: readonly Entry[]; chosen: Category }) {
  return (
    <Box
      component="nav"
      aria-label={words.settings.categories}
      w={220}
      style={{ flexShrink: 0, alignSelf: 'flex-start' }}
      pos="sticky"
      top={76}
    >
      <Stack gap={2}>
        {entries.map((entry) => (
          <CategoryLink key={entry.category.name} entry={entry} isChosen={entry.category.name === chosen.name} />
        ))}
      </Stack>
    </Box>
  );
}

function CategoryLink({ entry, isChosen }: { entry: Entry; isChosen: boolean }) {
  const { category, to, counts, changed, unsaved } = entry;
  const id = useId();
  return (
    <>
      <NavLink
        component={Link}
        to={to}
        label={category.label}
        active={isChosen}
        aria-label={category.label}
        {...(isChosen && { 'aria-current': 'page' })}
        {...(counts.length > 0 && { 'aria-describedby': id })}
        style={{ borderRadius: 'var(--mantine-radius-md)' }}
        rightSection={
          <Group gap={4} wrap="nowrap" aria-hidden>
            {changed > 0 && (
              <Badge size="sm" variant="default" circle={changed < 10}>
                {changed}
              </Badge>
            )}
            {unsaved > 0 && (
              <Badge size="sm" color="orange" variant="light" circle={unsaved < 10}>
                {unsaved}
              </Badge>
            )}
          </Group>
        }
      />
      {counts.length > 0 && <VisuallyHidden id={id}>{counts.join(', ')}</VisuallyHidden>}
    </>
  );
}

function Chooser({ entries, chosen }: { entries: readonly Entry[]; chosen: Category }) {
  const navigate = useNavigate();
  const counts = entries.find(({ category }) => category.name === chosen.name)?.counts ?? [];
  return (
    <NativeSelect
      label={words.settings.section}
      description={counts.join(', ')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={chosen.name}
      onChange={({ currentTarget }) => {
        const entry = entries.find(({ category }) => category.name === currentTarget.value);
        if (entry) void navigate(entry.to);
      }}
      data={entries.map(({ category, changed, unsaved }) => ({
        value: category.name,
        label: changed + unsaved === 0 ? category.label : `${category.label} (${changed + unsaved})`,
      }))}
    />
  );
}
