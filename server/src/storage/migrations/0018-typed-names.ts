// Migration 18: the key of a name no longer holds marks that people cannot see, as older programs stored them.
import { emailAddresses } from './0006-email-addresses.ts';
import type { Migration } from './migration.ts';

/** The keys of all accounts are made anew, as by that earlier step. */
export const typedNames: Migration = { name: 'typed-names', up: emailAddresses.up };
