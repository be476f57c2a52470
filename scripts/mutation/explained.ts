// Mutants that no test can notice, because they behave as the source does: each with the reason. One that a test does kill, or that is none any more, fails the run.

/** Names a mutant by the file, the line's text, and what on it becomes what. */
export type Explanation = {
  readonly source: string;
  readonly within: string;
  readonly was: string;
  readonly becomes: string;
  readonly reason: string;
};

export const explanations: readonly Explanation[] = [];
