// Webhook rules: which events a webhook receives, how requests are signed, and when a failed delivery is tried again.
import { createHmac } from 'node:crypto';
import { addSeconds, type Instant } from '../foundation/clock.ts';
import { SLACK_SECONDS } from '../foundation/set-back.ts';

/** An address that receives events. */
export type Webhook = {
  readonly id: string;
  readonly url: string;
  /** Patterns of actions: `signIn.password`, `signIn.*`, or `*` for all. */
  readonly actions: readonly string[];
  readonly description: string;
  readonly isEnabled: boolean;
  /** Why the service has disabled it. Null if it has not. */
  readonly disabledBecause: 'gone' | 'failing' | null;
  /** Since when every try has failed. */
  readonly failingSince: Instant | null;
  /** Since when it gets no new events, because as many wait as the service keeps. */
  readonly fullSince: Instant | null;
  readonly createdAt: Instant;
};

/** What an administrator chooses of a webhook. Absent members have defaults in a new one, and stay as they are in a change. */
export type WebhookInput = Pick<Webhook, 'url' | 'actions'> & Partial<Pick<Webhook, 'description' | 'isEnabled'>>;

/** The type of the event by which an administrator tries a webhook. */
export const TEST_EVENT = 'webhook.test';

/** The type of the event that tells the head of the chain over the trail each hour. */
export const HEAD_EVENT = 'audit.head';

/** Whether the action fits one of the patterns. */
export const fits = (patterns: readonly string[], action: string): boolean =>
  patterns.some((pattern) => pattern === '*' || pattern === action || pattern === `${action.split('.', 1)}.*`);

/** Random bytes of a secret. Standard Webhooks asks for 24 to 64. */
export const SECRET_BYTES = 32;

/** Returns a secret as it is shown (Standard Webhooks 1.0, "Signature scheme"). */
export const formatSecret = (bytes: Buffer): string => `whsec_${bytes.toString('base64')}`;

/** Whether a text has the form of a secret, with 24 to 64 bytes. */
export function isSecret(text: string): boolean {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === base64;
}

/**
 * Returns the header `webhook-signature` (Standard Webhooks 1.0).
 * @param secrets all that sign, in the format of `formatSecret`.
 * @param timestamp in seconds since 1970.
 */
export function sign(
  secrets: readonly string[],
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
) {
  const signed = `${id}.${timestamp}.${body}`;
  const signWith = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
      .update(signed)
      .digest('base64');
  return secrets.map((secret) => `v1,${signWith(secret)}`).join(' ');
}

/** Seconds from each failed try to the next one: about three days in all. */
const WAITS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** A wait is longer by at most this part, so that deliveries which failed together do not all come back together. */
const JITTER = 0.1;

/** A receiver may ask to wait for this long, in seconds. */
const LONGEST_WAIT = 86_400;

/** A webhook whose tries all fail for so long is disabled, in seconds. */
const GIVE_UP_SECONDS = 5 * 86_400;

/**
 * Returns when a delivery is tried again, or `undefined` if that was the last try.
 * @param failures so far, with this one.
 * @param asked the seconds that the receiver asked to wait (`Retry-After`).
 * @param chance from 0 to 1.
 */
export function nextTry(
  failures: number,
  asked: number | undefined,
  chance: number,
  now: Instant,
): Instant | undefined {
  const wait = WAITS[failures - 1];
  if (wait === undefined) return undefined;
  // Mutation: `0` becomes `1`. Each wait is longer than either.
  const seconds = Math.max(wait, Math.min(asked ?? 0, LONGEST_WAIT)) * (1 + JITTER * chance);
  return addSeconds(now, Math.ceil(seconds));
}

const toLongest = (wait: number) => (wait * (1 + JITTER) + SLACK_SECONDS) * 1000;

/**
 * How many milliseconds from now a delivery can be due at most, by its failures so far. One that is due later was put off before
 * the clock was set back.
 */
export const longestWaits: readonly number[] = [0, ...WAITS].map(toLongest);

/** The same for one whose receiver has answered: it may have asked to wait. */
export const longestAskedWait = toLongest(LONGEST_WAIT);

/** The most events that wait for one webhook, give or take those of a few seconds. */
const MOST_QUEUED = 100_000;

/** A full webhook gets new events again when fewer than so many wait. */
const RESUMED_QUEUED = 90_000;

/** Whether a webhook is full for which so many events wait. @param was whether it was before. */
export const isFull = (queued: number, was: boolean): boolean => queued >= (was ? RESUMED_QUEUED : MOST_QUEUED);

/** What came of a try. `gone`: the receiver wants no more events. */
export type Outcome = 'delivered' | 'failed' | 'gone';

/** Whether a webhook whose tries have failed since then is given up. */
export const isGivenUp = (failingSince: Instant, now: Instant): boolean =>
  now >= addSeconds(failingSince, GIVE_UP_SECONDS);

/** Reads `Retry-After` (RFC 9110, 10.2.3) as seconds. */
export function readRetryAfter(text: string | null, now: Instant): number | undefined {
  // Mutation: `text === null` becomes `false`. Nothing is no date either.
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}
