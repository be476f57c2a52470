// A migration: one numbered forward step of the database.
import type { Kysely } from 'kysely';

/** One forward step. `engine` only where the two spell a thing differently; `tell` is for what an administrator should know. */
export type Migration = {
  readonly name: string;
  readonly up: (sql: Kysely<unknown>, engine: 'sqlite' | 'postgres', tell: (notice: string) => void) => Promise<void>;
};
