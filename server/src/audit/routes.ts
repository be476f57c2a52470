// The endpoints that read the audit trail.
import { type Static, type TObject, Type } from 'typebox';
import { defineDownload, defineRoute, type Route } from '../contract/route.ts';
import { AccountId, NamedObject, Nullable, paging, Text, toPage } from '../contract/schemas.ts';
import { parseTime } from '../contract/time.ts';
import { toManager } from '../foundation/authority.ts';
import { addSeconds, type Clock, toIsoString } from '../foundation/clock.ts';
import { invalidMember } from '../foundation/errors.ts';
import type { AuditExport } from './export.ts';
import { MAX_COUNTED, MAX_SCANNED } from './search.ts';
import type { ChainStore } from './store.chain.sql.ts';
import type { AuditEntry, AuditFilter } from './store.sql.ts';
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

/** The most entries of one poll. */
const MAX_NEW = 100;

/** The clocks of nodes differ, and a transaction commits after the time of its entry: polls overlap by so much. */
const OVERLAP_SECONDS = 10;

const NewEntries = NamedObject('NewAuditEntries', {
  items: Type.Array(AuditEntryDto, {
    description: `Newest first, at most ${MAX_NEW}. Repeats entries of the last ${OVERLAP_SECONDS} seconds: skip the ids that you have.`,
  }),
  next: Type.String({ format: 'date-time', description: 'Send it as `since` next time.' }),
});

const ChainHead = NamedObject('AuditChainHead', {
  sequence: Type.Integer({ description: 'The number of the newest entry in the chain. 0 before the first one.' }),
  hash: Type.String({ description: 'The hash of that entry: SHA-256 as base64url.' }),
  at: Type.String({ format: 'date-time', description: 'When the entry was chained.' }),
});

const mediaTypes = { csv: 'text/csv', jsonl: 'application/jsonl' } as const;

/** Refuses a page that needs a scan of too many entries before it. @throws AuthError `request.invalid`. */
function requireNearPage({ skip }: { skip: number }) {
  if (skip <= MAX_COUNTED) return;
  const message = `skipCount must be at most ${COUNTED}. To continue, send the id of the last entry you have as beforeId.`;
  throw invalidMember('skipCount', message);
}

/** Query members that say which entries to find. */
const filters = {
  userId: Type.Optional(AccountId),
  action: Type.Optional(Text({ maxLength: 2000, description: 'One action, or several with commas between them.' })),
  exceptAction: Type.Optional(
    Text({ maxLength: 2000, description: 'Leave out one action, or several with commas between them.' }),
  ),
  outcome: Type.Optional(Text({ maxLength: 20 })),
  reason: Type.Optional(Text({ maxLength: 100 })),
  ipAddress: Type.Optional(Text({ maxLength: 60 })),
  frontEnd: Type.Optional(Text({ maxLength: 100, description: 'The key of a front end.' })),
};

/** Query members that limit the time. */
const period = {
  from: Type.Optional(Type.String({ format: 'date-time', maxLength: 40, description: 'Inclusive.' })),
  to: Type.Optional(Type.String({ format: 'date-time', maxLength: 40, description: 'Exclusive.' })),
};

type Filters = Static<TObject<typeof filters>> & Static<TObject<typeof period>>;

/** @throws AuthError `request.invalid` for a time that does not exist. */
function toFilter({ action, exceptAction, from, to, ...same }: Filters): AuditFilter {
  return {
    ...same,
    ...(action !== undefined && { action: action.split(',') }),
    ...(exceptAction !== undefined && { exceptAction: exceptAction.split(',') }),
    ...(from !== undefined && { from: parseTime(from, 'from') }),
    ...(to !== undefined && { to: parseTime(to, 'to') }),
  };
}

const toDto = (entry: AuditEntry) => ({ ...entry, at: toIsoString(entry.at) });

export function auditRoutes(deps: {
  audit: AuditTrail;
  auditExport: AuditExport;
  chainStore: ChainStore;
  clock: Clock;
}): Route[] {
  const { audit, auditExport, chainStore, clock } = deps;
  return [
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Audit/GetAll',
      summary: 'List audit entries, newest first.',
      access: 'pages:maintenance',
      query: Type.Object({
        ...filters,
        ...period,
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
        const { beforeId, skipCount: _skip, maxResultCount: _take, ...filter } = input;
        const page = toPage(input);
        requireNearPage(page);
        const search = { ...toFilter(filter), ...(beforeId !== undefined && { beforeId }) };
        const { entries, total, searchedTo } = await audit.list(search, page);
        return { items: entries.map(toDto), totalCount: total, searchedTo };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Audit/GetNew',
      summary: 'List the newest audit entries since a time. Poll it to follow the trail.',
      access: 'pages:maintenance',
      query: Type.Object({
        ...filters,
        since: Type.Optional(
          Type.String({
            format: 'date-time',
            maxLength: 40,
            description: 'The `next` of the last response. Without it, the response has no entries.',
          }),
        ),
      }),
      result: NewEntries,
      async handle({ input: { since, ...filter } }) {
        const next = toIsoString(addSeconds(clock.now(), -OVERLAP_SECONDS));
        if (since === undefined) return { items: [], next };
        const entries = await audit.readNewest({ ...toFilter(filter), from: parseTime(since, 'since') }, MAX_NEW);
        return { items: entries.map(toDto), next };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Audit/GetHead',
      summary:
        'Get the newest link of the chain over the trail. Keep it outside the service: an older head still verifies.',
      access: 'pages:maintenance',
      result: ChainHead,
      async handle() {
        const { sequence, hash, at } = (await chainStore.readEnds()).head;
        return { sequence, hash, at: toIsoString(at) };
      },
    }),
    defineDownload({
      path: '/api/services/app/Audit/Export',
      summary: 'Export the audit entries that match, newest first, as CSV or JSON lines.',
      access: 'pages:maintenance',
      files: Object.values(mediaTypes),
      query: Type.Object({ format: Type.Enum(['csv', 'jsonl']), ...filters, ...period }),
      async handle(call) {
        const { format, ...filter } = call.input;
        const pieces = await auditExport.export(toFilter(filter), format, toManager(call));
        return { type: mediaTypes[format], fileName: `audit-trail.${format}`, pieces };
      },
    }),
  ];
}
