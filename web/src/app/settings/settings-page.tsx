// The page "Settings": built from the service's definitions, for general settings or for one front end.
import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { Empty, LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { words } from '../../words/index.ts';
import { CategoryView } from './category-view.tsx';
import { type Category, DEFAULT_FRONT_END, groupByCategory } from './definition.ts';
import { type FrontEnd, ScopeChooser } from './scope-chooser.tsx';

async function readPage() {
  const [configurations, frontEnds] = await Promise.all([
    latchkey.call('Settings/GetConfigurations'),
    latchkey.call('FrontEndApp/GetAll'),
  ]);
  return { configurations, frontEnds: frontEnds.items.toSorted(defaultFirst) };
}

const isDefault = ({ appKey }: FrontEnd) => appKey === DEFAULT_FRONT_END;

const defaultFirst = (a: FrontEnd, b: FrontEnd) =>
  Number(isDefault(b)) - Number(isDefault(a)) || a.name.localeCompare(b.name);

const queryOf = (frontEnd: string | undefined, category?: string) =>
  `?${new URLSearchParams({ ...(frontEnd !== undefined && { frontEnd }), ...(category !== undefined && { category }) })}`;

export function SettingsPage() {
  const [query, setQuery] = useSearchParams();
  const page = useQuery({ queryKey: ['settings-page'], queryFn: readPage, staleTime: 0 });
  const frontEnd = page.data?.frontEnds.find(({ appKey }) => appKey === query.get('frontEnd'));
  const categories = groupByCategory(page.data?.configurations ?? [], frontEnd ? 'frontEnd' : 'general');
  const category = categories.find(({ name }) => name === query.get('category')) ?? categories[0];
  return (
    <Page title={words.settings.title}>
      {page.isPending && <Loading rows={8} />}
      {page.isLoadingError && <LoadFailure error={page.error} retry={page.refetch} />}
      {page.data && (
        <>
          <ScopeChooser
            frontEnds={page.data.frontEnds}
            chosen={frontEnd}
            onChoose={(appKey) => setQuery(queryOf(appKey))}
          />
          <Categories all={categories} chosen={category} frontEnd={frontEnd?.appKey} />
          {category ? (
            <CategoryView key={`${frontEnd?.appKey}\n${category.name}`} category={category} appKey={frontEnd?.appKey} />
          ) : (
            <Empty>{words.settings.nothing}</Empty>
          )}
        </>
      )}
    </Page>
  );
}

function Categories(props: { all: readonly Category[]; chosen: Category | undefined; frontEnd: string | undefined }) {
  const { all, chosen, frontEnd } = props;
  return (
    <Group component="nav" gap="xs" aria-label={words.settings.categories}>
      {all.map(({ name }) => (
        <Button
          key={name}
          component={Link}
          to={queryOf(frontEnd, name)}
          size="xs"
          variant={name === chosen?.name ? 'filled' : 'default'}
          {...(name === chosen?.name && { 'aria-current': 'page' })}
        >
          {name}
        </Button>
      ))}
    </Group>
  );
}
