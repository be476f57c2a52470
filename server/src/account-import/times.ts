// Times of an imported line, as databases and programs write them.
import { Type } from 'typebox';
import { type Instant, toInstant } from '../foundation/clock.ts';
import { invalidMember } from '../foundation/errors.ts';

/** A time in ISO 8601, which {@link readTime} reads. */
export const Time = Type.String({ maxLength: 40 });

const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** Returns the instant of a time in ISO 8601. A time without zone is in UTC, as ABP stores it. @throws AuthError `request.invalid`. */
export function readTime(text: string | null | undefined, member: string): Instant | null {
  if (text == null) return null;
  const [, date = '', time = '', zone = 'Z'] = TIME.exec(text) ?? [];
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2').toUpperCase();
  const day = new Date(`${date}T00:00:00Z`);
  const at = Date.parse(`${date}T${time}${offset}`);
  if (Number.isNaN(at) || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(date))
    throw invalidMember(member, `${member} must be a time in ISO 8601, such as 2026-01-31T08:30:00Z.`);
  return toInstant(at);
}
