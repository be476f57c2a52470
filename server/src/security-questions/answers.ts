// Security answers as a service: what an account has answered, and which questions somebody is asked.
import type { Clock } from '../foundation/clock.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Statements, Tx } from '../storage/database.ts';
import { normalizeAnswer, type SecurityQuestion, type TypedAnswer } from './question.ts';
import { securityQuestionSetting } from './settings.ts';
import type { AnswerHashes, SecurityAnswerStore } from './store.ts';

export interface SecurityAnswers {
  /** All questions that there are, in the order of the list. */
  listQuestions(): readonly SecurityQuestion[];
  /** What an account has answered of the questions that there still are; nothing for an id that nobody has. */
  find(accountId: number, on?: Statements): Promise<AnswerHashes>;
  /** What is kept of answers; one after the other, so that many of them take no more room in the queue than one. */
  hash(given: readonly TypedAnswer[], requester?: readonly string[]): Promise<AnswerHashes>;
  /** Puts these, at least one, in the place of all that the account has. */
  replace(tx: Tx, accountId: number, hashes: AnswerHashes): Promise<void>;
  /** Deletes the account's answers: an attacker may have given them. */
  delete(tx: Tx, accountId: number): Promise<void>;
  /**
   * The questions in an order of this `seed`: always the same one, which nobody foresees without the server's secret. A
   * question more or less leaves the others as they are.
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
