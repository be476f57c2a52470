// Rounds of security questions: exchanges the right answers to all of them, in one call, for a reset token.
import type { Attempts } from '../authentication/index.ts';
import { serviceErrors } from '../foundation/errors.ts';
import type { Origin } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { type Passwords, requesterOf } from '../passwords/index.ts';
import { normalizeAnswer, type SecurityQuestion, type TypedAnswer } from '../security-questions/index.ts';
import { isAllowed, ResetMethod, requireAllowed } from './method.ts';
import type { ProvenReset, SettleProof } from './proof-settlement.ts';
import type { QuestionSelector, SelectedQuestions } from './question-selector.ts';

/** Stands in for a missing answer, so that the comparison takes as long. */
const NO_ANSWER = 'nothing';

/** The number of wrong rounds that locks the method. It does not depend on the front end. */
const MAX_FAILED_ROUNDS = 3;

/** Rounds that a node verifies at the same time. It refuses any further one before it reads or writes anything. */
const MAX_ROUNDS_AT_ONCE = 4;

/** Each call throws `reset.methodNotAllowed` when questions are switched off. */
export interface QuestionRounds {
  /** Returns the questions. All of them have to be answered. */
  ask(name: string): Promise<readonly SecurityQuestion[]>;
  /**
   * Verifies the answers to exactly those questions. Three wrong rounds lock this method for the front end's lockout time.
   * While it is locked, every answer is wrong.
   * @throws AuthError `service.unavailable` when too many rounds are being verified.
   */
  give(given: { name: string; answers: readonly TypedAnswer[] }, origin: Origin): Promise<ProvenReset>;
}

export function createQuestionRounds(deps: {
  attempts: Attempts;
  questionSelector: QuestionSelector;
  answerHashing: Passwords;
  settleProof: SettleProof;
  settings: SettingReader;
}): QuestionRounds {
  const { attempts, questionSelector, answerHashing, settleProof, settings } = deps;
  let roundsInProgress = 0;

  /**
   * Compares one hash for each question, even for an incomplete round. The comparisons are queued together: one after the
   * other they could outlive the reservation.
   */
  async function isRight(selected: SelectedQuestions, given: readonly TypedAnswer[], origin: Origin) {
    const { subject, questions, hashes } = selected;
    const requester = requesterOf(origin, subject);
    const typed = new Map(given.map(({ questionId, answer }) => [questionId, normalizeAnswer(answer)]));
    const isComplete = given.length === questions.length && questions.every(({ id }) => typed.has(id));
    const checks = questions.map(({ id }) =>
      answerHashing.verify(isComplete ? (hashes.get(id) ?? null) : null, typed.get(id) || NO_ANSWER, requester),
    );
    return (await Promise.all(checks)).every(({ matches }) => matches);
  }

  async function verifyRound(name: string, given: readonly TypedAnswer[], origin: Origin): Promise<ProvenReset> {
    const selected = await questionSelector.select(name);
    const { seconds } = attempts.findPolicy(selected.account, origin);
    const round = await attempts.reserve(selected.subject, { enabled: true, maxFailures: MAX_FAILED_ROUNDS, seconds });
    // A locked round leaves no entry: attackers must not fill the audit trail.
    if ('lockedUntil' in round) return undefined;
    const matched = await round.verify(() => isRight(selected, given, origin));
    const settled = await round.settle(async (tx) => {
      const isRight =
        matched && isAllowed(settings, ResetMethod.questions) && (await questionSelector.isCurrent(tx, selected));
      const result = await settleProof(tx, { ...selected, isRight, method: ResetMethod.questions }, origin);
      return { proof: result ? 'right' : 'wrong', result };
    });
    return 'result' in settled ? settled.result : undefined;
  }

  return {
    async ask(name) {
      requireAllowed(settings, ResetMethod.questions);
      return (await questionSelector.select(name)).questions;
    },

    async give({ name, answers }, origin) {
      requireAllowed(settings, ResetMethod.questions);
      if (roundsInProgress >= MAX_ROUNDS_AT_ONCE) throw serviceErrors.unavailable({ retryAfterSeconds: 1 });
      roundsInProgress += 1;
      try {
        return await verifyRound(name, answers, origin);
      } finally {
        roundsInProgress -= 1;
      }
    },
  };
}
