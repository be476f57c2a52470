// The rules of security questions: which lists and answers are accepted, and how answers are normalized.
import { foldCase } from '../foundation/case-folding.ts';
import type { ValidationError } from '../foundation/errors.ts';

/** A question of the list. Answers refer to its `id`, a lower-case UUID. */
export type SecurityQuestion = { id: string; question: string };

/** An answer as the person typed it. */
export type TypedAnswer = { questionId: string; answer: string };

/** Length of the longest answer after normalization, in characters. */
const MAX_ANSWER_LENGTH = 200;

const strip = (text: string) => text.replace(/[\p{P}\p{Sk}\p{Cf}]/gu, '');

/**
 * Normalizes an answer, so that "St. Mary’s " equals "ST MARYS". Applies NFKC and case folding as for user names. Removes
 * punctuation, single accents (typed as apostrophes) and invisible characters, and joins blanks. The result can be empty.
 */
export function normalizeAnswer(typed: string): string {
  return strip(foldCase(strip(typed)))
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Finds the problems of a list of questions: the same id or question twice, or a question without words. */
export function findListProblems(questions: readonly SecurityQuestion[]): ValidationError[] {
  const list = questions.map(({ id, question }) => ({ id, text: normalizeAnswer(question) }));
  return list.flatMap(({ id, text }, index) => {
    const earlier = list.slice(0, index);
    const problems: [broken: boolean, member: string, message: string][] = [
      [earlier.some((one) => one.id === id), 'id', 'Give each question an id of its own.'],
      [text === '', 'question', 'Write a question in words.'],
      [earlier.some((one) => one.text === text), 'question', 'This question is already in the list.'],
    ];
    return problems
      .filter(([broken]) => broken)
      .map(([, member, message]) => ({ message, members: [`${index}.${member}`] }));
  });
}

/**
 * Finds the problems of answers to questions of this list. The messages never contain an answer. An answer must not
 * consist of words of its question, and two questions must not have the same answer: one guess must not solve two.
 */
export function findAnswerProblems(
  questions: readonly SecurityQuestion[],
  given: readonly TypedAnswer[],
): ValidationError[] {
  const texts = new Map(questions.map(({ id, question }) => [id, normalizeAnswer(question)]));
  const answers = given.map(({ questionId, answer }) => ({ questionId, answer: normalizeAnswer(answer) }));
  return answers.flatMap(({ questionId, answer }, index) => {
    const earlier = answers.slice(0, index);
    const problems: [broken: boolean, member: string, message: string][] = [
      [!texts.has(questionId), 'questionId', 'There is no such question.'],
      [earlier.some((one) => one.questionId === questionId), 'questionId', 'Answer each question once.'],
      [answer === '', 'answer', 'Answer in words: punctuation does not count.'],
      [[...answer].length > MAX_ANSWER_LENGTH, 'answer', `Use at most ${MAX_ANSWER_LENGTH} characters.`],
      [` ${texts.get(questionId)} `.includes(` ${answer} `), 'answer', 'Give an answer that is not in the question.'],
      [earlier.some((one) => one.answer === answer), 'answer', 'Give each question an answer of its own.'],
    ];
    const [first] = problems.filter(([broken]) => broken);
    if (!first) return [];
    const [, member, message] = first;
    return [{ message, members: [`answers.${index}.${member}`] }];
  });
}
