// The interface of the store of setting values.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';

/** A stored value, and its last change. `appKey` is '' for a general setting. */
export type StoredValue = { name: string; appKey: string; value: string; at: Instant; by: string | null };

/** One change of a setting. A value of null stands for the default. */
export type SettingChange = {
  name: string;
  appKey: string;
  oldValue: string | null;
  newValue: string | null;
  at: Instant;
  by: string | null;
};

export interface SettingStore {
  /** Returns all stored values. */
  readAll(): Promise<StoredValue[]>;
  /** Returns the stored value, locked against other changes until the transaction ends. */
  readForChange(on: Statements, name: string, appKey: string): Promise<string | null>;
  /** Stores a value, or with null resets it to the default, and adds the change to the history. */
  change(on: Statements, change: SettingChange): Promise<void>;
  /** Returns the changes of one setting, newest first. Without `appKey`, of every front end. */
  history(name: string, appKey: string | undefined, take: number): Promise<SettingChange[]>;
  /** Moves the values of a front end and their history to another key, or with null deletes both. The audit trail stays. */
  moveFrontEnd(on: Statements, from: string, to: string | null): Promise<void>;
}
