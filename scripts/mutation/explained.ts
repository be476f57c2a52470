// Mutants that no test can notice, because they behave as the source does: each with the reason. One that a test does
// kill, or that is none any more, fails the run.

/** Names a mutant by the file, the line's text, and what on it becomes what. */
export type Explanation = {
  readonly source: string;
  readonly within: string;
  readonly was: string;
  readonly becomes: string;
  readonly reason: string;
};

export const explanations: readonly Explanation[] = [
  {
    source: 'server/src/tokens/token.ts',
    within: "const [header = '', payload = '', signatureText = '', ...more] = token.split('.', 4);",
    was: '4',
    becomes: '5',
    reason: 'One part too many is as bad as two.',
  },
  {
    source: 'server/src/lockout/store.sql.ts',
    within: 'rows.flatMap(({ subject, locked_until }) => (locked_until === null ? [] : [[subject, locked_until]])),',
    was: 'locked_until === null ? [] : [[subject, locked_until]]',
    becomes: '[[subject, locked_until]]',
    reason: 'The query gives no row without a lock: the condition only tells the compiler.',
  },
  {
    source: 'server/src/rate-limits/window.ts',
    within: 'if (refusedAt === null) return windowEnd;',
    was: 'refusedAt === null',
    becomes: 'false',
    reason: 'No refusal counts as one of 1970, which any window outlasts.',
  },
  {
    source: 'server/src/rate-limits/store.sql.ts',
    within: 'if (known) {',
    was: 'known',
    becomes: 'true',
    reason: 'Of an address that is not known the rule allows a first request, and then the database is asked as well.',
  },
];
