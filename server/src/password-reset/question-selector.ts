// The question selector: chooses the security questions for a name, without telling whether it has an account.
import type { Account, Credential, Names } from '../accounts/index.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { questionsSubject, unknownSubject } from '../lockout/index.ts';
import type { AnswerHashes, SecurityAnswers, SecurityQuestion } from '../security-questions/index.ts';
import { securitySettings } from '../settings/index.ts';
import type { Tx } from '../storage/database.ts';

/** The questions for a name, and the hashes of the account's answers. */
export type SelectedQuestions = {
  account: (Account & { credential: Credential }) | undefined;
  /** The key under which the lockout counts wrong rounds. */
  subject: string;
  questions: readonly SecurityQuestion[];
  /** Empty for an unknown name, and for an account with too few answers. No answer is right then. */
  hashes: AnswerHashes;
};

export interface QuestionSelector {
  /**
   * Selects questions for a name: the same ones while the list and the answers stay the same. Unknown names, deactivated
   * accounts and accounts without answers get questions too.
   */
  select(name: string): Promise<SelectedQuestions>;
  /** Whether the account still has the selected answers, as the transaction sees it. */
  isCurrent(tx: Tx, selected: SelectedQuestions): Promise<boolean>;
}

export function createQuestionSelector(deps: {
  names: Names;
  answers: SecurityAnswers;
  settings: SettingReader;
}): QuestionSelector {
  const { names, answers, settings } = deps;
  return {
    async select(name) {
      const { account, nameMac } = await names.resolve(name);
      // Read answers for an unknown name too: it takes as long.
      const hashes = await answers.find(account?.id ?? 0);
      const count = settings.read(securitySettings).resetPasswordViaSecurityQuestionsNumQuestionsAllowed;
      const list = answers.listQuestions();
      if (account?.isActive && hashes.size > 0) {
        const ranked = answers.rank(list, `account:${account.id}`);
        const own = ranked.filter(({ id }) => hashes.has(id));
        const others = ranked.filter(({ id }) => !hashes.has(id));
        const questions = [...own, ...others].slice(0, count);
        const isSetUp = own.length >= count;
        return { account, subject: questionsSubject(account.id), questions, hashes: isSetUp ? hashes : new Map() };
      }
      const questions = answers.rank(list, nameMac).slice(0, count);
      return { account: undefined, subject: unknownSubject(`questions/${nameMac}`), questions, hashes: new Map() };
    },

    async isCurrent(tx, { account, questions, hashes }) {
      const current = await answers.find(account?.id ?? 0, tx.sql);
      return questions.every(({ id }) => current.has(id) && current.get(id) === hashes.get(id));
    },
  };
}
