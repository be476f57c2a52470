// The port of the registered front ends.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';

/** An application that people sign in to; it names itself by `appKey` in the header `sha-frontend-application`. */
export type FrontEnd = { id: string; appKey: string; name: string; description: string };

export interface FrontEndStore {
  /** All of them, oldest first. */
  readAll(): Promise<FrontEnd[]>;
  find(on: Statements, id: string): Promise<FrontEnd | undefined>;
  /** Adds one; false when its key is taken. */
  add(on: Statements, frontEnd: FrontEnd, createdAt: Instant): Promise<boolean>;
  /** Rejects with `UniqueViolation` when the new key is taken. */
  replace(on: Statements, frontEnd: FrontEnd): Promise<void>;
  remove(on: Statements, id: string): Promise<void>;
}
