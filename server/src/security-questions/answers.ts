// Security answers as a service: what an account has answered, and which questions somebody is asked.
import type { Clock } from '../foundation/clock.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Statements, Tx } from '../storage/database.ts';
import type { SecurityQuestion } from './question.ts';
import { securityQuestionSetting } from './settings.ts';
import type { AnswerHashes, SecurityAnswerStore } from './store.ts';

export interface SecurityAnswers {
  /** All questions that there are, in the order of the list. */
  listQuestions(): readonly SecurityQuestion[];
  /** What an account has answered of the questions that there still are; nothing for an id that nobody has. */
  find(accountId: number, on?: Statements): Promise<AnswerHashes>;
  /** Puts these hashes of normalized answers, at least one, in the place of all that the account has. */
  replace(tx: Tx, accountId: number, hashes: AnswerHashes): Promise<void>;
  /**
   * So many of these questions, or all if there are no more: for one `seed` always the same ones in the same order, which
   * nobody foresees without the server's secret.
   */
  choose(questions: readonly SecurityQuestion[], seed: string, count: number): SecurityQuestion[];
}

export function createSecurityAnswers(deps: {
  store: SecurityAnswerStore;
  settings: SettingReader;
  secrets: Secrets;
  clock: Clock;
}): SecurityAnswers {
  const { store, settings, secrets, clock } = deps;
  const listQuestions = () => settings.read(securityQuestionSetting);
  return {
    listQuestions,

    async find(accountId, on) {
      const known = new Set(listQuestions().map(({ id }) => id));
      return new Map([...(await store.find(accountId, on))].filter(([id]) => known.has(id)));
    },

    replace: (tx, accountId, hashes) => store.replace(tx.sql, accountId, hashes, clock.now()),

    choose(questions, seed, count) {
      const ranked = questions.map((question) => ({
        question,
        rank: secrets.mac('security-question', `${seed}/${question.id}`),
      }));
      const inOrder = ranked.toSorted((a, b) => (a.rank < b.rank ? -1 : 1));
      return inOrder.slice(0, count).map(({ question }) => question);
    },
  };
}
