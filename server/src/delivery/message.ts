// Message rules: when a message that could not be sent is tried again, and when it is given up.
import { addSeconds, type Instant } from '../foundation/clock.ts';
import { DeliveryError } from './channel.ts';

/** Where a message is on its way. */
export type MessageState = 'queued' | 'sent' | 'failed' | 'dropped';

/** How far a message has come. */
export type Progress = { createdAt: Instant; expiresAt: Instant; doubtfulTries: number };

/** What becomes of a message whose try failed. */
export type NextStep = { state: 'queued' | 'failed' | 'dropped'; dueAt: Instant; doubtfulTries: number };

/** So many tries in doubt are one duplicate at the most. */
export const MAX_DOUBTFUL_TRIES = 2;
const SHORTEST_WAIT_SECONDS = 1;

/**
 * After a failed try. The waits grow to half the message's age, and shrink to half the time that it has left: a short
 * outage delays a pin by seconds, a long one costs few tries, and one that ends before the message does is survived.
 */
export function afterFailure(
  { createdAt, expiresAt, doubtfulTries }: Progress,
  failure: unknown,
  now: Instant,
): NextStep {
  const kind = failure instanceof DeliveryError ? failure.kind : 'uncertain';
  const doubts = kind === 'uncertain' ? doubtfulTries + 1 : doubtfulTries;
  const halfAgeSeconds = Math.max(0, now - createdAt) / 2000;
  const halfRestSeconds = (expiresAt - now) / 2000;
  const waitSeconds = Math.ceil(Math.max(SHORTEST_WAIT_SECONDS, Math.min(halfAgeSeconds, halfRestSeconds)));
  const dueAt = addSeconds(now, waitSeconds);
  if (kind === 'refused' || doubts >= MAX_DOUBTFUL_TRIES) return { state: 'failed', dueAt, doubtfulTries: doubts };
  return { state: dueAt < expiresAt ? 'queued' : 'dropped', dueAt, doubtfulTries: doubts };
}
