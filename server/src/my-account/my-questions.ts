// One's own security questions: which there are and which one has answered, and new answers for the old.
import type { Account, AccountStore } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { requestErrors } from '../foundation/errors.ts';
import type { Origin } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { accountSubject } from '../lockout/index.ts';
import { passwordErrors } from '../passwords/index.ts';
import {
  findAnswerProblems,
  type SecurityAnswers,
  type SecurityQuestion,
  type TypedAnswer,
} from '../security-questions/index.ts';
import { securitySettings } from '../settings/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { myAccountActions } from './events.ts';
import { findOwner, type Owner, type ProvePassword } from './owner.ts';
import type { TellOwner } from './owner-notice.ts';
import { questionsChangedMessage } from './templates.ts';

/** All questions, and how many of them are asked when a password is reset. */
export type MyQuestionList = { required: number; questions: (SecurityQuestion & { answered: boolean })[] };

export interface MyQuestions {
  list(owner: Owner): Promise<MyQuestionList>;
  /**
   * Puts these answers in the place of all that the owner has, whether or not passwords can be reset by them now, and
   * tells every verified address: whoever has the password for a moment must not have a way back for good.
   * Ends in `request.invalid`, `password.incorrect`, `signIn.lockedOut`.
   */
  set(owner: Owner, given: { password: string; answers: readonly TypedAnswer[] }, origin: Origin): Promise<void>;
}

export function createMyQuestions(deps: {
  database: Database;
  accounts: AccountStore;
  answers: SecurityAnswers;
  prove: ProvePassword;
  tellOwner: TellOwner;
  settings: SettingReader;
  audit: AuditTrail;
}): MyQuestions {
  const { database, accounts, answers, prove, tellOwner, settings, audit } = deps;
  const action = myAccountActions.securityQuestionsSet;
  const wrong = passwordErrors.incorrect;

  /** The account, if the password that was proven is still its own, which stays so until the transaction ends. */
  async function claimProven(tx: Tx, accountId: number, passwordVersion: number): Promise<Account | undefined> {
    const account = await accounts.claim(tx.sql, accountId);
    const current = account?.isActive ? await accounts.findByName(tx.sql, account.userName) : undefined;
    return current?.id === accountId && current.credential.version === passwordVersion ? current : undefined;
  }

  return {
    async list({ accountId }) {
      const answered = await answers.find(accountId);
      return {
        required: settings.read(securitySettings).resetPasswordViaSecurityQuestionsNumQuestionsAllowed,
        questions: answers.listQuestions().map((question) => ({ ...question, answered: answered.has(question.id) })),
      };
    },

    async set(owner, { password, answers: given }, origin) {
      const validationErrors = findAnswerProblems(answers.listQuestions(), given);
      if (validationErrors.length > 0) {
        const details = validationErrors.map(({ message }) => message).join(' ');
        throw requestErrors.invalid({ details, validationErrors });
      }
      const account = await findOwner(accounts, owner);
      const user = { id: account.id, name: account.userName };
      const attempt = { account, subject: accountSubject(account.id), password, origin, action, wrong };
      // Answers are hashed for who has proven the password, and outside the transaction that settles the attempt.
      const { passwordVersion } = await prove(attempt, async (_, proof) => proof);
      const hashes = await answers.hash(given);
      await database.transaction(async (tx) => {
        const proven = await claimProven(tx, account.id, passwordVersion);
        if (!proven) throw wrong();
        await answers.replace(tx, account.id, hashes);
        await tellOwner(tx, proven, questionsChangedMessage);
        await audit.record(tx, { action, outcome: 'success', user, origin, details: { count: hashes.size } });
      });
    },
  };
}
