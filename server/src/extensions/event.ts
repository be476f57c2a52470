// Events as extensions see them: plain data of their own, whatever the service calls it inside.
import type { Occurrence } from '../foundation/events.ts';

/** One thing that happened, frozen. The members are those of the audit trail; never a token, pin, password or secret. */
export type ServiceEvent = {
  /** The action's name, such as `signIn.password`; all are in `docs/reference/events.md`. More of them may come. */
  readonly action: string;
  readonly outcome: 'success' | 'refused';
  /** The reason of the error it was refused with, such as `signIn.lockedOut`; else null. */
  readonly reason: string | null;
  /** The account it is about or done by, as far as that is known. `id` is null for the service itself. */
  readonly user: { readonly id: number | null; readonly name: string | null } | null;
  /** Where the request came from; null for what nobody asked for, such as a message being sent. */
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
