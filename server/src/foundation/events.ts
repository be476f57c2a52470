// Events: what happened, declared once per slice; written to the audit trail in the transaction, published after commit.

/** Where a request came from. */
export type Origin = {
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly frontEnd: string;
};

/** Who did it: `id` is null for nobody known, or for the service and its command line, which `name` then says. */
export type Actor = { readonly id: number | null; readonly name: string | null };

/** A kind of thing that happens: its stable name in the trail, and a sentence for the generated reference. */
export type Action = { readonly name: string; readonly description: string };

/** One thing that happened. `details` holds plain data and never a token, pin, password or secret. */
export type Occurrence = {
  readonly action: Action;
  readonly outcome: 'success' | 'refused';
  /** The reason of the error it was refused with. */
  readonly reason?: string;
  /** The account it is about or done by. Names that were only typed are not kept: people type passwords there. */
  readonly user?: Actor;
  readonly origin?: Origin;
  readonly details?: Readonly<Record<string, unknown>>;
};

/** Declares the actions of one slice: `defineActions('session', { opened: '…' })` makes `session.opened`. */
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

/** Is told of each occurrence, and of the number of its entry in the trail; repeated refusals may share one. */
export type Listener = (occurrence: Occurrence, entry: number) => void;

/** Hands occurrences to whoever subscribed. A subscriber that throws disturbs nobody. */
export interface Events {
  publish: Listener;
  subscribe(listener: Listener): void;
}

/** @param onError told of what a subscriber threw. */
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
