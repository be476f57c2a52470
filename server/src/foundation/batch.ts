// Batching: all look-ups of one event-loop turn become one query, and a statement gets no more values than a database takes.

/**
 * Returns a look-up by key. It loads all keys of one event-loop turn together.
 * @param load returns the values found, by key. A missing key resolves to `undefined`.
 */
export function createBatch<Value>(
  load: (keys: string[]) => Promise<Map<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  let waiting: Map<string, PromiseWithResolvers<Value | undefined>> | undefined;

  async function flush(batch: Map<string, PromiseWithResolvers<Value | undefined>>) {
    waiting = undefined;
    try {
      const found = await load([...batch.keys()]);
      for (const [key, { resolve }] of batch) resolve(found.get(key));
    } catch (error) {
      for (const { reject } of batch.values()) reject(error);
    }
  }

  return (key) => {
    if (!waiting) {
      const batch = new Map<string, PromiseWithResolvers<Value | undefined>>();
      waiting = batch;
      setImmediate(() => void flush(batch));
    }
    const known = waiting.get(key);
    if (known) return known.promise;
    const entry = Promise.withResolvers<Value | undefined>();
    waiting.set(key, entry);
    return entry.promise;
  };
}

/** The most values of one statement. */
const MOST_VALUES = 500;

/** Returns the values in parts that one statement takes. */
export function* inBatches<Value>(values: readonly Value[]): Generator<readonly Value[]> {
  for (let from = 0; from < values.length; from += MOST_VALUES) yield values.slice(from, from + MOST_VALUES);
}
