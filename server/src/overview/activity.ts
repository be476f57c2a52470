// Activity: which figure an occurrence counts for. Every part comes from a list of the program or is the name of an application, so
// that rows are bounded.
import type { Counters, Figure } from '../counters/index.ts';
import { messageActions } from '../delivery/index.ts';
import type { Action, Events, Occurrence } from '../foundation/events.ts';
import { grantActions } from '../grants/index.ts';

/** What the overview counts. */
export type Counted = {
  /** The ways to sign in. Each has its own action in the audit trail. */
  readonly methods: readonly { readonly name: string; readonly action: Action }[];
  /** The actions that create an account of a person who was not known before, by the name of the way. */
  readonly registrations: Readonly<Record<string, Action>>;
  /** The reasons of refusals that are counted apart. */
  readonly reasons: readonly string[];
};

/** The part that stands for all parts without a name of their own. */
const OTHER = 'other';

/** Returns a function that finds the figure of an occurrence. Most occurrences, such as a refresh, have none. */
function createClassifier({ methods, registrations, reasons }: Counted) {
  const successes = new Map<string, { figure: Figure; part: string }>([
    ...methods.map(({ name, action }) => [action.name, { figure: 'signIn', part: name }] as const),
    ...Object.entries(registrations).map(
      ([name, action]) => [action.name, { figure: 'registration', part: name }] as const,
    ),
  ]);
  const messageEnds = new Map<string, Figure>([
    [messageActions.sent.name, 'messageSent'],
    [messageActions.failed.name, 'messageFailed'],
    [messageActions.dropped.name, 'messageFailed'],
  ]);
  const known = new Set(reasons);

  return ({ action, outcome, reason, details }: Occurrence): { figure: Figure; part: string } | undefined => {
    const messageEnd = messageEnds.get(action.name);
    if (messageEnd) return { figure: messageEnd, part: details?.means === 'sms' ? 'sms' : 'email' };
    if (action.name === grantActions.given.name) return { figure: 'application', part: String(details?.application) };
    if (outcome === 'success') return successes.get(action.name);
    return { figure: 'refusal', part: reason !== undefined && known.has(reason) ? reason : OTHER };
  };
}

/** Counts every occurrence from now on, after its transaction is durable. */
export function countActivity(events: Events, counters: Pick<Counters, 'count'>, counted: Counted): void {
  const classify = createClassifier(counted);
  events.subscribe((occurrence) => {
    const found = classify(occurrence);
    if (found) counters.count(found.figure, found.part);
  });
}
