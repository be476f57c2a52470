// Migration 30: what imported passkeys call their owner, which another secret has made.
import type { Migration } from './migration.ts';

export const passkeyUserHandles: Migration = {
  name: 'passkey user handles',
  async up(db) {
    // Null: this service registered the passkey, and derives the handle.
    await db.schema.alterTable('passkey').addColumn('user_handle', 'text').execute();
  },
};
