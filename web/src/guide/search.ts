// The search over the guides: by title, by heading, and by the terms of a section.
import { useQuery } from '@tanstack/react-query';
import { matcherOf } from '../ui/match.ts';
import { loadPart } from '../ui/part.ts';
import type { GuideSection } from './document.ts';
import { listGuides, titles } from './guides.ts';

/** A guide, or the section of it that `heading` names. */
type Place = { readonly path: string; readonly title: string; readonly heading: string };

const isOfProgram = (name: string) => name.startsWith('connect-');

type Sections = Readonly<Record<string, readonly GuideSection[]>>;

/**
 * Returns the places with every word of the query: by title, by heading, then decisions, then by their terms. Those of a kind are
 * in the order of the index, the guides of programs last, which are all alike.
 */
function findPlaces(query: string, sections: Sections): Place[] {
  const matches = matcherOf(query);
  const names = new Set([...listGuides().flatMap(([, listed]) => listed), ...Object.keys(titles)]);
  const ordered = [...names].toSorted((one, other) => Number(isOfProgram(one)) - Number(isOfProgram(other)));
  const places = ordered.flatMap((name) => {
    const title = titles[name] ?? '';
    const isTitle = matches(title);
    const guide = { path: `/guide/${name}`, title, heading: '', rank: name.startsWith('decisions/') ? 2 : 0 };
    const found = (sections[name] ?? []).flatMap(([id, heading, terms]) => {
      const section = { path: id === '' ? guide.path : `${guide.path}#${id}`, title, heading };
      if (matches(isTitle ? heading : `${title} ${heading}`)) return { ...section, rank: 1 };
      return !isTitle && matches(`${title} ${heading} ${terms}`) ? { ...section, rank: 3 } : [];
    });
    return isTitle ? [guide, ...found] : found;
  });
  return places.toSorted((one, other) => one.rank - other.rank);
}

/** Returns what is found. The headings and terms load with the first word: until they are there, only titles are found. */
export function useGuideSearch(query: string) {
  const isAsked = query.trim() !== '';
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['guide-sections'],
    queryFn: () => loadPart(async () => (await import('./sections.ts')).sections),
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { places: isAsked ? findPlaces(query, data ?? {}) : [], isThere: !isAsked || !isPending, error, refetch };
}
