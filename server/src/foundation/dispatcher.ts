// The dispatcher: every node claims due rows of what leaves the service, and delivers them. One node at a time holds a row.
import { addSeconds, type Clock, type Instant } from './clock.ts';
import { createOutageReport } from './outage-report.ts';
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
  /** The most rows that a node delivers at the same time beyond the first of each destination. Default: no bound. */
  readonly shared?: number;
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

/** The tries of one destination under way, and the slots reserved for rows that are being claimed. */
type Slots = { readonly tries: Set<Promise<void>>; reserved: number };

const countTaken = ({ tries, reserved }: Slots) => tries.size + reserved;

/** @param deps.onFailure receives why the dispatcher itself failed: of failures in a row to find or claim rows, the first one. */
export function createDispatcher<Destination, Row>(deps: {
  kind: Kind<Destination, Row>;
  clock: Clock;
  onFailure: (error: unknown) => void;
}): Dispatcher<Destination> {
  const { kind, clock, onFailure } = deps;
  /** Aborts the tries under way. One signal for all of them would keep every row in memory. */
  const attempts = new Set<AbortController>();
  const underWay = new Map<Destination, Slots>();
  const polls = new Map<Destination, Promise<unknown>>();
  const pollAgain = new Set<Destination>();
  let looking: Promise<void> | undefined;
  let stopPolling: (() => void) | undefined;
  let isStopping = false;
  let isAborting = false;
  const report = createOutageReport(onFailure);

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

  function slotsOf(destination: Destination): Slots {
    const slots = underWay.get(destination) ?? { tries: new Set(), reserved: 0 };
    underWay.set(destination, slots);
    return slots;
  }

  function leave(destination: Destination) {
    const slots = underWay.get(destination);
    if (slots && countTaken(slots) === 0) underWay.delete(destination);
  }

  /** Returns how many slots are free for a destination. Its first one always is, so that no other holds it up. */
  function countFree(own: Slots): number {
    const { slots, shared = Number.POSITIVE_INFINITY } = kind;
    const taken = countTaken(own);
    const first = taken === 0 ? 1 : 0;
    // Busy destinations share the rest equally.
    const share = Math.min(slots, 1 + Math.floor(shared / underWay.size));
    const left = [...underWay.values()].reduce((rest, one) => rest - Math.max(countTaken(one) - 1, 0), shared);
    return first + Math.max(0, Math.min(share - taken - first, left));
  }

  /** Starts a try of as many due rows as slots are free. A slow one occupies its own slot only. */
  async function fillSlots(destination: Destination) {
    const slots = slotsOf(destination);
    for (let free = countFree(slots); free > 0 && !isStopping; free = countFree(slots)) {
      slots.reserved += free;
      try {
        const now = clock.now();
        const claimed = await kind.claim(destination, free, now, addSeconds(now, CLAIM_SECONDS));
        report.worked();
        for (const row of claimed) {
          const ended: Promise<void> = kind
            .deliver(row, begin(row))
            .catch(onFailure)
            .finally(() => {
              slots.tries.delete(ended);
              run(destination);
            });
          slots.tries.add(ended);
        }
        if (claimed.length < free) return;
      } finally {
        slots.reserved -= free;
      }
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
      .catch(report.failed)
      .finally(() => {
        polls.delete(destination);
        leave(destination);
      });
    polls.set(destination, ended);
  }

  function look() {
    looking ??= kind
      .findDestinations(clock.now())
      .then((destinations) => {
        if (destinations.length === 0) report.worked();
        destinations.forEach(run);
      }, report.failed)
      .finally(() => {
        looking = undefined;
      });
  }

  return {
    async deliverDue(destination) {
      await fillSlots(destination);
      const { tries } = slotsOf(destination);
      while (tries.size > 0) {
        await Promise.all(tries);
        await fillSlots(destination);
      }
      leave(destination);
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
      await Promise.all([...underWay.values()].flatMap(({ tries }) => [...tries]));
      stopTimer();
    },
  };
}
