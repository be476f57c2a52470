// The caller's security questions: lists them, and sets the answers.
import type { AuditTrail } from '../audit/index.ts';
import type { OwnerVerification } from '../authentication/index.ts';
import type { CountChange } from '../budgets/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import { invalidMembers } from '../foundation/errors.ts';
import type { Origin } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { accountSubject } from '../lockout/index.ts';
import type { NotifyOwner } from '../owner-notices/index.ts';
import { requesterOf } from '../passwords/index.ts';
import {
  findAnswerProblems,
  type SecurityAnswers,
  type SecurityQuestion,
  type TypedAnswer,
} from '../security-questions/index.ts';
import { resetMethodErrors, securitySettings } from '../settings/index.ts';
import type { Database } from '../storage/database.ts';
import { myAccountActions } from './declarations.ts';
import { questionsChangedMessage } from './templates.ts';

/** All questions, and how many of them a password reset asks. */
export type MyQuestionList = { required: number; questions: (SecurityQuestion & { answered: boolean })[] };

export interface MyQuestions {
  list(owner: SignedIn): Promise<MyQuestionList>;
  /**
   * Replaces all answers of the owner. Notifies every verified address: an attacker who knows the password must not set
   * answers unnoticed.
   * @throws AuthError `reset.methodNotAllowed`, `request.invalid`, `password.incorrect`, `signIn.lockedOut`,
   * `account.tooManyChanges`.
   */
  set(owner: SignedIn, given: { password: string; answers: readonly TypedAnswer[] }, origin: Origin): Promise<void>;
}

export function createMyQuestions(deps: {
  database: Database;
  answers: SecurityAnswers;
  ownerVerification: OwnerVerification;
  notifyOwner: NotifyOwner;
  countChange: CountChange;
  settings: SettingReader;
  audit: AuditTrail;
}): MyQuestions {
  const { database, answers, ownerVerification, notifyOwner, countChange, settings, audit } = deps;
  const action = myAccountActions.securityQuestionsSet;

  return {
    async list({ accountId }) {
      const answered = await answers.find(accountId);
      return {
        required: settings.read(securitySettings).resetPasswordViaSecurityQuestionsNumQuestionsAllowed,
        questions: answers.listQuestions().map((question) => ({ ...question, answered: answered.has(question.id) })),
      };
    },

    async set(owner, { password, answers: given }, origin) {
      const { useResetPasswordViaSecurityQuestions: isOffered } = settings.read(securitySettings);
      if (!isOffered) throw resetMethodErrors.methodNotAllowed();
      const validationErrors = findAnswerProblems(answers.listQuestions(), given);
      if (validationErrors.length > 0) throw invalidMembers(validationErrors);
      // Verify before hashing, and hash outside a transaction.
      const verified = await ownerVerification.verify(owner, { password, action, origin });
      const hashes = await answers.hash(given, requesterOf(origin, accountSubject(owner.accountId)));
      await database.transaction(async (tx) => {
        const account = await ownerVerification.requireUnchanged(tx, verified);
        const user = { id: account.id, name: account.userName };
        await countChange(tx, account.id);
        await answers.replace(tx, account.id, hashes);
        await notifyOwner(tx, account, questionsChangedMessage, { frontEnd: origin.frontEnd });
        await audit.record(tx, { action, outcome: 'success', user, origin, details: { count: hashes.size } });
      });
    },
  };
}
