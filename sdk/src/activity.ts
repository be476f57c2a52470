// Activity and idleness: pure functions of the time.
import type { HeldToken, IdlePolicy } from './shared-state.ts';

const WARNING_SECONDS = 60;

/** The state of idleness. `warn` has the seconds that are left of the last minute. */
export type Idleness =
  | { readonly is: 'fine' }
  | { readonly is: 'warn'; readonly secondsLeft: number }
  | { readonly is: 'over' };

/**
 * Returns the state of idleness.
 * @param activeAt the time of the latest activity in any tab, in milliseconds. A time in the future counts as now: the
 * clock was set back.
 */
export function computeIdleness(policy: IdlePolicy | null, activeAt: number, now: number): Idleness {
  if (!policy?.isOn) return { is: 'fine' };
  const secondsLeft = policy.timeout - Math.max(0, now - activeAt) / 1000;
  if (secondsLeft <= 0) return { is: 'over' };
  return secondsLeft <= WARNING_SECONDS ? { is: 'warn', secondsLeft: Math.ceil(secondsLeft) } : { is: 'fine' };
}

/** Tokens are refreshed so long before they expire, or after three quarters of their lifetime if that is later. */
const REFRESH_AHEAD_MS = 60_000;

/** Whether to refresh now: the token expires soon, and the user has been active since it was received. */
export function isRefreshDue(token: HeldToken, activeAt: number, now: number): boolean {
  const ahead = Math.min(REFRESH_AHEAD_MS, (token.expiresAt - token.receivedAt) / 4);
  return now >= token.expiresAt - ahead && activeAt > token.receivedAt;
}
