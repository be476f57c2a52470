// My sessions and factors: a change of one kind ends some of the other, such as the trusted devices with all other sessions.
import { type QueryKey, useQueryClient } from '@tanstack/react-query';

export const sessionsKey = ['sessions'];

export const factorsKey = ['factors'];

/** Returns a function that reads both again, and what else has changed. */
export function useReread(...others: readonly QueryKey[]): () => Promise<unknown> {
  const queries = useQueryClient();
  return () =>
    Promise.all([sessionsKey, factorsKey, ...others].map((queryKey) => queries.invalidateQueries({ queryKey })));
}
