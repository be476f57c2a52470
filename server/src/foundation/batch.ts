// Batching: all look-ups of one event-loop turn become one query, a statement gets no more values than a database takes, and it
// changes no more rows than it can in its time.

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

/** The most rows that one statement changes, where they may be many: PostgreSQL ends one that takes longer than a second. */
const MOST_ROWS = 2000;

/** The most rows of a round, and the most rounds of a run, of a job that tidies up. */
const ROUND_ROWS = 500;
const MOST_ROUNDS = 40;

/** Tidies up in rounds, and leaves what is still there to the next run. @param tidy tidies up to `most` rows, and returns how many. */
export async function inRounds(tidy: (most: number) => Promise<number>): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) if ((await tidy(ROUND_ROWS)) < ROUND_ROWS) return;
}

/** Repeats a change of some rows until it finds no more. @param change changes up to `most` rows, and returns how many. */
export async function inChunks(change: (most: number) => Promise<number | bigint>): Promise<void> {
  while (Number(await change(MOST_ROWS)) === MOST_ROWS);
}
