// Denied calls: an entry in the audit trail for callers who are known, and may not do what they asked for.
import type { AuditTrail } from '../audit/index.ts';
import { type AuthError, permissionErrors } from '../foundation/errors.ts';
import type { Actor, Origin } from '../foundation/events.ts';
import { serviceKeyErrors } from '../service-keys/index.ts';
import { callActions } from './declarations.ts';

/** The refusals of callers who have proven who they are. Everyone can cause the others, and fill the trail. */
const DENIALS: readonly string[] = [permissionErrors.denied.reason, serviceKeyErrors.forbidden.reason];

export interface DeniedCalls {
  /**
   * Records a refusal after its answer, which does not wait for it. Other refusals are ignored.
   * @param by the caller.
   * @param call the method and the path of the route, such as `GET /api/services/app/User/GetAll`. Callers choose it from what exists.
   * @param onError receives why the entry could not be written.
   */
  note(
    refusal: AuthError,
    by: Actor | undefined,
    call: { readonly origin: () => Origin; readonly call: string },
    onError: (error: unknown) => void,
  ): void;
}

export function createDeniedCalls({ audit }: { audit: Pick<AuditTrail, 'recordRepeatable'> }): DeniedCalls {
  return {
    note({ reason }, by, { origin, call }, onError) {
      if (!by || !DENIALS.includes(reason)) return;
      const denied = { action: callActions.denied, outcome: 'refused', reason, user: by, origin: origin() } as const;
      // Not by session: a caller opens as many as it likes.
      const caller = by.id === null ? `${by.name}` : `account ${by.id}`;
      void audit.recordRepeatable(caller, { ...denied, details: { calls: [call] } }).catch(onError);
    },
  };
}
