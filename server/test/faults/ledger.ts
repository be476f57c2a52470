// The ledger: every operation that the clients of a test have asked for, with its start, its end and what came of it.

/** What an operation is about, known before it is asked for. Things have names such as `token:…` or `session:…`. */
export type Deed = {
  /** What the report calls it. */
  readonly call: string;
  /** Who asks: the only one whose canary an answer may hold. */
  readonly caller: string;
  /** What lets the caller in: it must not be dead. */
  readonly shows?: readonly string[];
  /** What is dead for good once this is acknowledged. */
  readonly ends?: readonly string[];
  /** What this uses up, so that no other operation may: the refresh of a token, a pin, a reset token, a person's account. */
  readonly uses?: readonly string[];
  /** Against which lock this is a guess. */
  readonly guesses?: string;
  /** To whom a message is on its way once this is acknowledged; no other operation names the same recipient. */
  readonly promises?: string;
};

/** What came of it: done, certainly not done, or, without an answer or with a 5xx, one or the other. */
export type Outcome = 'done' | 'refused' | 'unknown';

/** What is known after the answer. */
export type Result = {
  readonly outcome: Outcome;
  readonly status?: number;
  readonly reason?: string | undefined;
  /** What lives from now on, until something ends it. */
  readonly gives?: readonly string[];
  /** What was in the answer, or of the connection's failure. */
  readonly text?: string;
};

/** An operation that has come to its end; times are those of one monotonic clock, in milliseconds. */
export type Entry = Deed &
  Omit<Result, 'text'> & {
    readonly number: number;
    readonly startedAt: number;
    readonly endedAt: number;
    /** Canaries that stood in the answer. */
    readonly canaries: readonly string[];
  };

export interface Ledger {
  /** In the order in which they ended; nothing is ever changed or removed. */
  readonly entries: readonly Entry[];
  /** Runs an operation and writes down what came of it. @param judge says so by the answer; not asked when there was none. */
  record<Answer extends { status: number; reason?: string | undefined; text: string }>(
    deed: Deed,
    call: () => Promise<Answer>,
    judge?: (answer: Answer) => Pick<Result, 'outcome'> & { gives?: readonly string[] },
  ): Promise<Answer | undefined>;
  /** How many ended in what, by call. */
  summary(): Record<string, Record<Outcome, number>>;
}

const CANARY = /canary-[0-9a-z]+/g;

/** What an answer's status says by itself. */
export function outcomeOf(status: number): Outcome {
  if (status >= 500) return 'unknown';
  return status < 400 ? 'done' : 'refused';
}

export function createLedger(now: () => number = () => performance.now()): Ledger {
  const entries: Entry[] = [];
  let number = 0;
  return {
    entries,
    async record(deed, call, judge = ({ status }) => ({ outcome: outcomeOf(status) })) {
      number += 1;
      const started = { ...deed, number, startedAt: now() };
      const end = (result: Omit<Result, 'text'>, text: string) =>
        entries.push({ ...started, ...result, endedAt: now(), canaries: [...new Set(text.match(CANARY))] });
      const answer = await call().catch((error) => {
        end({ outcome: 'unknown', reason: String(error.cause?.code ?? error) }, '');
      });
      if (!answer) return undefined;
      const { status, reason, text } = answer;
      end({ status, reason, ...(status >= 500 ? { outcome: 'unknown' } : judge(answer)) }, text);
      return answer;
    },
    summary() {
      const counts: Record<string, Record<Outcome, number>> = {};
      for (const { call, outcome } of entries) {
        counts[call] ??= { done: 0, refused: 0, unknown: 0 };
        counts[call][outcome] += 1;
      }
      return counts;
    },
  };
}
