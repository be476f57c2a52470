// The dispatcher: every node claims due rows of what leaves the service, and delivers them. One node at a time holds a row.
import { addSeconds, type Clock, type Instant } from './clock.ts';
import { TimeLimitError } from './time-limit.ts';

/**
 * How often each node looks for due rows. The service delivers nothing the moment it is queued: the extra work would slow
 * down the next request, and an attacker could measure that to enumerate accounts.
 */
const POLL_MS = 1000;

/** After its abort, a try has this long to end. */
const GIVE_UP_MS = 500;

/**
 * A claim ends this long after its last renewal: its node has crashed. If that happened after the row was delivered, the
 * next try repeats it.
 */
const CLAIM_SECONDS = 8;
const RENEW_MS = 2000;

/** How long the service waits for deliveries under way when it stops. */
const STOP_SECONDS = 3;

/** One try to deliver a claimed row. */
export interface Attempt {
  /**
   * Runs `work` while the claim is renewed.
   * @returns its result. Rejects at the latest when the time is over.
   */
  within<Result>(seconds: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /** Whether the try was aborted because this node stops. That is no failure of the destination. */
  isAborted(): boolean;
}

/** One kind of rows. A destination that hangs holds up its own rows only. */
export type Kind<Destination, Row> = {
  /** The most rows of one destination that a node delivers at the same time. */
  readonly slots: number;
  /** Returns the destinations that may have due rows. */
  findDestinations(now: Instant): Promise<readonly Destination[]>;
  /** Claims up to `limit` due rows for this node until `until`. */
  claim(destination: Destination, limit: number, now: Instant, until: Instant): Promise<readonly Row[]>;
  /** Renews a claim, unless another node has claimed the row since. */
  renew(row: Row, until: Instant): Promise<void>;
  /** Tries a claimed row once, and settles it or puts it off. */
  deliver(row: Row, attempt: Attempt): Promise<void>;
};

export interface Dispatcher<Destination> {
  /** Delivers due rows within about a second, until `stop`. */
  start(): void;
  /** Tries every due row of a destination once. */
  deliverDue(destination: Destination): Promise<void>;
  /** Starts no new try, and waits for those under way. */
  stop(): Promise<void>;
}

/** @param deps.onFailure receives why the dispatcher itself failed. */
export function createDispatcher<Destination, Row>(deps: {
  kind: Kind<Destination, Row>;
  clock: Clock;
  onFailure: (error: unknown) => void;
}): Dispatcher<Destination> {
  const { kind, clock, onFailure } = deps;
  /** Aborts the tries under way. One signal for all of them would keep every row in memory. */
  const attempts = new Set<AbortController>();
  const underWay = new Map<Destination, Set<Promise<void>>>();
  const polls = new Map<Destination, Promise<unknown>>();
  const pollAgain = new Set<Destination>();
  let looking: Promise<void> | undefined;
  let stopPolling: (() => void) | undefined;
  let isStopping = false;
  let isAborting = false;

  function begin(row: Row): Attempt {
    return {
      isAborted: () => isAborting,
      async within(seconds, work) {
        const attempt = new AbortController();
        const aborted = Promise.withResolvers<never>();
        attempt.signal.addEventListener('abort', () => {
          timers.push(clock.every(GIVE_UP_MS, () => aborted.reject(new TimeLimitError(seconds))));
        });
        let renewed: Promise<void> = Promise.resolve();
        const renew = () => {
          renewed = kind.renew(row, addSeconds(clock.now(), CLAIM_SECONDS)).catch(onFailure);
          return renewed;
        };
        const timers = [clock.every(seconds * 1000, () => attempt.abort()), clock.every(RENEW_MS, renew)];
        attempts.add(attempt);
        try {
          return await Promise.race([work(attempt.signal), aborted.promise]);
        } finally {
          for (const stopTimer of timers) stopTimer();
          attempts.delete(attempt);
          // A late renewal would overwrite when the next try is due.
          await renewed;
        }
      },
    };
  }

  function slotsOf(destination: Destination) {
    const slots = underWay.get(destination) ?? new Set();
    underWay.set(destination, slots);
    return slots;
  }

  /** Starts a try of as many due rows as slots are free. A slow one occupies its own slot only. */
  async function fillSlots(destination: Destination) {
    const slots = slotsOf(destination);
    while (!isStopping && slots.size < kind.slots) {
      const now = clock.now();
      const free = kind.slots - slots.size;
      const claimed = await kind.claim(destination, free, now, addSeconds(now, CLAIM_SECONDS));
      for (const row of claimed) {
        const ended: Promise<void> = kind
          .deliver(row, begin(row))
          .catch(onFailure)
          .finally(() => {
            slots.delete(ended);
            run(destination);
          });
        slots.add(ended);
      }
      if (claimed.length < free) return;
    }
  }

  /** Runs one poll at a time for each destination. A slot that becomes free during a poll causes one more. */
  function run(destination: Destination) {
    if (stopPolling === undefined || isStopping) return;
    if (polls.has(destination)) return void pollAgain.add(destination);
    const work = async () => {
      do {
        pollAgain.delete(destination);
        await fillSlots(destination);
      } while (pollAgain.has(destination));
    };
    const ended = work()
      .catch(onFailure)
      .finally(() => {
        polls.delete(destination);
        if (underWay.get(destination)?.size === 0) underWay.delete(destination);
      });
    polls.set(destination, ended);
  }

  function look() {
    looking ??= kind
      .findDestinations(clock.now())
      .then((destinations) => destinations.forEach(run), onFailure)
      .finally(() => {
        looking = undefined;
      });
  }

  return {
    async deliverDue(destination) {
      await fillSlots(destination);
      const slots = slotsOf(destination);
      while (slots.size > 0) {
        await Promise.all(slots);
        await fillSlots(destination);
      }
    },
    start() {
      stopPolling = clock.every(POLL_MS, look);
      look();
    },
    async stop() {
      isStopping = true;
      stopPolling?.();
      stopPolling = undefined;
      const stopTimer = clock.every(STOP_SECONDS * 1000, () => {
        isAborting = true;
        for (const attempt of attempts) attempt.abort();
      });
      await looking;
      await Promise.all([...polls.values()]);
      await Promise.all([...underWay.values()].flatMap((slots) => [...slots]));
      stopTimer();
    },
  };
}
