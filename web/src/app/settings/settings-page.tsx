// The page "Settings": built from the service's definitions, for general settings or for one front end.
import { Box, Button, Flex, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ListChecks } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { Means } from '../../api/means.ts';
import { Empty, LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { words } from '../../words/all.ts';
import { CompareView } from './compare-view.tsx';
import { Contents, NARROW } from './contents.tsx';
import { linkTo, SettingsContext } from './context.ts';
import { type Category, DEFAULT_FRONT_END, type Definition, groupByCategory } from './definition.ts';
import { isMessage } from './messages/message.ts';
import { PresetsDialog } from './presets-dialog.tsx';
import { SaveBar } from './save-bar.tsx';
import { type FrontEnd, ScopeChooser, type View } from './scope-chooser.tsx';
import { Section } from './section.tsx';
import { SearchField, SearchResults } from './setting-search.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';
import { type Edit, useEdits } from './use-edits.ts';
import { overridesQuery, pageQuery } from './use-setting.ts';
import { createValues, type Override } from './values.ts';

export function SettingsPage() {
  const page = useQuery(pageQuery);
  const overrides = useQuery(overridesQuery);
  const failed = [page, overrides].find(({ isLoadingError }) => isLoadingError);
  const [isPresetsOpen, setPresetsOpen] = useState(false);
  const isLoaded = page.data && overrides.data;
  const presets = (
    <Button
      variant="default"
      leftSection={<ListChecks size={16} strokeWidth={1.75} aria-hidden />}
      onClick={() => setPresetsOpen(true)}
      disabled={!isLoaded}
    >
      {words.settings.presets.open}
    </Button>
  );
  return (
    <Page title={words.settings.title} actions={presets}>
      {failed && <LoadFailure error={failed.error} retry={failed.refetch} />}
      {!failed && !isLoaded && <Loading rows={8} />}
      {page.data && overrides.data && (
        <LoadedPage
          {...page.data}
          overrides={overrides.data}
          isPresetsOpen={isPresetsOpen}
          closePresets={() => setPresetsOpen(false)}
        />
      )}
    </Page>
  );
}

/** The part of the page that its address names. */
type Place = { readonly view: View; readonly frontEnd?: string | undefined; readonly category?: string };

const queryOf = ({ view, frontEnd, category }: Place) =>
  `?${new URLSearchParams({
    ...(view === 'compare' && { view }),
    ...(view === 'frontEnd' && frontEnd !== undefined && { frontEnd }),
    ...(category !== undefined && { category }),
  })}`;

function LoadedPage(props: {
  definitions: readonly Definition[];
  frontEnds: readonly FrontEnd[];
  means: Means;
  overrides: readonly Override[];
  isPresetsOpen: boolean;
  closePresets: () => void;
}) {
  const { definitions, frontEnds, means, isPresetsOpen, closePresets } = props;
  // The cache has a saved value before the query tells of it. Its draft is gone by then: a field would show the former value
  // for a moment, and with Preact a number that changes twice in a frame renders without end.
  const overrides = useQueryClient().getQueryData(overridesQuery.queryKey) ?? props.overrides;
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const [searched, setSearched] = useState('');
  const values = useMemo(() => createValues(overrides), [overrides]);
  const edits = useEdits(
    focusSetting,
    ({ definition, appKey }: Edit) => void navigate(linkTo(definition, appKey, isMessage(definition))),
  );
  const state = useMemo(
    () => ({ definitions, frontEnds, means, values, edits }),
    [definitions, frontEnds, means, values, edits],
  );

  const marked = definitions.find(({ name }) => name === query.get('setting'));
  const isForFrontEnd = query.has('frontEnd') || marked?.scope === 'frontEnd';
  const wanted = frontEnds.find(({ appKey }) => appKey === (query.get('frontEnd') ?? DEFAULT_FRONT_END));
  const frontEnd = isForFrontEnd ? wanted : undefined;
  const view: View = query.get('view') === 'compare' ? 'compare' : frontEnd ? 'frontEnd' : 'general';
  const categories = groupByCategory(definitions, frontEnd ? 'frontEnd' : 'general');
  const category = categories.find(({ name }) => name === query.get('category')) ?? categories[0];
  const open = (place: Place) => {
    setSearched('');
    void navigate(queryOf(place));
  };
  return (
    <SettingsContext value={state}>
      <Flex direction={isNarrow ? 'column' : 'row'} gap="md" align={isNarrow ? 'stretch' : 'flex-start'}>
        <Box flex={1} miw={0}>
          <ScopeChooser
            view={view}
            frontEnds={frontEnds}
            chosen={frontEnd}
            onView={(next) => open({ view: next, frontEnd: frontEnd?.appKey ?? frontEnds[0]?.appKey })}
            onFrontEnd={(appKey) =>
              open({ view: 'frontEnd', frontEnd: appKey, ...(category && { category: category.name }) })
            }
          />
        </Box>
        <SearchField query={searched} onQuery={setSearched} />
      </Flex>
      {searched.trim() !== '' ? (
        <SearchResults query={searched} frontEnd={frontEnd?.appKey} onOpen={() => setSearched('')} />
      ) : view === 'compare' ? (
        <CompareView />
      ) : (
        <Sections categories={categories} chosen={category} frontEnd={frontEnd?.appKey} marked={marked?.name} />
      )}
      <SaveBar />
      {isPresetsOpen && <PresetsDialog onClose={closePresets} />}
      <UnsavedGuard isDirty={edits.all.length > 0} />
    </SettingsContext>
  );
}

function Sections(props: {
  categories: readonly Category[];
  chosen: Category | undefined;
  frontEnd: string | undefined;
  marked: string | undefined;
}) {
  const { categories, chosen, frontEnd, marked } = props;
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  if (!chosen) return <Empty>{words.settings.nothing}</Empty>;
  const view = frontEnd === undefined ? 'general' : 'frontEnd';
  return (
    <Flex direction={isNarrow ? 'column' : 'row'} gap="lg">
      <Contents
        categories={categories}
        chosen={chosen}
        frontEnd={frontEnd}
        linkTo={({ name }) => queryOf({ view, frontEnd, category: name })}
      />
      <Stack flex={1} miw={0}>
        <Section
          key={`${frontEnd}\n${chosen.name}`}
          category={chosen}
          frontEnd={frontEnd}
          marked={chosen.definitions.some(({ name }) => name === marked) ? marked : undefined}
        />
      </Stack>
    </Flex>
  );
}

/** Focuses the setting that was just saved or discarded, if the page shows it. */
function focusSetting({ definition: { name } }: Edit) {
  document.querySelector<HTMLElement>(`[data-setting="${CSS.escape(name)}"]`)?.focus();
}
