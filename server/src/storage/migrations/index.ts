// Migrations: the numbered list of forward steps for both engines; an entry that was released is never changed.
import type { Kysely } from 'kysely';
import { core } from './0001-core.ts';

/** One forward step. `engine` only where the two spell a thing differently. */
export type Migration = {
  readonly name: string;
  readonly up: (sql: Kysely<unknown>, engine: 'sqlite' | 'postgres') => Promise<void>;
};

/** In order: the first is number 1. */
export const migrations: readonly Migration[] = [core];
