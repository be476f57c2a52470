// The message dispatcher: every node claims due messages and hands them to their channel. One node at a time holds a message.
import { addSeconds, type Clock } from '../foundation/clock.ts';
import type { Occurrence } from '../foundation/events.ts';
import { maskAddress } from '../foundation/mask.ts';
import type { Medium } from '../foundation/medium.ts';
import type { Database, Tx } from '../storage/database.ts';
import { type Channel, DeliveryError, type OutgoingMessage } from './channel.ts';
import { messageActions } from './declarations.ts';
import { afterFailure, MAX_DOUBTFUL_TRIES } from './message.ts';
import { OUTBOX } from './outbox.ts';
import type { ClaimedMessage, MessageStore, NewMessage } from './store.sql.ts';

/**
 * How often each node looks for due messages. The service sends no message the moment it is queued: the extra work would
 * slow down the next request, and an attacker could measure that to enumerate accounts.
 */
const POLL_MS = 1000;

/** How many messages of one means a node sends at the same time. */
const SLOTS = 20;

/** A channel must send a message within this time. */
const SEND_SECONDS = 20;

/** After its abort, a channel has this long to report a result. */
const GIVE_UP_MS = 500;

/**
 * A claim ends this long after its last renewal: its node has crashed. If that happened after the message was sent, the
 * next try makes one duplicate.
 */
const CLAIM_SECONDS = 8;
const RENEW_MS = 2000;

/** How long the service waits for messages in flight when it stops. */
const STOP_SECONDS = 3;

/** The service keeps settled messages this long, without their text unless they went to the outbox. */
const KEPT_SECONDS = 7 * 86_400;
const REMOVAL_BATCH = 500;

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
  /** Aborts the tries under way. One signal for all of them would keep every message in memory. */
  const attempts = new Set<AbortController>();
  const underWay: Readonly<Record<Medium, Set<Promise<void>>>> = { email: new Set(), sms: new Set() };
  const polls = new Map<Medium, Promise<unknown>>();
  const pollAgain = new Set<Medium>();
  let stopPolling: (() => void) | undefined;
  let isStopping = false;
  let isAborting = false;

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

  /** Resolves when the channel has accepted the message. Rejects at the latest when its time is over. */
  async function send(message: ClaimedMessage, channel: Channel) {
    const attempt = new AbortController();
    const aborted = Promise.withResolvers<never>();
    attempt.signal.addEventListener('abort', () => {
      timers.push(clock.every(GIVE_UP_MS, () => aborted.reject(new DeliveryError('uncertain', 'It took too long.'))));
    });
    let renewed: Promise<void> = Promise.resolve();
    const renewClaim = () => {
      renewed = store
        .putOff(message, { dueAt: addSeconds(clock.now(), CLAIM_SECONDS) })
        .catch((error) => onFailure(error));
      return renewed;
    };
    const timers = [clock.every(SEND_SECONDS * 1000, () => attempt.abort()), clock.every(RENEW_MS, renewClaim)];
    attempts.add(attempt);
    try {
      await Promise.race([channel.send(open(message), { signal: attempt.signal }), aborted.promise]);
    } finally {
      for (const stopTimer of timers) stopTimer();
      attempts.delete(attempt);
      // A late renewal would overwrite when the next try is due.
      await renewed;
    }
  }

  async function deliver(message: ClaimedMessage) {
    const channel = channels[message.means];
    if (message.expiresAt <= clock.now()) return settle(message, 'dropped');
    if (message.doubtfulTries >= MAX_DOUBTFUL_TRIES) return settle(message, 'failed');
    try {
      await send(message, channel);
    } catch (error) {
      onFailure(error, { messageId: message.id, channel: channel.name });
      const next = afterFailure(message, error, clock.now());
      // A stop of this service is not a failure of the channel. Another node, or the next start, tries again at once.
      if (isAborting) return store.putOff(message, { ...next, dueAt: clock.now() });
      return next.state === 'queued' ? store.putOff(message, next) : settle(message, next.state);
    }
    return settle(message, 'sent');
  }

  /** Starts a try of as many due messages as slots are free. A slow message occupies its own slot only. */
  async function fillSlots(kind: Medium) {
    const slots = underWay[kind];
    while (!isStopping && slots.size < SLOTS) {
      const now = clock.now();
      const free = SLOTS - slots.size;
      const claimed = await store.claim(kind, free, now, addSeconds(now, CLAIM_SECONDS));
      for (const message of claimed) {
        const ended: Promise<void> = deliver(message)
          .catch((error) => onFailure(error))
          .finally(() => {
            slots.delete(ended);
            run(kind);
          });
        slots.add(ended);
      }
      if (claimed.length < free) return;
    }
  }

  /** Runs one poll at a time for each means. A slot that becomes free during a poll causes one more. */
  function run(kind: Medium) {
    if (stopPolling === undefined || isStopping) return;
    if (polls.has(kind)) return void pollAgain.add(kind);
    const work = async () => {
      do {
        pollAgain.delete(kind);
        await fillSlots(kind);
      } while (pollAgain.has(kind));
    };
    const ended = work()
      .catch((error) => onFailure(error))
      .finally(() => polls.delete(kind));
    polls.set(kind, ended);
  }

  return {
    channels,
    async deliverDue(kind) {
      await fillSlots(kind);
      while (underWay[kind].size > 0) {
        await Promise.all(underWay[kind]);
        await fillSlots(kind);
      }
    },
    async backlog() {
      const queued = await store.countQueued();
      return means.map((kind) => {
        const { count = 0, oldestAt = clock.now() } = queued.find((entry) => entry.means === kind) ?? {};
        return { means: kind, count, oldestSeconds: (clock.now() - oldestAt) / 1000 };
      });
    },
    start() {
      stopPolling = clock.every(POLL_MS, () => {
        for (const kind of means) run(kind);
      });
      for (const kind of means) run(kind);
    },
    async stop() {
      isStopping = true;
      stopPolling?.();
      stopPolling = undefined;
      const stopTimer = clock.every(STOP_SECONDS * 1000, () => {
        isAborting = true;
        for (const attempt of attempts) attempt.abort();
      });
      await Promise.all([...polls.values()]);
      await Promise.all(means.flatMap((kind) => [...underWay[kind]]));
      stopTimer();
      for (const kind of means) await Promise.try(() => channels[kind].close?.()).catch((error) => onFailure(error));
    },
    deleteExpired: () => store.deleteSettled(addSeconds(clock.now(), -KEPT_SECONDS), REMOVAL_BATCH),
  };
}
