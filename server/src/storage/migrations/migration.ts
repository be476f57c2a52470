// A migration: one numbered forward step of the database.
import type { Kysely } from 'kysely';

/** One forward step. Use `engine` only where the two engines differ. `notify` sends a notice to the administrator. */
export type Migration = {
  readonly name: string;
  /**
   * How many steps a program must know at least to go on with the database after this one. Absent: the step only adds what
   * older programs neither read nor miss. A step that takes something away names the version that has stopped using it.
   */
  readonly needs?: number;
  readonly up: (sql: Kysely<unknown>, engine: 'sqlite' | 'postgres', notify: (notice: string) => void) => Promise<void>;
};
