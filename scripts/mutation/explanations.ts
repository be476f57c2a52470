// Explanations of mutants that no test can kill, because they behave like the source: comments above the line they explain.
import type { Mutant } from './mutants.ts';

/** Explains the mutants of a line in which `was` becomes `becomes`. Lines count from 1. */
export type Explanation = {
  readonly source: string;
  readonly line: number;
  readonly was: string;
  readonly becomes: string;
  readonly reason: string;
};

const comment = /^\s*\/\/ Mutation: /;
const change = '`([^`]+)` becomes (?:nothing|`([^`]+)`)';
const whole = new RegExp(`^${change}(?:, ${change})*\\. (\\S.*)$`);

/**
 * Returns the explanations of a source. Each stands on a line of its own, above the code it explains, in the form
 * ``// Mutation: `4` becomes `5`, `.where(old)` becomes nothing. Why no test can notice it.``
 *
 * @throws Error a comment has another form
 */
export function findExplanations(source: string, text: string): Explanation[] {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    if (!comment.test(line)) return [];
    const words = line.replace(comment, '');
    const reason = whole.exec(words)?.at(-1);
    if (reason === undefined) throw new Error(`${source}:${at + 1}: write "Mutation: \`a\` becomes \`b\`. Reason."`);
    const explained = lines.findIndex((other, below) => below > at && !other.trimStart().startsWith('//')) + 1;
    const changes = words.slice(0, -reason.length).matchAll(new RegExp(change, 'g'));
    return [...changes].map(([, was = '', becomes = '']) => ({ source, line: explained, was, becomes, reason }));
  });
}

/** Whether an explanation of the mutant's source is about the mutant. */
export const explains = (explanation: Explanation, mutant: Mutant): boolean =>
  (['line', 'was', 'becomes'] as const).every((part) => explanation[part] === mutant[part]);
