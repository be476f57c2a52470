// The port of the settings' values.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';

/** A stored value. `appKey` is '' for what applies everywhere. */
export type StoredValue = { name: string; appKey: string; value: string };

/** One change of a setting; a value that is null stands for the default. */
export type SettingChange = {
  name: string;
  appKey: string;
  oldValue: string | null;
  newValue: string | null;
  at: Instant;
  by: string | null;
};

export interface SettingStore {
  /** All values that differ from their default. */
  readAll(): Promise<StoredValue[]>;
  /** The value now stored, locked against other changes until the transaction ends. */
  readForChange(on: Statements, name: string, appKey: string): Promise<string | null>;
  /** Stores a value, or with null returns to the default, and adds the change to the history. */
  change(on: Statements, change: SettingChange): Promise<void>;
  /** The changes of one setting, newest first; of every front end when `appKey` is absent. */
  history(name: string, appKey: string | undefined, take: number): Promise<SettingChange[]>;
  /** Gives the values of one front end, and their history, to another key, or with null drops both: the audit trail keeps what was done. */
  moveFrontEnd(on: Statements, from: string, to: string | null): Promise<void>;
}
