// The store of security answers in SQL.
import type { Instant } from '../foundation/clock.ts';
import type { Database, Statements } from '../storage/database.ts';

/** The hashes of an account's answers, by the id of the question. */
export type AnswerHashes = ReadonlyMap<string, string>;

export type SecurityAnswerStore = ReturnType<typeof createSecurityAnswerStore>;

export function createSecurityAnswerStore(database: Database) {
  async function remove(on: Statements, accountId: number) {
    await on.deleteFrom('security_answer').where('account_id', '=', accountId).execute();
  }

  return {
    /** Deletes all answers of the account. */
    remove,

    /** Returns the account's committed answers, or with `on` the answers as the transaction sees them. */
    async find(accountId: number, on: Statements = database.sql): Promise<AnswerHashes> {
      const rows = await on
        .selectFrom('security_answer')
        .select(['question_id', 'answer_hash'])
        .where('account_id', '=', accountId)
        .execute();
      return new Map(rows.map(({ question_id, answer_hash }) => [question_id, answer_hash]));
    },

    /** Replaces all answers of the account. */
    async replace(on: Statements, accountId: number, hashes: AnswerHashes, now: Instant): Promise<void> {
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
