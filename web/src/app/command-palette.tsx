// The command palette (Ctrl K): opens pages, users, settings and guides by words of their names, and does what needs no page.
import '@mantine/spotlight/styles.css';
import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { BookOpen, CircleUser, Search, SlidersHorizontal, Users } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { latchkey } from '../api/latchkey.ts';
import { useGuideSearch } from '../guide/search.ts';
import { matcherOf } from '../ui/match.ts';
import { describeProblem } from '../ui/problem.ts';
import { words } from '../words/all.ts';
import { may, useMe } from './me.ts';
import { usePaletteActions } from './palette-actions.tsx';
import { groupsFor } from './sections.ts';
import { isShown } from './settings/definition.ts';
import { findSettings } from './settings/find-settings.ts';
import { localize } from './settings/localize.ts';
import { displayName, toKeyword } from './users/user.ts';

/** The most entries of a group. */
const MOST = 6;

/** Typing settles for this long before the service is asked, in milliseconds. */
const SETTLED_MS = 200;

const ICON = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** @property path where it leads. An action has `run` in its place. */
type Entry = {
  readonly label: string;
  readonly description?: string;
  readonly icon: ReactNode;
  /** The language of its texts, if it is not the reader's. */
  readonly lang?: string;
} & ({ readonly path: string; readonly run?: undefined } | { readonly path?: undefined; readonly run: () => unknown });

const [store, spotlight] = createSpotlight();

/**
 * @param props.onReady is called when its field has the focus.
 * @param props.isEntered whether to open the first entry as soon as all are there. `onEntered` is called then.
 */
