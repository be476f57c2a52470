// Security question rules: which list of questions is a good one, and what of an answer counts.
import { foldCase } from '../foundation/case-folding.ts';
import type { ValidationError } from '../foundation/errors.ts';

/** A question of the list; `id` is a lower-case UUID, which answers refer to. */
export type SecurityQuestion = { id: string; question: string };

/** An answer as it was typed. */
export type TypedAnswer = { questionId: string; answer: string };

/** Longest answer, in characters, of which only what counts is counted. */
const MAX_ANSWER_LENGTH = 200;

const strip = (text: string) => text.replace(/[\p{P}\p{Sk}\p{Cf}]/gu, '');

/**
 * What counts of an answer, so that "St. Mary’s " is "ST MARYS": NFKC and case folding as for user names, without
 * punctuation, accents that stand alone (typed as apostrophes) and invisible characters, and with single blanks.
 * Empty for a text of nothing else.
 */
export function normalizeAnswer(typed: string): string {
  return strip(foldCase(strip(typed)))
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** What is wrong with a list of questions: two that are the same, or one without a word. */
export function findListProblems(questions: readonly SecurityQuestion[]): ValidationError[] {
  const ids = questions.map(({ id }) => id);
  const texts = questions.map(({ question }) => normalizeAnswer(question));
  return questions.flatMap((_, index) => {
    const problems: [broken: boolean, member: string, message: string][] = [
      [ids.indexOf(ids[index] as string) < index, 'id', 'Give each question an id of its own.'],
      [texts[index] === '', 'question', 'Write a question in words.'],
      [texts.indexOf(texts[index] as string) < index, 'question', 'This question is in the list already.'],
    ];
    return problems
      .filter(([broken]) => broken)
      .map(([, member, message]) => ({ message, members: [`${index}.${member}`] }));
  });
}

/**
 * What is wrong with the answers somebody gives to questions of this list; the sentences hold nothing of them.
 * An answer may not be words of its question, nor be that to another one: whoever guesses one must not have two.
 */
export function findAnswerProblems(
  questions: readonly SecurityQuestion[],
  given: readonly TypedAnswer[],
): ValidationError[] {
  const texts = new Map(questions.map(({ id, question }) => [id, normalizeAnswer(question)]));
  const ids = given.map(({ questionId }) => questionId);
  const answers = given.map(({ answer }) => normalizeAnswer(answer));
  return given.flatMap(({ questionId }, index) => {
    const answer = answers[index] as string;
    const problems: [broken: boolean, member: string, message: string][] = [
      [!texts.has(questionId), 'questionId', 'There is no such question.'],
      [ids.indexOf(questionId) < index, 'questionId', 'Answer each question once.'],
      [answer === '', 'answer', 'Answer in words: punctuation does not count.'],
      [[...answer].length > MAX_ANSWER_LENGTH, 'answer', `Use at most ${MAX_ANSWER_LENGTH} characters.`],
      [` ${texts.get(questionId)} `.includes(` ${answer} `), 'answer', 'Give an answer that is not in the question.'],
      [answers.indexOf(answer) < index, 'answer', 'Give each question an answer of its own.'],
    ];
    const [first] = problems.filter(([broken]) => broken);
    if (!first) return [];
    const [, member, message] = first;
    return [{ message, members: [`answers.${index}.${member}`] }];
  });
}
