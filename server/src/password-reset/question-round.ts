// Rounds of security questions: whoever answers all that are asked, in one go, gets the token that sets a new password.
import type { Account, Credential, Names } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { serviceErrors } from '../foundation/errors.ts';
import type { Origin } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import {
  type LockoutPolicy,
  type Lockouts,
  questionsSubject,
  type Reservation,
  unknownSubject,
} from '../lockout/index.ts';
import { type Passwords, requesterOf } from '../passwords/index.ts';
import {
  type AnswerHashes,
  normalizeAnswer,
  type SecurityAnswers,
  type SecurityQuestion,
  type TypedAnswer,
} from '../security-questions/index.ts';
import { securitySettings } from '../settings/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { resetErrors } from './errors.ts';
import { resetActions } from './events.ts';
import { isAllowed, ResetMethod, requireAllowed } from './method.ts';
import type { ProvenReset } from './proofs.ts';
import type { ResetTokens } from './reset-tokens.ts';

/** Checked in place of what was not answered, so that it takes as long. */
const NO_ANSWER = 'nothing';

/** So many rounds that are not right lock this way, whatever the front end says of passwords. */
const MAX_FAILED_ROUNDS = 3;

/** Rounds that a node works on at once; it refuses any other before it reads or writes anything for it. */
const MAX_ROUNDS_AT_ONCE = 4;

/** The lockout settings for an account, or a name without one. `compose.ts` hands in the one of `sign-in`. */
export type FindLockoutPolicy = (account: Account | undefined, origin: Origin) => LockoutPolicy;

/** What somebody is asked, with the hashes of what the account has answered; nobody is asked as well, without any. */
export type Asked = {
  account: (Account & { credential: Credential }) | undefined;
  subject: string;
  questions: readonly SecurityQuestion[];
  /** Empty for nobody, and for who has answered too few. */
  hashes: AnswerHashes;
};

export interface Asking {
  /**
   * The questions for whoever a name means, always the same ones as long as the list and the answers are. Whoever has
   * answered too few of them is asked others as well, and no answer is right; unknown names, deactivated accounts, and
   * those without any answer are asked nothing but such.
   */
  find(name: string): Promise<Asked>;
  /** Whether the account still has the answers that these hashes are of, as the transaction sees it. */
  isCurrent(tx: Tx, asked: Asked): Promise<boolean>;
}

export function createAsking(deps: { names: Names; answers: SecurityAnswers; settings: SettingReader }): Asking {
  const { names, answers, settings } = deps;
  return {
    async find(name) {
      const { account, nameMac } = await names.resolve(name);
      // Also for nobody: what has no account takes as long.
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

/** Each call ends in `reset.methodNotAllowed` when questions are switched off. */
export interface QuestionRounds {
  /** What must be answered, all of it. */
  ask(name: string): Promise<readonly SecurityQuestion[]>;
  /**
   * Takes the answers to exactly what is asked. Three failed rounds lock this way for the lockout time of the front end:
   * then every answer is wrong. Ends in `service.unavailable` when too many rounds are under way.
   */
  give(given: { name: string; answers: readonly TypedAnswer[] }, origin: Origin): Promise<ProvenReset>;
}

export function createQuestionRounds(deps: {
  database: Database;
  asking: Asking;
  passwords: Passwords;
  lockouts: Lockouts;
  findLockoutPolicy: FindLockoutPolicy;
  tokens: ResetTokens;
  settings: SettingReader;
  audit: AuditTrail;
}): QuestionRounds {
  const { database, asking, passwords, lockouts, findLockoutPolicy, tokens, settings, audit } = deps;
  let underWay = 0;

  /**
   * Checks a hash for each question, whether there is one or not and whatever was given. All at once: a round that waited
   * for its turn again and again would outlive its reservation.
   */
  async function isRight({ subject, questions, hashes }: Asked, given: readonly TypedAnswer[], origin: Origin) {
    const requester = requesterOf(origin, subject);
    const typed = new Map(given.map(({ questionId, answer }) => [questionId, normalizeAnswer(answer)]));
    const isComplete = given.length === questions.length && questions.every(({ id }) => typed.has(id));
    const checks = questions.map(({ id }) =>
      passwords.verify(isComplete ? (hashes.get(id) ?? null) : null, typed.get(id) || NO_ANSWER, requester),
    );
    return (await Promise.all(checks)).every(({ matches }) => matches);
  }

  async function settle(
    tx: Tx,
    asked: Asked,
    round: { isProven: boolean; held: Reservation },
    policy: LockoutPolicy,
    origin: Origin,
  ) {
    const { account } = asked;
    const { isProven, held } = round;
    // Looked at again: the answers, and whether they open anything, may have changed while they were checked.
    const counts = isProven && isAllowed(settings, ResetMethod.questions) && (await asking.isCurrent(tx, asked));
    const proven = counts ? account : undefined;
    await (proven ? lockouts.succeed(tx, held) : lockouts.fail(tx, held, policy));
    await audit.record(tx, {
      action: resetActions.proven,
      ...(proven ? { outcome: 'success' } : { outcome: 'refused', reason: resetErrors.invalidToken.reason }),
      ...(account && { user: { id: account.id, name: account.userName } }),
      origin,
      details: { method: ResetMethod.questions },
    });
    if (!proven) return undefined;
    const holder = { accountId: proven.id, passwordVersion: proven.credential.version };
    return { token: await tokens.issue(tx, holder, ResetMethod.questions), username: proven.userName };
  }

  async function judge(name: string, given: readonly TypedAnswer[], origin: Origin): Promise<ProvenReset> {
    const asked = await asking.find(name);
    const { seconds } = findLockoutPolicy(asked.account, origin);
    const policy = { enabled: true, maxFailures: MAX_FAILED_ROUNDS, seconds };
    // A locked round leaves no trace, so that strangers cannot fill the trail.
    const held = await lockouts.reserve(asked.subject, policy);
    if ('lockedUntil' in held) return undefined;
    try {
      const isProven = await isRight(asked, given, origin);
      return await database.transaction((tx) => settle(tx, asked, { isProven, held }, policy, origin));
    } catch (error) {
      // Not waited for: the database may have just failed, and the caller is to be told so soon.
      void lockouts.release(held).catch(() => {});
      throw error;
    }
  }

  return {
    async ask(name) {
      requireAllowed(settings, ResetMethod.questions);
      return (await asking.find(name)).questions;
    },

    async give({ name, answers }, origin) {
      requireAllowed(settings, ResetMethod.questions);
      if (underWay >= MAX_ROUNDS_AT_ONCE) throw serviceErrors.unavailable({ retryAfterSeconds: 1 });
      underWay += 1;
      try {
        return await judge(name, answers, origin);
      } finally {
        underWay -= 1;
      }
    },
  };
}
