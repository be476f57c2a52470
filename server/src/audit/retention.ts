// Retention: deletes audit entries that are older than the setting allows, in the order of the chain.
import { addSeconds, type Clock, type Instant } from '../foundation/clock.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Database } from '../storage/database.ts';
import { auditSettings } from './settings.ts';
import type { ChainStore, Kept } from './store.chain.sql.ts';
import type { AuditStore } from './store.sql.ts';

const DAY_SECONDS = 86_400;

/** Entries that one statement deletes (on SQLite in a few milliseconds), and statements in one run. */
const BATCH = 50;
const BATCHES = 40;

export interface AuditRetention {
  /** Cleanup job: deletes up to 2,000 entries that are too old, 50 in a transaction. */
  deleteExpired(): Promise<void>;
}

export function createAuditRetention(deps: {
  database: Database;
  store: AuditStore;
  chainStore: ChainStore;
  settings: SettingReader;
  clock: Clock;
}): AuditRetention {
  const { database, store, chainStore, settings, clock } = deps;

  /** @returns how many. */
  const deleteBatch = (before: Instant): Promise<number> =>
    database.transaction(async (tx) => {
      const ends = await chainStore.take(tx.sql, true);
      if (!ends) return 0;
      const now = clock.now();
      const entries = await chainStore.readFirst(tx.sql, ends, BATCH);
      const areFuture = entries.every(({ at }) => at > now);
      // They are as old as the first one after them that is not from the future, however far away it is.
      const next = areFuture ? await chainStore.findFirstAt(tx.sql, ends, now) : undefined;
      const expired = next !== undefined && next < before ? entries : takeExpired(entries, before, now);
      // The number of the newest entry shows whether a database was restored from a backup.
      const newest = await store.newest(tx.sql);
      const end = expired.findIndex(({ id }) => id === newest);
      const deletable = end === -1 ? expired : expired.slice(0, end);
      await chainStore.deleteFirst(tx.sql, deletable);
      return deletable.length;
    });

  return {
    async deleteExpired() {
      const before = addSeconds(clock.now(), -settings.read(auditSettings).retentionDays * DAY_SECONDS);
      for (let batch = 0; batch < BATCHES; batch += 1) if ((await deleteBatch(before)) === 0) return;
    },
  };
}

/**
 * Returns the first entries up to the last one from before an instant, if none of them is from after it. An entry from the
 * future, of a clock that was set ahead, is as old as those after it.
 */
function takeExpired(entries: readonly Kept[], before: Instant, now: Instant): readonly Kept[] {
  const end = entries.findIndex(({ at }) => at >= before && at <= now);
  const candidates = end === -1 ? entries : entries.slice(0, end);
  return candidates.slice(0, candidates.findLastIndex(({ at }) => at < before) + 1);
}
