// Reviews: extensions that are asked before an account is made for somebody whom a provider vouches for.
import type { Clock } from '../foundation/clock.ts';
import { within } from '../foundation/time-limit.ts';
import { externalErrors } from './errors.ts';
import { toLoggable } from './loggable.ts';
import type { ExternalUser } from './profile.ts';

/** How long one reviewer may take. */
const LIMIT_SECONDS = 10;

/** What becomes of a newcomer; of several, the strictest counts. `hold`: an inactive account, for somebody to look at. */
export type ReviewVerdict = 'register' | 'hold' | 'refuse';

/** Looks at somebody new, and says what is to become of them. One that fails or says something else stops the sign-in. */
export type Reviewer = (user: Readonly<ExternalUser>) => ReviewVerdict | Promise<ReviewVerdict>;

/** Ends in `external.unavailable`. */
export type Review = (user: ExternalUser) => Promise<ReviewVerdict>;

const verdicts: readonly unknown[] = ['register', 'hold', 'refuse'] satisfies ReviewVerdict[];

export function createReview(deps: { reviewers: readonly Reviewer[]; clock: Clock }): Review {
  const { reviewers, clock } = deps;

  async function ask(reviewer: Reviewer, user: ExternalUser): Promise<ReviewVerdict> {
    try {
      const verdict = await within(LIMIT_SECONDS, clock, async () => reviewer(Object.freeze({ ...user })));
      if (verdicts.includes(verdict)) return verdict;
      throw new Error('It must return "register", "hold" or "refuse".');
    } catch (error) {
      const cause = toLoggable(error, []);
      throw externalErrors.unavailable({ cause: new Error('onExternalUserRegistering gave no verdict', { cause }) });
    }
  }

  return async (user) => {
    const said: ReviewVerdict[] = [];
    for (const reviewer of reviewers) said.push(await ask(reviewer, user));
    return (['refuse', 'hold'] as const).find((verdict) => said.includes(verdict)) ?? 'register';
  };
}
