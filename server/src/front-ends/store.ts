// The interface of the store of front ends.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';

/** An application that calls the service. It names itself by `appKey` in the header `sha-frontend-application`. */
export type FrontEnd = { id: string; appKey: string; name: string; description: string };

export interface FrontEndStore {
  /** Returns all front ends, oldest first. */
  readAll(): Promise<FrontEnd[]>;
  find(on: Statements, id: string): Promise<FrontEnd | undefined>;
  /** Adds a front end. @returns false if its key is taken. */
  add(on: Statements, frontEnd: FrontEnd, createdAt: Instant): Promise<boolean>;
  /** Replaces a front end. @throws UniqueViolation when the new key is taken. */
  replace(on: Statements, frontEnd: FrontEnd): Promise<void>;
  remove(on: Statements, id: string): Promise<void>;
}
