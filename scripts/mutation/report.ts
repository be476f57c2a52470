// The report: how many mutants of each slice were killed, and why no test can kill the others.
import type { Explanation } from './explanations.ts';
import type { Mutant } from './mutants.ts';

/** The result for one mutant. */
export type Outcome = {
  readonly slice: string;
  readonly source: string;
  readonly mutant: Mutant;
  readonly end: 'killed' | 'explained' | 'survived';
  readonly explanation?: Explanation;
};

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
const code = (text: string) => (text === '' ? '' : `\`${cell(text)}\``);
const table = (heads: readonly string[], lines: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [heads, lines, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Describes a mutant on one line. */
export const describe = ({ source, mutant: { line, within, was, becomes } }: Outcome) =>
  `${source}:${line}: ${code(was)} becomes ${code(becomes) || 'nothing'} in ${code(within)}`;

function toSection(slice: string, outcomes: readonly Outcome[]): string {
  const ends = ['killed', 'explained', 'survived'] as const;
  const counts = ends.map((end) => outcomes.filter((one) => one.end === end).length);
  const explained = outcomes.flatMap(({ source, mutant: { within, was, becomes }, explanation }) =>
    explanation ? [[source.split('/').at(-1) ?? '', code(within), code(was), code(becomes), explanation.reason]] : [],
  );
  const survivors = outcomes.filter(({ end }) => end === 'survived').map((one) => `- ${describe(one)}`);
  return [
    `## ${slice}`,
    table(['mutants', ...ends], Array(4).fill('---:'), [[outcomes.length, ...counts]]),
    ...(explained.length > 0
      ? [table(['source', 'line', 'was', 'becomes', 'why nothing changes'], Array(5).fill('---'), explained)]
      : []),
    ...(survivors.length > 0 ? ['Survived:', survivors.join('\n')] : []),
  ].join('\n\n');
}

const head = [
  '# Mutation check',
  '<!-- Written by `npm run test:mutation`: run it again, do not change this page. -->',
  'The check changes the sources of critical slices in one small place at a time: a comparison, a condition, a number, a statement, a call in a query, a word of SQL. A change that no test notices survives. A change that makes no difference is explained.',
].join('\n\n');

/** Returns the page in Markdown. Slices that were not checked keep their section of `earlier`, the previous page. */
export function toPage(order: readonly string[], outcomes: readonly Outcome[], earlier: string): string {
  const sections = new Map(
    earlier
      .trimEnd()
      .split(/\n\n(?=## )/)
      .map((text) => [/^## (.*)/.exec(text)?.[1] ?? '', text]),
  );
  for (const [slice, own] of Map.groupBy(outcomes, (one) => one.slice)) sections.set(slice, toSection(slice, own));
  return `${[head, ...order.flatMap((slice) => sections.get(slice) ?? [])].join('\n\n')}\n`;
}
