// Security answers: stores the answers of accounts, and orders the questions to ask.
import type { Clock } from '../foundation/clock.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Statements, Tx } from '../storage/database.ts';
import { normalizeAnswer, type SecurityQuestion, type TypedAnswer } from './question.ts';
import { securityQuestionSetting } from './settings.ts';
import type { AnswerHashes, SecurityAnswerStore } from './store.sql.ts';

export interface SecurityAnswers {
  /** Returns all questions, in the order of the list. */
  listQuestions(): readonly SecurityQuestion[];
  /** Returns an account's answers to questions that still exist. Empty for an id without account. */
  find(accountId: number, on?: Statements): Promise<AnswerHashes>;
  /** Hashes answers one after the other, so that several take no more room in the queue than one. */
  hash(given: readonly TypedAnswer[], requester?: readonly string[]): Promise<AnswerHashes>;
  /** Replaces all answers of the account by these, which must be at least one. */
  replace(tx: Tx, accountId: number, hashes: AnswerHashes): Promise<void>;
  /** Deletes the account's answers, which an attacker may have given. */
  delete(tx: Tx, accountId: number): Promise<void>;
  /**
   * Returns the questions in an order that depends on `seed`. The order is stable, and cannot be predicted without the
   * server's secret. An added or removed question does not change the order of the others.
   */
  rank(questions: readonly SecurityQuestion[], seed: string): SecurityQuestion[];
}

export function createSecurityAnswers(deps: {
  store: SecurityAnswerStore;
  passwords: { hash(password: string, requester?: readonly string[]): Promise<string> };
  settings: SettingReader;
  secrets: Secrets;
  clock: Clock;
}): SecurityAnswers {
  const { store, passwords, settings, secrets, clock } = deps;
  const listQuestions = () => settings.read(securityQuestionSetting);
  return {
    listQuestions,

    async find(accountId, on) {
      const known = new Set(listQuestions().map(({ id }) => id));
      return new Map([...(await store.find(accountId, on))].filter(([id]) => known.has(id)));
    },

    async hash(given, requester) {
      const hashes = new Map<string, string>();
      for (const { questionId, answer } of given) {
        hashes.set(questionId, await passwords.hash(normalizeAnswer(answer), requester));
      }
      return hashes;
    },

    replace: (tx, accountId, hashes) => store.replace(tx.sql, accountId, hashes, clock.now()),
    delete: (tx, accountId) => store.remove(tx.sql, accountId),

    rank(questions, seed) {
      const ranked = questions.map((question) => ({
        question,
        rank: secrets.mac('security-question', `${seed}/${question.id}`),
      }));
      return ranked.toSorted((a, b) => (a.rank < b.rank ? -1 : 1)).map(({ question }) => question);
    },
  };
}
