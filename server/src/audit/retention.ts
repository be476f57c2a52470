// Retention: deletes audit entries that are older than the setting allows.
import { addSeconds, type Clock } from '../foundation/clock.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { auditSettings } from './settings.ts';
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
