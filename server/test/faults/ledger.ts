// The ledger: every operation that the clients of a test requested, with its start, its end and its outcome.

/** What an operation is about, known before it is requested. Things have names such as `token:…` or `session:…`. */
export type Deed = {
  /** The name of the operation in the report. */
  readonly call: string;
  /** The caller: an answer may hold no other canary. */
  readonly caller: string;
  /** What authenticates the caller: it must not be revoked. */
  readonly shows?: readonly string[];
  /** What is revoked once this is acknowledged. */
  readonly ends?: readonly string[];
  /** What this uses up for all other operations: the refresh of a token, a pin, a reset token, a person's account. */
  readonly uses?: readonly string[];
  /** The lock against which this is an attempt. */
  readonly guesses?: string;
  /** The grant of an application, what is done with it, and how many refreshes came before the token that is shown. */
  readonly grant?: { readonly id: string; readonly does: 'use' | 'refresh' | 'end'; readonly generation: number };
  /** The recipient of the message that an acknowledgement promises; no other operation names the same one. */
  readonly promises?: string;
};

/** The outcome: done; certainly not done; or unknown, without an answer, with a 5xx, or with an answer that is not JSON. */
export type Outcome = 'done' | 'refused' | 'unknown';

/** What is known after the answer. */
export type Result = {
  readonly outcome: Outcome;
  readonly status?: number;
  readonly reason?: string | undefined;
  /** What is valid from now on, until an operation ends it. */
  readonly gives?: readonly string[];
  /** The text of the answer, or of the connection's failure. */
  readonly text?: string;
};

/** An operation that has ended; times are of one monotonic clock, in milliseconds. */
export type Entry = Deed &
  Omit<Result, 'text'> & {
    readonly number: number;
    readonly startedAt: number;
    readonly endedAt: number;
    /** Canaries found in the answer. */
    readonly canaries: readonly string[];
  };

export interface Ledger {
  /** In the order in which they ended; entries are never changed or removed. */
  readonly entries: readonly Entry[];
  /** Runs an operation and records its outcome. @param judge derives it from the answer; not called if it is unknown. */
  record<Answer extends { status: number; reason?: string | undefined; text: string }>(
    deed: Deed,
    call: () => Promise<Answer>,
    judge?: (answer: Answer) => Pick<Result, 'outcome'> & { gives?: readonly string[] },
  ): Promise<Answer | undefined>;
  /** How many ended with which outcome, by call. */
  summary(): Record<string, Record<Outcome, number>>;
}

/** The reason of an answer whose body is not JSON. */
export const NOT_JSON = 'the answer is not JSON';

const CANARY = /canary-[0-9a-z]+/g;

/** The outcome that an answer's status implies by itself. */
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
      const isUnknown = status >= 500 || reason === NOT_JSON;
      end({ status, reason, ...(isUnknown ? { outcome: 'unknown' } : judge(answer)) }, text);
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
