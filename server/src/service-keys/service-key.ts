// A service key: its name, its text, and what it allows.
import { addSeconds, type Instant } from '../foundation/clock.ts';
import { invalidMember } from '../foundation/errors.ts';
import { type Permission, servicePermissions } from '../foundation/permissions.ts';

/**
 * What a key allows: to introspect tokens, to follow revocations, to read the audit trail, and to manage, which are the calls
 * of administrators that the permissions of roles beside it allow.
 */
export const SERVICE_KEY_PERMISSIONS = ['introspect', 'revocations', 'audit', 'manage', ...servicePermissions] as const;
export type ServiceKeyPermission = (typeof SERVICE_KEY_PERMISSIONS)[number];

/** A key as administrators see it. The key itself is stored as a keyed hash only. */
export type ServiceKey = {
  readonly name: string;
  readonly permissions: readonly ServiceKeyPermission[];
  readonly createdAt: Instant;
  /** When a service last used the key, to the minute. */
  readonly lastUsedAt: Instant | null;
};

/** Returns the permissions of roles with which a key manages. Only one with `manage` has any: see {@link requireUsable}. */
export const managing = ({ permissions }: Pick<ServiceKey, 'permissions'>): readonly Permission[] =>
  servicePermissions.filter((permission) => permissions.includes(permission));

/** A key that manages says with which permissions, and no other key has such. @throws AuthError `request.invalid`. */
export function requireUsable({ permissions }: Pick<ServiceKey, 'permissions'>): void {
  const isManaging = permissions.includes('manage');
  const isPermitted = servicePermissions.some((permission) => permissions.includes(permission));
  if (isManaging === isPermitted) return;
  throw invalidMember('permissions', `Name manage and, beside it, one or more of: ${servicePermissions.join(', ')}.`);
}

/** A new key. `key`: the key itself. Without one, the service makes it. */
export type ServiceKeyInput = Pick<ServiceKey, 'name' | 'permissions'> & { readonly key?: string | undefined };

/** What every key begins with, so that people and secret scanners recognize it. */
const PREFIX = 'lks_';

/** Random bytes of a key. */
export const SERVICE_KEY_BYTES = 32;

/** Returns the text of a key. */
export const formatServiceKey = (bytes: Uint8Array): string => `${PREFIX}${Buffer.from(bytes).toString('base64url')}`;

/** Whether a text can be a key. Any other text is refused without a look at the database. */
// Mutation: `text ?? ''` becomes `text`. The text "undefined" is no key either.
export const isServiceKey = (text: string | undefined): text is string => /^lks_[\w-]{43}$/.test(text ?? '');

/** A key counts as unused after this many days without a call. */
export const UNUSED_DAYS = 90;

/** Returns the keys that no service has used for {@link UNUSED_DAYS}, the new ones not. Such a key is a risk without a use. */
export function findUnused<Key extends Pick<ServiceKey, 'createdAt' | 'lastUsedAt'>>(
  keys: readonly Key[],
  now: Instant,
): Key[] {
  return keys.filter((key) => addSeconds(key.lastUsedAt ?? key.createdAt, UNUSED_DAYS * 86_400) <= now);
}

/** The use of a key is recorded at most this often, in milliseconds. */
const USE_INTERVAL_MS = 60_000;

/** Whether a use at `now` must be recorded, when the last recorded one was at `last`. */
export const isUseDue = (last: number | null | undefined, now: Instant): boolean =>
  last == null || now - last >= USE_INTERVAL_MS;
