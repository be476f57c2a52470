// The messageDispatcher: takes messages that are due and hands them to their channel, on every node, each message by one at a time.
import { addSeconds, type Clock } from '../foundation/clock.ts';
import type { Occurrence } from '../foundation/events.ts';
import { maskAddress } from '../foundation/mask.ts';
import type { Database, Tx } from '../storage/database.ts';
import { type Channel, DeliveryError, type Means, type OutgoingMessage } from './channel.ts';
import { messageActions } from './events.ts';
import { afterFailure, MAX_DOUBTFUL_TRIES } from './message.ts';
import { OUTBOX } from './outbox.ts';
import type { ClaimedMessage, MessageStore, NewMessage } from './store.ts';

/**
 * How often each node looks for messages that are due. Nothing is sent the moment it is queued: else the service would be
 * busier right after a message was asked for somebody who has an account, which the next request could tell.
 */
const LOOK_MS = 1000;

/** So many messages of a means may be under way at once on a node. */
const SLOTS = 20;

/** A channel has this long for one message. */
const SEND_SECONDS = 20;

/** And then this long to say itself how far it came. */
const GIVE_UP_MS = 500;

/**
 * A claim ends this long after it was last renewed: then its holder has died, perhaps before it sent the message, perhaps
 * after, which makes one duplicate.
 */
const CLAIM_SECONDS = 8;
const RENEW_MS = 2000;

/** How long messages under way may take when the service stops. */
const STOP_SECONDS = 3;

/** Settled messages are kept this long: without their words, unless they went to the outbox. */
const KEPT_SECONDS = 7 * 86_400;
const REMOVAL_BATCH = 500;

export interface MessageDispatcher {
  /** The channels in use. */
  readonly channels: Readonly<Record<Means, Channel>>;
  /** From here on, until `stop`: sends whatever is due, within a second or so. */
  start(): void;
  /** Tries every message that is due now, once. */
  deliverDue(means: Means): Promise<void>;
  /** Messages that wait to be sent, by means, and for how long the oldest has. */
  backlog(): Promise<{ means: Means; count: number; oldestSeconds: number }[]>;
  /** Begins nothing more, and ends what is under way. */
  stop(): Promise<void>;
  /** One batch of housekeeping. */
  deleteExpired(): Promise<void>;
}

export function createMessageDispatcher(deps: {
  database: Database;
  store: MessageStore;
  channels: Readonly<Record<Means, Channel>>;
  /** What a stored message says. */
  open: (message: NewMessage) => OutgoingMessage;
  record: (tx: Tx, occurrence: Occurrence) => Promise<void>;
  clock: Clock;
  /** Told why a try failed, and when the work itself does. */
  onFailure: (error: unknown, context?: { messageId?: string; channel?: string }) => void;
}): MessageDispatcher {
  const { database, store, channels, open, record, clock, onFailure } = deps;
  const means = Object.keys(channels) as Means[];
  const stopping = new AbortController();
  const underWay: Readonly<Record<Means, Set<Promise<void>>>> = { email: new Set(), sms: new Set() };
  const looking = new Map<Means, Promise<unknown>>();
  const lookAgain = new Set<Means>();
  let stopLooking: (() => void) | undefined;
  let isStopping = false;

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

  /** Resolves when the channel has taken the message; rejects at the latest when its time is over. */
  async function send(message: ClaimedMessage, channel: Channel) {
    const timeout = new AbortController();
    const signal = AbortSignal.any([timeout.signal, stopping.signal]);
    const aborted = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => {
      timers.push(clock.every(GIVE_UP_MS, () => aborted.reject(new DeliveryError('uncertain', 'It took too long.'))));
    });
    const renewClaim = () =>
      store.putOff(message, { dueAt: addSeconds(clock.now(), CLAIM_SECONDS) }).catch((error) => onFailure(error));
    const timers = [clock.every(SEND_SECONDS * 1000, () => timeout.abort()), clock.every(RENEW_MS, renewClaim)];
    try {
      await Promise.race([channel.send(open(message), { signal }), aborted.promise]);
    } finally {
      for (const stopTimer of timers) stopTimer();
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
      // That this service stops is nobody's fault: another node, or the next start, tries it at once.
      if (stopping.signal.aborted) return store.putOff(message, { ...next, dueAt: clock.now() });
      return next.state === 'queued' ? store.putOff(message, next) : settle(message, next.state);
    }
    return settle(message, 'sent');
  }

  /** Begins with as many messages that are due as there are slots; a slow one keeps its own slot and no other. */
  async function fillSlots(kind: Means) {
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

  /** One look after the other for each means; a slot that gets free during one means one more after it. */
  function run(kind: Means) {
    if (stopLooking === undefined || isStopping) return;
    if (looking.has(kind)) return void lookAgain.add(kind);
    const work = async () => {
      do {
        lookAgain.delete(kind);
        await fillSlots(kind);
      } while (lookAgain.has(kind));
    };
    const ended = work()
      .catch((error) => onFailure(error))
      .finally(() => looking.delete(kind));
    looking.set(kind, ended);
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
      stopLooking = clock.every(LOOK_MS, () => {
        for (const kind of means) run(kind);
      });
      for (const kind of means) run(kind);
    },
    async stop() {
      isStopping = true;
      stopLooking?.();
      stopLooking = undefined;
      const stopTimer = clock.every(STOP_SECONDS * 1000, () => stopping.abort());
      await Promise.all([...looking.values()]);
      await Promise.all(means.flatMap((kind) => [...underWay[kind]]));
      stopTimer();
      for (const kind of means) await Promise.try(() => channels[kind].close?.()).catch((error) => onFailure(error));
    },
    deleteExpired: () => store.deleteSettled(addSeconds(clock.now(), -KEPT_SECONDS), REMOVAL_BATCH),
  };
}