export function CommandPalette(props: {
  isOpen: boolean;
  onClose: () => void;
  query: string;
  onQuery: (query: string) => void;
  onReady: (field: HTMLInputElement) => void;
  isEntered: boolean;
  onEntered: () => void;
  signOut: () => void;
}) {
  const { isOpen, onClose, query, onQuery, onReady, isEntered, onEntered, signOut } = props;
  const navigate = useNavigate();
  const list = useRef<HTMLDivElement>(null);
  const { search } = words.shell;
  useEffect(() => (isOpen ? spotlight.open() : spotlight.close()), [isOpen]);
  /** Enter opens the first entry if the arrow keys have chosen none. */
  const openFirst = useCallback(() => {
    if (list.current?.querySelector('[data-selected]')) return;
    list.current?.querySelector<HTMLElement>('[data-action]')?.click();
  }, []);
  const users = useUsers(query);
  const settings = useSettings(query);
  const guides = useGuides(query);
  const failure = users.error ?? settings.error ?? guides.error;
  const areAllThere = users.isThere && settings.isThere && guides.isThere;
  useEffect(() => {
    if (!isEntered || !areAllThere) return;
    onEntered();
    openFirst();
  }, [isEntered, areAllThere, onEntered, openFirst]);
  const found: readonly [label: string, entries: readonly Entry[]][] = [
    [search.pages, usePages(query)],
    [search.actions, useActions(query, signOut)],
    [search.users, users.entries],
    [search.settings, settings.entries],
    [search.guides, guides.entries],
  ];
  const shown = found.filter(([, entries]) => entries.length > 0);
  return (
    <Spotlight.Root
      store={store}
      onSpotlightClose={onClose}
      query={query}
      onQueryChange={onQuery}
      returnFocus={false}
      shortcut={null}
      scrollable
      maxHeight="min(60vh, 420px)"
      // As behind a dialog.
      overlayProps={{ backgroundOpacity: 0.6 }}
      attributes={{ content: { 'aria-label': search.open } }}
    >
      <Spotlight.Search
        placeholder={search.placeholder}
        aria-label={search.placeholder}
        onKeyDown={({ key, nativeEvent }) => key === 'Enter' && !nativeEvent.isComposing && openFirst()}
        onFocus={({ currentTarget }) => onReady(currentTarget)}
        leftSection={<Search {...ICON} />}
      />
      <Spotlight.ActionsList ref={list}>
        {shown.map(([label, entries]) => (
          <Spotlight.ActionsGroup key={label} label={label}>
            {entries.map(({ path, run, label: name, description, icon, lang }) => (
              <Spotlight.Action
                key={path ?? name}
                label={name}
                lang={lang}
                {...(description !== undefined && { description })}
                leftSection={icon}
                onClick={() => void (run ? run() : navigate(path))}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {shown.length === 0 && !failure && <Spotlight.Empty>{search.none}</Spotlight.Empty>}
        {failure && (
          <Text role="alert" size="sm" p="md" c="var(--mantine-color-error)">
            {describeProblem(failure).message}
          </Text>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

function usePages(query: string): Entry[] {
  const matches = matcherOf(query);
  return groupsFor(useMe())
    .flatMap(({ sections }) => sections)
    .filter(({ label }) => matches(label()))
    .map(({ path, label, icon: Icon }) => ({ path, label: label(), icon: <Icon {...ICON} /> }));
}

function useActions(query: string, signOut: () => void): Entry[] {
  const matches = matcherOf(query);
  return usePaletteActions(signOut)
    .filter(({ label, also = '' }) => matches(`${label} ${also}`))
    .map(({ label, icon: Icon, run }) => ({ label, icon: <Icon {...ICON} />, run }));
}

/** What the service has found, or why it has not. @property isThere whether it has answered for what is typed. */
type Found = { readonly entries: readonly Entry[]; readonly isThere: boolean; readonly error?: Error | null };

const nothing: Found = { entries: [], isThere: true };

function useUsers(query: string): Found {
  const isAllowed = may(useMe(), 'Pages.Users');
  const typed = toKeyword(query);
  const [keyword] = useDebouncedValue(typed, SETTLED_MS);
  const { data, error, isPending, isPlaceholderData } = useQuery({
    queryKey: ['palette', 'users', keyword],
    queryFn: () => latchkey.call('User/GetAll', { keyword, sorting: 'userName asc', maxResultCount: MOST }),
    enabled: isAllowed && keyword !== '',
    placeholderData: keepPreviousData,
  });
  if (typed === '') return nothing;
  const isStale = isPlaceholderData || keyword !== typed;
  const { items = [], totalCount = 0 } = data ?? {};
  const wanted = typed.toLowerCase();
  const entries = items
    // Enter opens the first entry: of the former answer, only what matches may be shown.
    .filter((user) => !isStale || `${displayName(user)} ${user.userName}`.toLowerCase().includes(wanted))
    .map((user) => ({
      path: `/users/${user.id}`,
      label: displayName(user),
      description: user.userName,
      icon: <CircleUser {...ICON} />,
    }));
  const all = {
    path: `/users?${new URLSearchParams({ keyword })}`,
    label: words.users.allWith(totalCount, keyword),
    icon: <Users {...ICON} />,
  };
  if (!isStale && totalCount > items.length) return { entries: [...entries, all], isThere: true, error };
  return { entries, isThere: !isAllowed || !(isStale || isPending), error };
}

/** Finds guides, and sections of them. */
function useGuides(query: string): Found {
  const { places, isThere, error } = useGuideSearch(query);
  const entries = places.slice(0, MOST).map(({ path, title, heading }) => ({
    path,
    label: heading || title,
    ...(heading !== '' && { description: title }),
    icon: <BookOpen {...ICON} />,
    lang: 'en',
  }));
  return { entries, isThere, error };
}

function useSettings(query: string): Found {
  const isAllowed = may(useMe(), 'pages:maintenance');
  const { data, error, isPending } = useQuery({
    queryKey: ['palette', 'settings'],
    queryFn: async () => (await localize(await latchkey.call('Settings/GetConfigurations'))).filter(isShown),
    enabled: isAllowed && query.trim() !== '',
  });
  if (query.trim() === '') return nothing;
  const entries = findSettings(data ?? [], query)
    .slice(0, MOST)
    .map(({ definition: { name, label, categoryName, categoryLabel }, member }) => ({
      path: `/settings?${new URLSearchParams({ category: categoryName, setting: name })}`,
      label,
      description: member === undefined ? categoryLabel : `${categoryLabel} › ${member}`,
      icon: <SlidersHorizontal {...ICON} />,
    }));
  return { entries, isThere: !isAllowed || !isPending, error };
}
