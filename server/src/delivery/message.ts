// Message rules: when the service retries a message that could not be sent, and when it gives up.
import { addSeconds, type Instant } from '../foundation/clock.ts';
import { DeliveryError } from './channel.ts';

/** The state of a message. */
export type MessageState = 'queued' | 'sent' | 'failed' | 'dropped';

/** The part of a message that decides on its next try. */
export type Progress = { createdAt: Instant; expiresAt: Instant; doubtfulTries: number };

/** The state of a message after a failed try. */
export type NextStep = { state: 'queued' | 'failed' | 'dropped'; dueAt: Instant; doubtfulTries: number };

/** Two tries with an uncertain outcome make at most one duplicate. */
export const MAX_DOUBTFUL_TRIES = 2;
const MIN_WAIT_SECONDS = 1;

/**
 * Returns the state after a failed try. A wait is half the message's age, but at most half the time until it expires. So
 * a short outage delays a pin by seconds, and a long outage causes few tries. A message arrives if the outage ends before
 * it expires.
 */
export function afterFailure(
  { createdAt, expiresAt, doubtfulTries }: Progress,
  failure: unknown,
  now: Instant,
): NextStep {
  const kind = failure instanceof DeliveryError ? failure.kind : 'uncertain';
  const doubtful = kind === 'uncertain' ? doubtfulTries + 1 : doubtfulTries;
  const halfAgeSeconds = Math.max(0, now - createdAt) / 2000;
  const halfRestSeconds = (expiresAt - now) / 2000;
  const waitSeconds = Math.ceil(Math.max(MIN_WAIT_SECONDS, Math.min(halfAgeSeconds, halfRestSeconds)));
  const dueAt = addSeconds(now, waitSeconds);
  if (kind === 'refused' || doubtful >= MAX_DOUBTFUL_TRIES) return { state: 'failed', dueAt, doubtfulTries: doubtful };
  return { state: dueAt < expiresAt ? 'queued' : 'dropped', dueAt, doubtfulTries: doubtful };
}
