// Events: each slice declares its actions. An occurrence is stored in its transaction, and published after the commit.

/** The client that a request came from. */
export type Origin = {
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly frontEnd: string;
};

/** The party that acted. `id` is null for an unknown person, and for the service and its command line, which `name` names. */
export type Actor = { readonly id: number | null; readonly name: string | null };

/** A kind of occurrence: its stable name in the audit trail, and a sentence for the generated reference. */
export type Action = { readonly name: string; readonly description: string };

/** One occurrence of an action. `details` holds plain data, and never a token, pin, password or secret. */
export type Occurrence = {
  readonly action: Action;
  readonly outcome: 'success' | 'refused';
  /** The reason of the error that refused it. */
  readonly reason?: string;
  /** The account that acted, or that the occurrence is about. Unknown names are not kept: people type passwords there. */
  readonly user?: Actor;
  readonly origin?: Origin;
  readonly details?: Readonly<Record<string, unknown>>;
};

/** Declares the actions of one slice: `defineActions('session', { opened: '…' })` declares `session.opened`. */
export function defineActions<Name extends string>(
  prefix: string,
  table: Record<Name, string>,
): Readonly<Record<Name, Action>> {
  const actions = Object.entries<string>(table).map(([name, description]) => [
    name,
    { name: `${prefix}.${name}`, description },
  ]);
  return Object.fromEntries(actions);
}

/** Receives each occurrence, and the number of its audit entry. Repeated refusals may share one entry. */
export type Listener = (occurrence: Occurrence, entry: number) => void;

/** Publishes occurrences to subscribers. A subscriber that throws does not affect the others. */
export interface Events {
  publish: Listener;
  subscribe(listener: Listener): void;
}

/** @param onError receives what a subscriber throws. */
export function createEvents(onError: (error: unknown) => void): Events {
  const listeners: Listener[] = [];
  return {
    subscribe: (listener) => void listeners.push(listener),
    publish(occurrence, entry) {
      for (const listener of listeners) {
        try {
          listener(occurrence, entry);
        } catch (error) {
          onError(error);
        }
      }
    },
  };
}
