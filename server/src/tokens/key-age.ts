// The age of signing keys: when the service makes the next one, and whether it is late.
import { addSeconds, type Instant } from '../foundation/clock.ts';

const DAY_SECONDS = 86_400;

/** A key signs for this long before the cleanup job makes the next one. */
const MAX_KEY_AGE_SECONDS = 90 * DAY_SECONDS;

/** An administrator learns of the next key this long before. */
const SOON_SECONDS = 7 * DAY_SECONDS;

/** A service that runs makes the next key within seconds. This long after, its cleanup job does not work. */
const LATE_SECONDS = 5 * DAY_SECONDS;

/** When the newest key is due to be replaced. `overdue`: the service should have replaced it days ago. */
export type KeyRotation = { readonly dueAt: Instant; readonly state: 'planned' | 'soon' | 'overdue' };

/** Returns the rotation of the key that signs from `activeFrom` on. It is the newest key. */
export function findRotation(activeFrom: Instant, now: Instant): KeyRotation {
  const dueAt = addSeconds(activeFrom, MAX_KEY_AGE_SECONDS);
  if (now > addSeconds(dueAt, LATE_SECONDS)) return { dueAt, state: 'overdue' };
  return { dueAt, state: now >= addSeconds(dueAt, -SOON_SECONDS) ? 'soon' : 'planned' };
}
