// Migration 5: indexes to read the audit trail newest first, and to find old entries.
import type { Migration } from './migration.ts';

const indexes = {
  audit_by_time: [],
  audit_by_user: ['user_id'],
} as const;

export const auditTrail: Migration = {
  name: 'audit-trail',
  async up(db) {
    for (const [name, columns] of Object.entries(indexes)) {
      // On PostgreSQL an operator may have created them beforehand, concurrently, without blocking writes.
      const index = db.schema.createIndex(name).ifNotExists().on('audit');
      await index.columns([...columns, 'at', 'id']).execute();
    }
    // The two new indexes replace them. Each index costs every refresh a write, so other filters have none.
    for (const name of ['audit_user', 'audit_at']) await db.schema.dropIndex(name).ifExists().execute();
  },
};
