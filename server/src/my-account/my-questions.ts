// One's own security questions: which there are and which one has answered, and new answers for the old.
import type { AccountStore } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { requestErrors } from '../foundation/errors.ts';
import type { Origin } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { accountSubject } from '../lockout/index.ts';
import { type Passwords, passwordErrors } from '../passwords/index.ts';
import {
  findAnswerProblems,
  normalizeAnswer,
  type SecurityAnswers,
  type SecurityQuestion,
  type TypedAnswer,
} from '../security-questions/index.ts';
import { securitySettings } from '../settings/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { myAccountActions } from './events.ts';
import { findOwner, type Owner, type ProvePassword } from './owner.ts';

/** All questions, and how many of them are asked when a password is reset. */
export type MyQuestionList = { required: number; questions: (SecurityQuestion & { answered: boolean })[] };

export interface MyQuestions {
  list(owner: Owner): Promise<MyQuestionList>;
  /**
   * Puts these answers in the place of all that the owner has, whether or not passwords can be reset by them now.
   * Ends in `request.invalid`, `password.incorrect`, `signIn.lockedOut`.
   */
  set(owner: Owner, given: { password: string; answers: readonly TypedAnswer[] }, origin: Origin): Promise<void>;
}

export function createMyQuestions(deps: {
  database: Database;
  accounts: AccountStore;
  answers: SecurityAnswers;
  passwords: Passwords;
  prove: ProvePassword;
  settings: SettingReader;
  audit: AuditTrail;
}): MyQuestions {
  const { database, accounts, answers, passwords, prove, settings, audit } = deps;
  const action = myAccountActions.securityQuestionsSet;
  const wrong = passwordErrors.incorrect;

  /** One after the other: who has many answers takes no more room in the queue than others. */
  async function hashAll(given: readonly TypedAnswer[]): Promise<Map<string, string>> {
    const hashes = new Map<string, string>();
    for (const { questionId, answer } of given) {
      hashes.set(questionId, await passwords.hash(normalizeAnswer(answer)));
    }
    return hashes;
  }

  /** Whether the password that was proven is still the account's, which stays so until the transaction ends. */
  async function isStillProven(tx: Tx, accountId: number, passwordVersion: number): Promise<boolean> {
    const account = await accounts.claim(tx.sql, accountId);
    const current = account?.isActive ? await accounts.findByName(tx.sql, account.userName) : undefined;
    return current?.id === accountId && current.credential.version === passwordVersion;
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
      const hashes = await hashAll(given);
      await database.transaction(async (tx) => {
        if (!(await isStillProven(tx, account.id, passwordVersion))) throw wrong();
        await answers.replace(tx, account.id, hashes);
        await audit.record(tx, { action, outcome: 'success', user, origin, details: { count: hashes.size } });
      });
    },
  };
}
