// The chainer: chains new entries in batches, in transactions of its own, so that no change waits for it.
import type { Clock } from '../foundation/clock.ts';
import { createOutageReport } from '../foundation/outage-report.ts';
import type { Random } from '../foundation/random.ts';
import type { Database, Statements } from '../storage/database.ts';
import { type Content, commit, findAccounts, type Link, linkEntry, toEntryKeys } from './chain.ts';
import type { ChainStore } from './store.chain.sql.ts';

/** How often a node looks for entries that another one has written, or that the last process has left. */
const POLL_MS = 1000;

/** The pause before each batch. Entries of this time share a transaction. */
const PAUSE_MS = 100;

/** Entries of a batch. On SQLite it blocks other writes for some milliseconds. */
const BATCH = 200;

/** The pause between batches while more entries wait, such as those from before the chain. */
const REST_MS = 10;

/** In bytes. */
const KEY_BYTES = 32;

export interface Chainer {
  /** Chains new entries, now and until `stop`. */
  start(): void;
  stop(): Promise<void>;
  /** Chains soon: this process has committed an entry. */
  wake(): void;
  /** Chains all entries that are committed now. */
  chainAll(): Promise<void>;
  /** Calls `listener` after entries of this process or another one were chained here. */
  subscribe(listener: () => void): void;
}

/** @param deps.onError receives why entries could not be chained. They are chained later. */
export function createChainer(deps: {
  database: Database;
  store: ChainStore;
  clock: Clock;
  random: Random;
  onError: (error: unknown) => void;
}): Chainer {
  const { database, store, clock, random, onError } = deps;
  const listeners: (() => void)[] = [];
  let chaining: Promise<void> | undefined;
  let stopPolling: (() => void) | undefined;
  let isDue = false;
  const report = createOutageReport(onError);
  let isStopping = false;

  /** @returns the pause before the next batch in milliseconds, or `undefined` if no entry waits. */
  async function chainBatch(): Promise<number | undefined> {
    if (!(await store.hasUnchained())) return undefined;
    const count = await database.transaction(async (tx) => {
      const ends = await store.take(tx.sql);
      if (!ends) return undefined;
      const entries = await store.readUnchained(tx.sql, BATCH);
      if (entries.length === 0) return 0;
      const links = linkAll(ends.head, entries, await prepareKeys(tx.sql, entries));
      const linked = await store.link(tx.sql, links);
      if (linked < links.length) throw new Error('An entry was changed while it was chained.');
      const { sequence, hash } = links.at(-1) ?? ends.head;
      await store.setHead(tx.sql, { sequence, hash, at: clock.now() });
      return linked;
    });
    if (count) for (const listener of listeners) listener();
    if (count === undefined) return PAUSE_MS;
    return count === BATCH ? REST_MS : undefined;
  }

  /** Returns the keys of all accounts in the entries. Adds those that are missing. */
  async function prepareKeys(on: Statements, entries: readonly Content[]): Promise<ReadonlyMap<number, string>> {
    const accountIds = new Set(entries.flatMap(findAccounts));
    const keys = await store.readKeys(on, [...accountIds]);
    const missing = [...accountIds.difference(keys)];
    const added = new Map(missing.map((id) => [id, random.bytes(KEY_BYTES).toString('base64url')]));
    await store.addKeys(on, added);
    return new Map([...keys, ...added]);
  }

  async function run() {
    try {
      do {
        isDue = false;
        let pause: number | undefined = PAUSE_MS;
        while (pause !== undefined && !isStopping) {
          await clock.sleep(pause);
          pause = await chainBatch();
        }
        report.worked();
      } while (isDue && !isStopping);
    } catch (error) {
      report.failed(error);
    } finally {
      chaining = undefined;
    }
  }

  function wake() {
    isDue = true;
    if (stopPolling) chaining ??= run();
  }

  return {
    start() {
      stopPolling = clock.every(POLL_MS, wake);
    },
    async stop() {
      isStopping = true;
      stopPolling?.();
      await chaining;
    },
    wake,
    async chainAll() {
      for (let pause = await chainBatch(); pause !== undefined; pause = await chainBatch()) await clock.sleep(pause);
    },
    subscribe: (listener) => void listeners.push(listener),
  };
}

function linkAll(head: Link, entries: readonly Content[], accountKeys: ReadonlyMap<number, string>) {
  let before = head;
  return entries.map((entry) => {
    const commitments = commit(entry, toEntryKeys(findAccounts(entry), before.sequence + 1, accountKeys));
    before = linkEntry(before, entry, commitments);
    return { id: entry.id, ...before, ...commitments };
  });
}
