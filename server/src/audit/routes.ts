// The endpoint that reads the audit trail.
import { Type } from 'typebox';
import { type Instant, toInstant, toIsoString } from '../foundation/clock.ts';
import { invalidMember } from '../foundation/errors.ts';
import { AccountId, defineRoute, NamedObject, Nullable, paging, type Route, Text, toPage } from '../http/contract.ts';
import { MAX_COUNTED, MAX_SCANNED } from './search.ts';
import type { AuditTrail } from './trail.ts';

const AuditEntryDto = NamedObject('AuditEntryDto', {
  id: Type.Integer(),
  at: Type.String({ format: 'date-time' }),
  action: Type.String(),
  outcome: Type.String(),
  reason: Nullable(Type.String()),
  userId: Nullable(Type.Integer()),
  userName: Nullable(Type.String()),
  ipAddress: Nullable(Type.String()),
  frontEnd: Nullable(Type.String()),
  userAgent: Nullable(Type.String()),
  details: Type.Unknown(),
});

/**
 * Parses a time. The schema also accepts leap seconds, which cannot be compared.
 * @throws AuthError `request.invalid`, naming `member`.
 */
function parseTime(text: string, member: string): Instant {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return toInstant(time);
  const message = 'Give a time such as 2030-01-31T12:00:00Z.';
  throw invalidMember(member, message);
}

/** Writes a number with a comma before each three digits. `Intl` would load its data, which takes 12 ms at the start. */
const withCommas = (number: number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');

const COUNTED = withCommas(MAX_COUNTED);
const SCANNED = withCommas(MAX_SCANNED);

const AuditPage = NamedObject('AuditEntryDtoPage', {
  items: Type.Array(AuditEntryDto),
  totalCount: Type.Integer({
    description: `${MAX_COUNTED + 1} means more than ${COUNTED}. With beforeId, only older entries count.`,
  }),
  searchedTo: Nullable(
    Type.Integer({
      description: `Not null if the search stopped after ${SCANNED} entries. Send it as beforeId to continue the search.`,
    }),
  ),
});

/** Refuses a page that needs a scan of too many entries before it. @throws AuthError `request.invalid`. */
function requireNearPage({ skip }: { skip: number }) {
  if (skip <= MAX_COUNTED) return;
  const message = `skipCount must be at most ${COUNTED}. To continue, send the id of the last entry you have as beforeId.`;
  throw invalidMember('skipCount', message);
}

export function auditRoutes(audit: AuditTrail): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Audit/GetAll',
      summary: 'List audit entries, newest first.',
      access: 'pages:maintenance',
      query: Type.Object({
        userId: Type.Optional(AccountId),
        action: Type.Optional(Text({ maxLength: 100 })),
        outcome: Type.Optional(Text({ maxLength: 20 })),
        ipAddress: Type.Optional(Text({ maxLength: 60 })),
        from: Type.Optional(Type.String({ format: 'date-time', maxLength: 40, description: 'Inclusive.' })),
        to: Type.Optional(Type.String({ format: 'date-time', maxLength: 40, description: 'Exclusive.' })),
        beforeId: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'Return only entries older than this one.',
          }),
        ),
        ...paging,
      }),
      result: AuditPage,
      async handle({ input }) {
        const { from, to, skipCount, maxResultCount, ...same } = input;
        const page = toPage(input);
        requireNearPage(page);
        const search = {
          ...same,
          ...(from !== undefined && { from: parseTime(from, 'from') }),
          ...(to !== undefined && { to: parseTime(to, 'to') }),
        };
        const { entries, total, searchedTo } = await audit.list(search, page);
        const items = entries.map((entry) => ({ ...entry, at: toIsoString(entry.at) }));
        return { items, totalCount: total, searchedTo };
      },
    }),
  ];
}
