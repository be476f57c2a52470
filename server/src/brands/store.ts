// The interface of the store of logos. Each is stored under its file name, which has the hash of its content.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';

export interface LogoStore {
  /** Adds a logo, or notes that it is used again. */
  add(on: Statements, logo: { fileName: string; bytes: Buffer; usedAt: Instant }): Promise<void>;
  /** Notes that a logo is used now. @returns false if there is no such logo. */
  use(on: Statements, fileName: string, usedAt: Instant): Promise<boolean>;
  read(fileName: string): Promise<Buffer | undefined>;
  /** Deletes all but the `most` logos that were used last, and those in `kept`. */
  deleteUnused(on: Statements, kept: readonly string[], most: number): Promise<void>;
}
