// The rules of notices: when the next one may go to an address, and how one notice tells several changes.
import { addSeconds, type Instant } from '../foundation/clock.ts';
import type { Medium } from '../foundation/medium.ts';

/** An address gets the notice of a change at once, and those of later changes together, this long after the last notice. */
const GAP_SECONDS = 300;

/** Nothing waits for longer. A clock that was ahead by mistake set a later time. */
export const LONGEST_WAIT_SECONDS = 86_400;

/** Changes that an SMS names. Longer ones cost more, and e-mails name all. */
const MOST_IN_SMS = 3;

/** Changes that no notice has told so far, in the order in which they first happened. */
export type WaitingChanges = readonly { readonly change: string; readonly times: number }[];

export const nextNoticeAt = (now: Instant): Instant => addSeconds(now, GAP_SECONDS);

/** Whether a notice may go now. */
export function isDue(dueAt: Instant, now: Instant): boolean {
  return dueAt <= now || dueAt > addSeconds(now, LONGEST_WAIT_SECONDS);
}

/** Returns the waiting changes with one more. */
export function addChange(waiting: WaitingChanges, change: string): WaitingChanges {
  const known = waiting.find((one) => one.change === change);
  if (!known) return [...waiting, { change, times: 1 }];
  return waiting.map((one) => (one === known ? { change, times: one.times + 1 } : one));
}

/** Returns the changes as sentences: one in a line of an e-mail, and the first ones in an SMS. */
export function describeChanges(waiting: WaitingChanges, medium: Medium): string {
  const sentences = waiting.map(({ change, times }) => (times === 1 ? change : `${change} (${times} times)`));
  if (medium === 'email') return sentences.join('\n');
  const more = sentences.length - MOST_IN_SMS;
  return [...sentences.slice(0, MOST_IN_SMS), ...(more > 0 ? [`More changes: ${more}.`] : [])].join(' ');
}
