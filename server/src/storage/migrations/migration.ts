// A migration: one numbered forward step of the database.
import type { Kysely } from 'kysely';

/** One forward step. Use `engine` only where the two engines differ. `notify` sends a notice to the administrator. */
export type Migration = {
  readonly name: string;
  readonly up: (sql: Kysely<unknown>, engine: 'sqlite' | 'postgres', notify: (notice: string) => void) => Promise<void>;
};
