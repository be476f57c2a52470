// Migration 3: tokens and links that reset a password, and answers to security questions.
import type { Migration } from './migration.ts';

export const passwordReset: Migration = {
  name: 'password reset',
  async up(db) {
    await db.schema
      .createTable('reset_token')
      .addColumn('mac', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('method', 'integer', (column) => column.notNull())
      .addColumn('account_id', 'bigint')
      .addColumn('password_version', 'integer', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('reset_token_account').on('reset_token').column('account_id').execute();
    await db.schema.createIndex('reset_token_expires_at').on('reset_token').column('expires_at').execute();
    await db.schema
      .createTable('security_answer')
      // Answers are personal data: they are deleted with the account.
      .addColumn('account_id', 'bigint', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('question_id', 'text', (column) => column.notNull())
      .addColumn('answer_hash', 'text', (column) => column.notNull())
      .addColumn('answered_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('security_answer_key', ['account_id', 'question_id'])
      .execute();
  },
};
