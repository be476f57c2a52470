// Activity and idleness: rules of a few lines, with the time handed in.
import type { HeldToken, IdlePolicy } from './shared-state.ts';

/** What counts as somebody being there. Requests in the background do not. */
export const activityEvents = ['keydown', 'pointerdown', 'pointermove', 'touchstart', 'wheel', 'scroll'] as const;

const WARNING_SECONDS = 60;

/** What idleness has come to: `warn` with the seconds that are left of the last minute. */
export type Idleness =
  | { readonly is: 'fine' }
  | { readonly is: 'warn'; readonly secondsLeft: number }
  | { readonly is: 'over' };

/** @param activeAt of the latest activity in any tab, in milliseconds; one that lies ahead (a clock was set back) is now. */
export function judgeIdleness(policy: IdlePolicy | null, activeAt: number, now: number): Idleness {
  if (!policy?.isOn) return { is: 'fine' };
  const secondsLeft = policy.timeout - Math.max(0, now - activeAt) / 1000;
  if (secondsLeft <= 0) return { is: 'over' };
  return secondsLeft <= WARNING_SECONDS ? { is: 'warn', secondsLeft: Math.ceil(secondsLeft) } : { is: 'fine' };
}

/** Tokens are refreshed this long before they end, or a quarter of their life if that is shorter. */
const REFRESH_AHEAD_MS = 60_000;

/** Whether it is time to refresh: the token ends soon, and somebody has been active since it came. */
export function isRefreshDue(token: HeldToken, activeAt: number, now: number): boolean {
  const ahead = Math.min(REFRESH_AHEAD_MS, (token.expiresAt - token.receivedAt) / 4);
  return now >= token.expiresAt - ahead && activeAt > token.receivedAt;
}
