// Migrations: the numbered list of forward steps for both engines; an entry that was released is never changed.
import { core } from './0001-core.ts';
import type { Migration } from './migration.ts';

/** In order: the first is number 1. */
export const migrations: readonly Migration[] = [core];
