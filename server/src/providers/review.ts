// Reviews: extensions decide whether the service creates an account for a person whom a provider has identified.
import type { Clock } from '../foundation/clock.ts';
import { within } from '../foundation/time-limit.ts';
import { externalErrors } from './declarations.ts';
import { toLoggable } from './loggable.ts';
import type { ExternalUser } from './profile.ts';

/** A reviewer must answer within this time. */
const LIMIT_SECONDS = 10;

/** The decision on a new person. `hold` creates an inactive account for an administrator to check. The strictest counts. */
export type ReviewVerdict = 'register' | 'hold' | 'refuse';

/** Decides on a new person. If it fails or returns another value, the sign-in fails. */
export type Reviewer = (user: Readonly<ExternalUser>) => ReviewVerdict | Promise<ReviewVerdict>;

/** Asks all reviewers. @throws AuthError `external.unavailable` when a reviewer gives no verdict. */
export type Review = (user: ExternalUser) => Promise<ReviewVerdict>;

const knownVerdicts: readonly unknown[] = ['register', 'hold', 'refuse'] satisfies ReviewVerdict[];

export function createReview(deps: { reviewers: readonly Reviewer[]; clock: Clock }): Review {
  const { reviewers, clock } = deps;

  async function ask(reviewer: Reviewer, user: ExternalUser): Promise<ReviewVerdict> {
    try {
      const verdict = await within(LIMIT_SECONDS, clock, async () => reviewer(Object.freeze({ ...user })));
      if (knownVerdicts.includes(verdict)) return verdict;
      throw new Error('It must return "register", "hold" or "refuse".');
    } catch (error) {
      const cause = toLoggable(error, []);
      throw externalErrors.unavailable({ cause: new Error('onExternalUserRegistering gave no verdict', { cause }) });
    }
  }

  return async (user) => {
    const verdicts: ReviewVerdict[] = [];
    for (const reviewer of reviewers) verdicts.push(await ask(reviewer, user));
    return (['refuse', 'hold'] as const).find((verdict) => verdicts.includes(verdict)) ?? 'register';
  };
}
