// The message dispatcher: hands due messages to the channel of their medium, and settles what came of it.
import { addSeconds, type Clock, type Instant, toInstant } from '../foundation/clock.ts';
import { type Attempt, createDispatcher } from '../foundation/dispatcher.ts';
import type { Occurrence } from '../foundation/events.ts';
import { maskAddress } from '../foundation/mask.ts';
import type { Medium } from '../foundation/medium.ts';
import { afterSetBack, SLACK_SECONDS } from '../foundation/set-back.ts';
import { within } from '../foundation/time-limit.ts';
import type { Database, Tx } from '../storage/database.ts';
import { type Channel, type OutgoingMessage, SLOTS } from './channel.ts';
import { messageActions } from './declarations.ts';
import { afterFailure, MAX_DOUBTFUL_TRIES } from './message.ts';
import { OUTBOX } from './outbox.ts';
import type { ClaimedMessage, MessageStore, NewMessage } from './store.sql.ts';

/** A channel must send a message within this time. */
const SEND_SECONDS = 20;

/** A channel of an extension must close within this time, so that the service stops. */
const CLOSE_SECONDS = 2;

/** The service keeps settled messages this long, without their text unless they went to the outbox. */
const KEPT_SECONDS = 7 * 86_400;
const REMOVAL_BATCH = 500;

/** A transaction under way, or a node whose clock is behind, may queue a message with a time from before the last look. */
const LOOK_BACK_SECONDS = 3600;

export interface MessageDispatcher {
  /** The channels in use. */
  readonly channels: Readonly<Record<Medium, Channel>>;
  /** Sends due messages within about a second, until `stop`. */
  start(): void;
  /** Tries every due message once. */
  deliverDue(means: Medium): Promise<void>;
  /** Returns the number of queued messages by means, and how long the oldest has waited. */
  backlog(): Promise<{ means: Medium; count: number; oldestSeconds: number }[]>;
  /** Starts no new try, waits for the messages in flight, and closes the channels. */
  stop(): Promise<void>;
  /** Job: makes messages due that were put off by a clock that was ahead: at once on the node of that clock, or within an hour. */
  correctDueTimes(): Promise<void>;
  /** Cleanup job: erases the content of messages that were dropped when they were queued. The request itself takes the same time for all. */
  eraseDropped(): Promise<void>;
  /** Cleanup job: deletes one batch of old settled messages. */
  deleteExpired(): Promise<void>;
}

export function createMessageDispatcher(deps: {
  database: Database;
  store: MessageStore;
  channels: Readonly<Record<Medium, Channel>>;
  /** Unseals a stored message. */
  open: (message: NewMessage) => OutgoingMessage;
  record: (tx: Tx, occurrence: Occurrence) => Promise<void>;
  clock: Clock;
  /** Called with the cause when a try or the dispatcher itself fails. */
  onFailure: (error: unknown, context?: { messageId?: string; channel?: string }) => void;
}): MessageDispatcher {
  const { database, store, channels, open, record, clock, onFailure } = deps;
  const means = Object.values(channels).map((channel) => channel.means);

  /** Up to when this node has erased the content of dropped messages. After a restart, it looks at all. */
  let erasedUntil: Instant | undefined;

  async function settle(message: ClaimedMessage, state: 'sent' | 'failed' | 'dropped') {
    const { name: channel } = channels[message.means];
    const now = clock.now();
    await database.transaction(async (tx) => {
      const keepContent = state === 'sent' && channel === OUTBOX;
      if (!(await store.settle(tx.sql, message, { state, channel, keepContent }, now))) return;
      await record(tx, {
        action: messageActions[state],
        outcome: state === 'sent' ? 'success' : 'refused',
        ...(message.accountId !== null && { user: { id: message.accountId, name: null } }),
        details: {
          id: message.id,
          means: message.means,
          channel,
          template: message.template,
          to: maskAddress(message.recipient),
          tries: message.tries,
        },
      });
    });
  }

  async function deliver(message: ClaimedMessage, attempt: Attempt) {
    const channel = channels[message.means];
    if (message.expiresAt <= clock.now()) return settle(message, 'dropped');
    if (message.doubtfulTries >= MAX_DOUBTFUL_TRIES) return settle(message, 'failed');
    try {
      await attempt.within(SEND_SECONDS, (signal) => channel.send(open(message), { signal }));
    } catch (error) {
      onFailure(error, { messageId: message.id, channel: channel.name });
      const next = afterFailure(message, error, clock.now());
      // A stop of this service is not a failure of the channel. Another node, or the next start, tries again at once.
      if (attempt.isAborted()) return store.putOff(message, { ...next, dueAt: clock.now() });
      return next.state === 'queued' ? store.putOff(message, next) : settle(message, next.state);
    }
    return settle(message, 'sent');
  }

  const dispatcher = createDispatcher<Medium, ClaimedMessage>({
    kind: {
      slots: SLOTS,
      findDestinations: async () => means,
      claim: store.claim,
      renew: (message, dueAt) => store.putOff(message, { dueAt }),
      deliver,
    },
    clock,
    onFailure,
  });

  return {
    channels,
    start: dispatcher.start,
    deliverDue: dispatcher.deliverDue,
    async backlog() {
      const queued = await store.countQueued();
      return means.map((kind) => {
        const { count = 0, oldestAt = clock.now() } = queued.find((entry) => entry.means === kind) ?? {};
        return { means: kind, count, oldestSeconds: (clock.now() - oldestAt) / 1000 };
      });
    },
    async stop() {
      await dispatcher.stop();
      for (const kind of means)
        await within(CLOSE_SECONDS, clock, async () => channels[kind].close?.()).catch((error) => onFailure(error));
    },
    correctDueTimes: afterSetBack(clock, (now) => store.correctDueTimes(SLACK_SECONDS, now)),
    async eraseDropped() {
      const now = clock.now();
      const since = erasedUntil && addSeconds(toInstant(Math.min(erasedUntil, now)), -LOOK_BACK_SECONDS);
      const count = await store.eraseDropped(means, since ?? toInstant(0), REMOVAL_BATCH);
      if (count < REMOVAL_BATCH) erasedUntil = now;
    },
    deleteExpired: () => store.deleteSettled(addSeconds(clock.now(), -KEPT_SECONDS), REMOVAL_BATCH),
  };
}
