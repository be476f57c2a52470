// The store of security answers in SQL.
import type { Database, Statements } from '../storage/database.ts';
import type { SecurityAnswerStore } from './store.ts';

export function createSecurityAnswerStore(database: Database): SecurityAnswerStore {
  async function remove(on: Statements, accountId: number) {
    await on.deleteFrom('security_answer').where('account_id', '=', accountId).execute();
  }

  return {
    remove,

    async find(accountId, on = database.sql) {
      const rows = await on
        .selectFrom('security_answer')
        .select(['question_id', 'answer_hash'])
        .where('account_id', '=', accountId)
        .execute();
      return new Map(rows.map(({ question_id, answer_hash }) => [question_id, answer_hash]));
    },

    async replace(on, accountId, hashes, now) {
      await remove(on, accountId);
      const rows = [...hashes].map(([question_id, answer_hash]) => ({
        account_id: accountId,
        question_id,
        answer_hash,
        answered_at: now,
      }));
      await on.insertInto('security_answer').values(rows).execute();
    },
  };
}
