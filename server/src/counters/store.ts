// The interface of the store of hourly counts.
import type { Instant } from '../foundation/clock.ts';
import type { Count, HourlyCount } from './figure.ts';

export interface CounterStore {
  /** Adds to the stored counts, all or none. Several nodes may add at the same time. */
  add(counts: readonly HourlyCount[]): Promise<void>;
  /** Returns the sums of the hours from `from` (inclusive) to `to` (exclusive). Parts that did not occur are left out. */
  sum(from: Instant, to: Instant): Promise<Count[]>;
  /** Records that the service counts from this hour on, unless it already did. */
  begin(hour: Instant): Promise<void>;
  /** Returns the first hour that was counted. */
  findBeginning(): Promise<Instant | undefined>;
  /** Deletes the counts of the oldest hour before `before`. */
  deleteOldest(before: Instant): Promise<void>;
}
