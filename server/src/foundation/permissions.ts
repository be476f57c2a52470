// The permissions of this service, and whether a caller holds what a change gives.
import type { Instant } from './clock.ts';
import { permissionErrors } from './errors.ts';

/** What a caller may do in this service beyond the own account. */
export const servicePermissions = ['pages:maintenance', 'Pages.Users', 'users:resetPassword'] as const;
export type Permission = (typeof servicePermissions)[number];

/**
 * Whether `held` covers every permission of this service in `given`: an administrator gives, removes and manages no more
 * than the administrator holds. Permissions of the application's own are the application's business.
 */
export function coversAll(held: readonly string[], given: readonly string[]): boolean {
  return servicePermissions.every((permission) => !given.includes(permission) || held.includes(permission));
}

/** Whether `held` has every permission of this service. */
export const holdsAll = (held: readonly string[]): boolean => coversAll(held, servicePermissions);

/** Returns since when an application or provider is untrusted that a holder of `held` saves now. Null: they hold everything, so it is trusted. */
export const toUntrustedSince = (held: readonly string[], now: Instant): Instant | null =>
  holdsAll(held) ? null : now;

/** Requires that `held` has every permission of this service. @throws AuthError `permission.denied`. */
export function requireAll(held: readonly string[]): void {
  if (holdsAll(held)) return;
  throw permissionErrors.denied({
    details: `This takes all of these permissions: ${servicePermissions.join(', ')}.`,
  });
}
