// What an application is told when a grant of a person ends, and what came of it (OpenID Connect Back-Channel Logout 1.0).
import { addSeconds, type Instant } from '../foundation/clock.ts';
import { SLACK_SECONDS } from '../foundation/set-back.ts';

/**
 * - `pending`: the application is told, or will be tried again;
 * - `confirmed`: it has answered that it has signed the person out;
 * - `refused`: it has answered that it will not (400, 501);
 * - `failed`: it has not answered for a day;
 * - `unreachable`: it has no address for sign-outs, or was deleted before it was told. Its access tokens end by themselves.
 */
export const SIGN_OUT_STATES = ['pending', 'confirmed', 'refused', 'failed', 'unreachable'] as const;
type SignOutState = (typeof SIGN_OUT_STATES)[number];

export type SignOut = {
  readonly id: string;
  readonly grantId: string;
  readonly sessionId: string;
  readonly accountId: number;
  readonly applicationId: string;
  /** What it was called then. People see it for longer than some applications exist. Null: an earlier version has not kept it. */
  readonly applicationName: string | null;
  readonly state: SignOutState;
  readonly endedAt: Instant;
  /** When the last access token of the grant expires. */
  readonly tokensEndAt: Instant;
  /** When the application answered, or was given up. */
  readonly settledAt: Instant | null;
  readonly dueAt: Instant;
  readonly tries: number;
  readonly failures: number;
};

/** Seconds from each failed try to the next one: a day in all, and less than `LAST_SECONDS` in `audit/erasure.ts`. */
const WAITS = [5, 30, 300, 1800, 7200, 18_000, 28_800, 30_000];

/** A wait is longer by at most this part. */
const JITTER = 0.1;

/** Returns when an application is tried again, or `undefined` if that was the last try. @param chance from 0 to 1. */
export function nextTry(failures: number, chance: number, now: Instant): Instant | undefined {
  const wait = WAITS[failures - 1];
  return wait === undefined ? undefined : addSeconds(now, Math.ceil(wait * (1 + JITTER * chance)));
}

/**
 * How many milliseconds from now a sign-out can be due at most, by its failures so far. One that is due later was put off before the
 * clock was set back.
 */
export const longestWaits: readonly number[] = [0, ...WAITS].map(
  (wait) => (wait * (1 + JITTER) + SLACK_SECONDS) * 1000,
);

/** Returns what an answer means. `undefined`: nothing, and the application is tried again. */
export function readAnswer(status: number): 'confirmed' | 'refused' | undefined {
  if (status === 200 || status === 204) return 'confirmed';
  return status === 400 || status === 501 ? 'refused' : undefined;
}
