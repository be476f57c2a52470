// Loading: the data that a page needs, its state, and a retry.
import { useCallback, useEffect, useState } from 'react';
import { describeProblem, type Problem } from './problem.ts';

export type Loaded<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly problem: Problem; readonly retry: () => void }
  | { readonly state: 'loaded'; readonly value: Value };

/** @param read is called once, and again on `retry`. It must not depend on props. */
export function useLoad<Value>(read: () => Promise<Value>): Loaded<Value> {
  const [loaded, setLoaded] = useState<Loaded<Value>>({ state: 'loading' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `read` never changes.
  const load = useCallback(() => {
    setLoaded({ state: 'loading' });
    read().then(
      (value) => setLoaded({ state: 'loaded', value }),
      (error) => setLoaded({ state: 'failed', problem: describeProblem(error), retry: load }),
    );
  }, []);
  useEffect(load, [load]);
  return loaded;
}
