// Times in the input of calls.
import { type Instant, toInstant } from '../foundation/clock.ts';
import { invalidMember } from '../foundation/errors.ts';

/**
 * Parses a time. The schema also accepts leap seconds, which cannot be compared.
 * @throws AuthError `request.invalid`, naming `member`.
 */
export function parseTime(text: string, member: string): Instant {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return toInstant(time);
  const message = 'Give a time such as 2030-01-31T12:00:00Z.';
  throw invalidMember(member, message);
}
