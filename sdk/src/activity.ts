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

/** While the user is active, the client asks at least this often whether the session is still open. */
const SESSION_CHECK_MS = 45_000;

/** Whether to ask now. A time in the future was written before the clock was set back. */
export const isSessionCheckDue = (checkedAt: number, activeAt: number, now: number): boolean =>
  checkedAt > now || (activeAt > checkedAt && now - checkedAt >= SESSION_CHECK_MS);

/** Tokens are refreshed so long before they expire, or after three quarters of their lifetime if that is later. */
const REFRESH_AHEAD_MS = 60_000;

/** Browsers run the timers of a hidden page once a minute. So there, two checks come before the token expires. */
const HIDDEN_AHEAD_MS = 150_000;

/**
 * Whether to refresh now: the token expires soon, and the session is in use. While automatic log-off is on, it is in use until
 * the time without activity is over. Otherwise it is if the user has been active since the token was received.
 */
export function isRefreshDue(
  token: HeldToken,
  { policy, activeAt, isHidden }: { policy: IdlePolicy | null; activeAt: number; isHidden: boolean },
  now: number,
): boolean {
  const lifetime = token.expiresAt - token.receivedAt;
  const ahead = isHidden ? Math.min(HIDDEN_AHEAD_MS, lifetime * 0.75) : Math.min(REFRESH_AHEAD_MS, lifetime * 0.25);
  if (now < token.expiresAt - ahead) return false;
  return policy?.isOn ? computeIdleness(policy, activeAt, now).is !== 'over' : activeAt > token.receivedAt;
}
