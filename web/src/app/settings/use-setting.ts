// The values of settings and their history, as the service has them.
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { latchkey } from '../../api/latchkey.ts';
import { type Change, changesOf, type Definition, type Draft, isSame } from './definition.ts';

/** Whose value it is: with the key of a front end the one that applies there. */
type Place = { readonly name: string; readonly appKey?: string };

const placeOf = (name: string, appKey: string | undefined): Place => ({
  name,
  ...(appKey !== undefined && { appKey }),
});

const valueKey = (place: Place) => ['setting', place, 'value'];
const historyKey = (place: Place) => ['setting', place, 'history'];

export const valueQuery = (name: string, appKey: string | undefined) => {
  const place = placeOf(name, appKey);
  return { queryKey: valueKey(place), queryFn: () => latchkey.call('Settings/GetValue', place), staleTime: 0 };
};

const historyQuery = (place: Place) => ({
  queryKey: historyKey(place),
  queryFn: async () => (await latchkey.call('Settings/GetHistory', place)).items,
  staleTime: 0,
});

export const useHistory = (name: string, appKey: string | undefined) => useQuery(historyQuery(placeOf(name, appKey)));

/** What somebody else has saved, and who and when it was. */
export type Theirs = { readonly value: unknown; readonly change: Change | undefined };

/** Other nodes tell of a change within two seconds. */
const PATIENCE_MS = 500;
const TRIES = 5;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function readTheirs(queries: QueryClient, place: Place, base: unknown): Promise<Theirs> {
  let value: unknown;
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (tries > 0) await pause(PATIENCE_MS);
    value = await queries.fetchQuery(valueQuery(place.name, place.appKey));
    if (!isSame(value, base)) break;
  }
  const [change] = await queries.fetchQuery(historyQuery(place));
  return { value, change };
}

/** Changes of one setting. Each rejects with `setting.conflict` when `base` is not in force any more. */
export function useChanges(definition: Definition, appKey: string | undefined) {
  const queries = useQueryClient();
  const place = placeOf(definition.name, appKey);
  const settle = async (value: unknown) => {
    // Not read again: another node may not have heard of it yet.
    queries.setQueryData(valueKey(place), value);
    await queries.invalidateQueries({ queryKey: historyKey(place) });
  };
  return {
    async save(draft: Draft) {
      const value = changesOf(definition, draft);
      await latchkey.call('Settings/UpdateValue', { ...place, value, expected: draft.base });
      await settle(draft.value);
    },
    async reset(base: unknown) {
      await latchkey.call('Settings/ResetValue', { ...place, expected: base });
      await settle(definition.default);
    },
    readTheirs: (base: unknown) => readTheirs(queries, place, base),
  };
}
