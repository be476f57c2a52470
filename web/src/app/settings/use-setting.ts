// Queries and changes of the values of settings, and their history.
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { latchkey } from '../../api/latchkey.ts';
import { type Change, changesOf, type Definition, type Draft, isSame } from './definition.ts';

/** A setting, and the front end whose value is meant. */
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

/** The value that another administrator has saved, and its change. */
export type Theirs = { readonly value: unknown; readonly change: Change | undefined };

/** Another node returns the change within two seconds. */
const RETRY_MS = 500;
const TRIES = 5;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function readTheirs(queries: QueryClient, place: Place, base: unknown): Promise<Theirs> {
  let value: unknown;
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (tries > 0) await pause(RETRY_MS);
    value = await queries.fetchQuery(valueQuery(place.name, place.appKey));
    if (!isSame(value, base)) break;
  }
  const [change] = await queries.fetchQuery(historyQuery(place));
  return { value, change };
}

/** The changes of one setting. @throws LatchkeyError `setting.conflict` when `base` is no longer the saved value. */
export function useChanges(definition: Definition, appKey: string | undefined) {
  const queries = useQueryClient();
  const place = placeOf(definition.name, appKey);
  const settle = async (value: unknown) => {
    // Do not read the value again: another node may not know it yet.
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
