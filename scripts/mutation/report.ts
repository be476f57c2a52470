// The report: how many mutants of each slice were killed, and why nobody can kill the others.
import type { Explanation } from './explained.ts';
import type { Mutant } from './mutants.ts';

/** What became of one mutant. */
export type Outcome = {
  readonly slice: string;
  readonly source: string;
  readonly mutant: Mutant;
  readonly end: 'killed' | 'explained' | 'survived';
  readonly explanation?: Explanation;
};

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
const code = (text: string) => `\`${cell(text)}\``;
const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;

/** What a mutant is, on one line. */
export const describe = ({ source, mutant: { line, within, was, becomes } }: Outcome) =>
  `${source}:${line}: \`${cell(was)}\` becomes \`${cell(becomes)}\` in \`${cell(within)}\``;

/** The page, as Markdown. */
export function toPage(outcomes: readonly Outcome[]): string {
  const slices = [...new Set(outcomes.map(({ slice }) => slice))];
  const count = (slice: string, end?: Outcome['end']) =>
    outcomes.filter((one) => one.slice === slice && (end === undefined || one.end === end)).length;
  const counts = slices.map((slice) =>
    row([code(slice), count(slice), count(slice, 'killed'), count(slice, 'explained'), count(slice, 'survived')]),
  );
  const explained = outcomes.flatMap(({ source, mutant, explanation }) =>
    explanation
      ? [row([code(source.replace('server/src/', '')), code(mutant.was), code(mutant.becomes), explanation.reason])]
      : [],
  );
  const survivors = outcomes.filter(({ end }) => end === 'survived').map((outcome) => `- ${describe(outcome)}`);
  return [
    '# Mutation check',
    '<!-- Written by `npm run test:mutation`: run it again, do not change this page. -->',
    'Each line is a slice whose sources were changed in one small place at a time: a comparison, a condition, a number, a statement, a link of a query. A change that no test notices survives; one that makes no difference is explained below.',
    [
      row(['slice', 'mutants', 'killed', 'explained', 'survived']),
      row(['---', '---:', '---:', '---:', '---:']),
      ...counts,
    ].join('\n'),
    ...(survivors.length > 0 ? ['## Survived', survivors.join('\n')] : []),
    ...(explained.length > 0
      ? [
          '## Explained',
          [row(['source', 'was', 'becomes', 'why nothing changes']), row(Array(4).fill('---')), ...explained].join(
            '\n',
          ),
        ]
      : []),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}
