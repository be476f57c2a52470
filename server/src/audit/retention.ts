// Retention: entries older than the setting says are removed, a few at a time.
import { addSeconds, type Clock } from '../foundation/clock.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { auditSettings } from './settings.ts';
import type { AuditStore } from './store.ts';

const DAY_SECONDS = 86_400;

/** Entries removed by one statement, on SQLite in some milliseconds, and statements in one run. */
const BATCH = 50;
const BATCHES = 40;

export interface AuditRetention {
  /** Housekeeping: removes up to 2,000 entries that are too old, 50 in a transaction. */
  deleteExpired(): Promise<void>;
}

export function createAuditRetention(deps: {
  store: AuditStore;
  settings: SettingReader;
  clock: Clock;
}): AuditRetention {
  const { store, settings, clock } = deps;
  return {
    async deleteExpired() {
      const before = addSeconds(clock.now(), -settings.read(auditSettings).retentionDays * DAY_SECONDS);
      for (let batch = 0; batch < BATCHES; batch += 1) {
        if ((await store.deleteExpired(before, BATCH)) < BATCH) return;
      }
    },
  };
}
