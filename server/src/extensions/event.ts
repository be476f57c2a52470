// Events as extensions see them: plain data, independent of the service's internal types.
import type { Occurrence } from '../foundation/events.ts';

/** One event, frozen. Its members are those of the audit trail. It never holds a token, pin, password or secret. */
export type ServiceEvent = {
  /** The action's name, such as `signIn.password`. `docs/reference/events.md` lists all names. New versions may add more. */
  readonly action: string;
  readonly outcome: 'success' | 'refused';
  /** The reason of the error that refused it, such as `signIn.lockedOut`. Null for a success. */
  readonly reason: string | null;
  /** The account that acted, or that the event is about, if known. `id` is null for the service itself. */
  readonly user: { readonly id: number | null; readonly name: string | null } | null;
  /** The client of the request. Null for an event without a request, such as a sent message. */
  readonly origin: {
    readonly ipAddress: string | null;
    readonly userAgent: string | null;
    /** Key of the front end. */
    readonly frontEnd: string;
  } | null;
  /** Plain data that depends on the action. */
  readonly details: Readonly<Record<string, unknown>>;
};

export function toServiceEvent({ action, outcome, reason, user, origin, details }: Occurrence): ServiceEvent {
  const event = {
    action: action.name,
    outcome,
    reason: reason ?? null,
    user: user ?? null,
    origin: origin ?? null,
    details: details ?? {},
  };
  return JSON.parse(JSON.stringify(event), (_, value) => Object.freeze(value));
}
