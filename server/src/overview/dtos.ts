// The shapes of the overview.
import { type Static, type TProperties, Type } from 'typebox';
import { NamedObject, Nullable } from '../contract/schemas.ts';
import { toIsoString } from '../foundation/clock.ts';
import type { Finding } from './attention.ts';
import type { OverviewData } from './overview.ts';
import { MOST_COUNTED } from './population.ts';

const Time = Type.String({ format: 'date-time' });
const Count = Type.Integer();
const Names = Type.Array(Type.String());
const Means = Type.Union([Type.Literal('email'), Type.Literal('sms')]);

const PartDto = NamedObject('OverviewPartDto', {
  name: Type.String(),
  total: Count,
  counts: Type.Array(Count, { description: 'One for each member of starts.' }),
});

const FigureDto = NamedObject('OverviewFigureDto', {
  total: Count,
  previous: Nullable(
    Type.Integer({ description: 'In the period before. Null if the service did not count all of that period.' }),
  ),
  parts: Type.Array(PartDto, { description: 'The parts that occurred, the most frequent first.' }),
});

const UsersDto = NamedObject('OverviewUsersDto', {
  total: Count,
  active: Count,
  inactive: Count,
  locked: Type.Integer({ description: `Counted up to ${MOST_COUNTED}.` }),
  mustChangePassword: Count,
});

const finding = <Kind extends string, Members extends TProperties>(title: string, kind: Kind, members: Members) =>
  NamedObject(`${title}FindingDto`, { kind: Type.Literal(kind), ...members });

const FindingDto = Type.Union([
  finding('MessagesWaiting', 'messagesWaiting', { means: Means, count: Count, oldestSeconds: Count }),
  finding('MessagesFailed', 'messagesFailed', { means: Means, failed: Count, sent: Count }),
  finding('WebhooksDisabled', 'webhooksDisabled', { names: Names, count: Count }),
  finding('WebhooksFull', 'webhooksFull', { names: Names, count: Count }),
  finding('ProviderSecretsExpire', 'providerSecretsExpire', {
    names: Names,
    count: Count,
    firstAt: Type.String({ format: 'date-time', description: 'When the first secret expires, or has expired.' }),
  }),
  finding('ChainStandsStill', 'chainStandsStill', { oldestSeconds: Count }),
  finding('KeyOverdue', 'keyOverdue', { dueAt: Time }),
  finding('KeyRotatesSoon', 'keyRotatesSoon', { dueAt: Time }),
  finding('BadSettings', 'badSettings', { count: Count }),
  finding('SecondFactorUnmet', 'secondFactorUnmet', {
    setting: Type.String(),
    category: Type.String(),
    frontEnds: Names,
  }),
  finding('WeakSetting', 'weakSetting', {
    setting: Type.String(),
    member: Nullable(Type.String()),
    category: Type.String(),
    title: Type.String(),
    frontEnds: Type.Array(Type.String(), { description: 'Empty for a general setting.' }),
    text: Type.String(),
    source: Type.String({ description: 'The rules that the value breaks.' }),
  }),
  finding('ServiceKeysUnused', 'serviceKeysUnused', { names: Names, count: Count }),
  finding('NoGateway', 'noGateway', { means: Means }),
]);

export const OverviewDto = NamedObject('OverviewDto', {
  starts: Type.Array(Time, { description: 'The starts of the intervals: hours, or days of the time zone.' }),
  end: Time,
  countedSince: Nullable(Time),
  signIns: FigureDto,
  applications: FigureDto,
  refusals: FigureDto,
  lockouts: FigureDto,
  registrations: FigureDto,
  messagesSent: FigureDto,
  messagesFailed: FigureDto,
  openSessions: Type.Integer({ description: `Counted up to ${MOST_COUNTED}.` }),
  users: Nullable(UsersDto),
  attention: Type.Array(FindingDto, { description: 'The most urgent first.' }),
});

function toFindingDto(found: Finding): Static<typeof FindingDto> {
  if ('dueAt' in found) return { kind: found.kind, dueAt: toIsoString(found.dueAt) };
  return 'firstAt' in found ? { ...found, firstAt: toIsoString(found.firstAt) } : found;
}

export function toOverviewDto(data: OverviewData): Static<typeof OverviewDto> {
  const { starts, end, countedSince, series, population, mayListAccounts, attention } = data;
  const { total, inactive, locked, mustChangePassword, openSessions } = population;
  return {
    starts: starts.map(toIsoString),
    end: toIsoString(end),
    countedSince: countedSince === undefined ? null : toIsoString(countedSince),
    signIns: series.signIn,
    applications: series.application,
    refusals: series.refusal,
    lockouts: series.lockout,
    registrations: series.registration,
    messagesSent: series.messageSent,
    messagesFailed: series.messageFailed,
    openSessions,
    users: mayListAccounts ? { total, active: total - inactive, inactive, locked, mustChangePassword } : null,
    attention: attention.map(toFindingDto),
  };
}
