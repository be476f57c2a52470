// The call that reads the audit trail.
import { Type } from 'typebox';
import { type Instant, toIsoString } from '../foundation/clock.ts';
import { invalidMember } from '../foundation/errors.ts';
import { AccountId, defineRoute, Nullable, PagedItems, paging, type Route, Text, toPage } from '../http/contract.ts';
import type { AuditTrail } from './trail.ts';

const AuditDto = Type.Object({
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

/** Leap seconds are well-formed, and yet no time that can be compared. Ends in `request.invalid`. */
function parseTime(text: string, member: string): Instant {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time as Instant;
  const message = 'Give a time such as 2030-01-31T12:00:00Z.';
  throw invalidMember(member, message);
}

export function auditRoutes(audit: AuditTrail): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Audit/GetAll',
      summary: 'What happened, newest first.',
      access: 'pages:maintenance',
      query: Type.Object({
        userId: Type.Optional(AccountId),
        action: Type.Optional(Text({ maxLength: 100 })),
        outcome: Type.Optional(Text({ maxLength: 20 })),
        ipAddress: Type.Optional(Text({ maxLength: 60 })),
        from: Type.Optional(Type.String({ format: 'date-time', maxLength: 40, description: 'Inclusive.' })),
        to: Type.Optional(Type.String({ format: 'date-time', maxLength: 40, description: 'Exclusive.' })),
        ...paging,
      }),
      result: PagedItems(AuditDto),
      async handle({ input }) {
        const { from, to, skipCount, maxResultCount, ...same } = input;
        const filter = {
          ...same,
          ...(from !== undefined && { from: parseTime(from, 'from') }),
          ...(to !== undefined && { to: parseTime(to, 'to') }),
        };
        const { entries, total } = await audit.list(filter, toPage(input));
        return { items: entries.map((entry) => ({ ...entry, at: toIsoString(entry.at) })), totalCount: total };
      },
    }),
  ];
}
