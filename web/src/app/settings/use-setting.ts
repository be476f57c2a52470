// Calls that read and change settings, and what the page keeps of their answers.
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { latchkey } from '../../api/latchkey.ts';
import { meansQuery } from '../../api/means.ts';
import { type Change, changesOf, DEFAULT_FRONT_END, type Definition, type Draft, isShown } from './definition.ts';
import { localize } from './localize.ts';
import type { FrontEnd } from './scope-chooser.tsx';
import { createValues, type Override } from './values.ts';

const isDefault = ({ appKey }: FrontEnd) => appKey === DEFAULT_FRONT_END;

const defaultFirst = (a: FrontEnd, b: FrontEnd) =>
  Number(isDefault(b)) - Number(isDefault(a)) || a.name.localeCompare(b.name);

export const pageQuery = queryOptions({
  queryKey: ['settings', 'page'],
  queryFn: async () => {
    const [configurations, frontEnds, means] = await Promise.all([
      latchkey.call('Settings/GetConfigurations'),
      latchkey.call('FrontEndApp/GetAll'),
      meansQuery.queryFn(),
    ]);
    const definitions = (await localize(configurations)).filter(isShown);
    return { definitions, means, frontEnds: frontEnds.items.toSorted(defaultFirst) };
  },
  staleTime: 0,
});

export const overridesQuery = queryOptions({
  queryKey: ['settings', 'overrides'],
  queryFn: async (): Promise<readonly Override[]> => (await latchkey.call('Settings/GetOverrides')).items,
  staleTime: 0,
});

const placeOf = (name: string, appKey: string | undefined) => ({ name, ...(appKey !== undefined && { appKey }) });

const historyQuery = (name: string, appKey: string | undefined) =>
  queryOptions({
    queryKey: ['settings', 'history', placeOf(name, appKey)],
    queryFn: async () => (await latchkey.call('Settings/GetHistory', placeOf(name, appKey))).items,
    staleTime: 0,
  });

export const useHistory = (name: string, appKey: string | undefined) => useQuery(historyQuery(name, appKey));

/** The value that another administrator has saved, and its change. */
export type Theirs = { readonly value: unknown; readonly change: Change | undefined };

export type Changes = {
  /** @throws LatchkeyError `setting.conflict` when the draft's base is no longer the saved value. */
  readonly save: (definition: Definition, appKey: string | undefined, draft: Draft) => Promise<void>;
  /** @throws LatchkeyError `setting.conflict` likewise. */
  readonly reset: (definition: Definition, appKey: string | undefined, base: unknown) => Promise<void>;
  readonly readTheirs: (definition: Definition, appKey: string | undefined) => Promise<Theirs>;
};

export function useChanges(): Changes {
  const queries = useQueryClient();
  async function reset(definition: Definition, appKey: string | undefined, base: unknown) {
    const place = placeOf(definition.name, appKey);
    await latchkey.call('Settings/ResetValue', { ...place, expected: base });
    await settle(queries, definition, appKey, undefined);
  }
  return {
    reset,
    async save(definition, appKey, draft) {
      if (draft.isReset) return reset(definition, appKey, draft.base);
      const value = changesOf(definition, draft);
      const place = placeOf(definition.name, appKey);
      await latchkey.call('Settings/UpdateValue', { ...place, value, expected: draft.base });
      await settle(queries, definition, appKey, draft.value);
    },
    async readTheirs(definition, appKey) {
      const overrides = await queries.fetchQuery(overridesQuery);
      const [change] = await queries.fetchQuery(historyQuery(definition.name, appKey));
      return { value: createValues(overrides).read(definition, appKey), change };
    },
  };
}

/** Shows the saved value at once, then as the service tells it. @param value `undefined` after a reset. */
async function settle(queries: QueryClient, { name }: Definition, appKey: string | undefined, value: unknown) {
  const isOther = (one: Override) => one.name !== name || (one.appKey ?? undefined) !== appKey;
  const own = { name, appKey: appKey ?? null, value, at: new Date().toISOString(), by: null };
  queries.setQueryData(overridesQuery.queryKey, (all = []) => [
    ...all.filter(isOther),
    ...(value === undefined ? [] : [own]),
  ]);
  void queries.invalidateQueries({ queryKey: overridesQuery.queryKey });
  await queries.invalidateQueries({ queryKey: historyQuery(name, appKey).queryKey });
}
