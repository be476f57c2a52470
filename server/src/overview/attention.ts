// Attention: what an administrator should look at, the most urgent first. Each rule reads what the service knows already.
import type { Count } from '../counters/index.ts';
import { OUTBOX } from '../delivery/index.ts';
import { factorSettings, findUnmetRequirements, secondFactorSetting } from '../factors/index.ts';
import type { Instant } from '../foundation/clock.ts';
import type { Medium } from '../foundation/medium.ts';
import { findExpiringSecrets } from '../providers/index.ts';
import { findUnused } from '../service-keys/index.ts';
import { findWeaknesses, type Settings } from '../settings/index.ts';
import type { KeyRotation } from '../tokens/index.ts';

/** A message that waits longer than this has been tried, and was not accepted. */
const LONG_WAIT_SECONDS = 120;

/** Fewer lost messages are the fault of single addresses. */
const LOST_SHARE = 0.05;

/** Names of front ends, keys and webhooks in one finding. */
const MOST_NAMES = 20;

/** One thing to look at. `count` is how many there are if `names` leaves some out. */
export type Finding =
  | { kind: 'messagesWaiting'; means: Medium; count: number; oldestSeconds: number }
  | { kind: 'messagesFailed'; means: Medium; failed: number; sent: number }
  | { kind: 'webhooksDisabled' | 'webhooksFull'; names: string[]; count: number }
  | { kind: 'providerSecretsExpire'; names: string[]; count: number; firstAt: Instant }
  | { kind: 'chainStandsStill'; oldestSeconds: number }
  | { kind: 'keyOverdue' | 'keyRotatesSoon'; dueAt: Instant }
  | { kind: 'badSettings'; count: number }
  | { kind: 'secondFactorUnmet'; setting: string; category: string; frontEnds: string[] }
  | {
      kind: 'weakSetting';
      setting: string;
      member: string | null;
      category: string;
      title: string;
      frontEnds: string[];
      text: string;
      source: string;
    }
  | { kind: 'serviceKeysUnused'; names: string[]; count: number }
  | { kind: 'noGateway'; means: Medium };

/** The state that the rules judge. */
export type State = {
  readonly now: Instant;
  /** The channel of each means, and its queue. */
  readonly channels: readonly { readonly means: Medium; readonly name: string }[];
  readonly backlog: readonly { means: Medium; count: number; oldestSeconds: number }[];
  /** The counts of the last 24 hours. */
  readonly lastDay: readonly Count[];
  readonly rotation: KeyRotation;
  readonly settings: Settings;
  readonly frontEnds: readonly string[];
  readonly serviceKeys: readonly { name: string; createdAt: Instant; lastUsedAt: Instant | null }[];
  readonly webhooks: readonly {
    url: string;
    description: string;
    disabledBecause: string | null;
    fullSince: Instant | null;
  }[];
  readonly providers: readonly { name: string; isEnabled: boolean; secretExpiresAt: Instant | null }[];
  /** The time of the oldest audit entry that waits for its link, if the chain stands still. */
  readonly unchainedSince: Instant | undefined;
};

/** Returns all findings, in the order in which an administrator should look at them. */
export function findAttention(state: State): Finding[] {
  return [
    ...findWaiting(state),
    ...findLost(state),
    ...findWebhooks('webhooksDisabled', state, ({ disabledBecause }) => disabledBecause !== null),
    ...findWebhooks('webhooksFull', state, ({ fullSince }) => fullSince !== null),
    ...findStandingChain(state),
    ...findRotation(state, 'overdue'),
    ...findExpiring(state),
    ...findBadSettings(state),
    ...findUnmet(state),
    ...findWeakSettings(state),
    ...findUnusedKeys(state),
    ...findOutboxes(state),
    ...findRotation(state, 'soon'),
  ];
}

const findWaiting = ({ backlog }: State): Finding[] =>
  backlog
    .filter(({ count, oldestSeconds }) => count > 0 && oldestSeconds >= LONG_WAIT_SECONDS)
    .map(({ means, count, oldestSeconds }) => ({
      kind: 'messagesWaiting',
      means,
      count,
      oldestSeconds: Math.floor(oldestSeconds),
    }));

function findLost({ channels, lastDay }: State): Finding[] {
  const countOf = (wanted: string, means: Medium) =>
    lastDay.find(({ figure, part }) => figure === wanted && part === means)?.count ?? 0;
  return channels.flatMap(({ means }) => {
    const [failed, sent] = [countOf('messageFailed', means), countOf('messageSent', means)];
    if (failed === 0 || failed < LOST_SHARE * (failed + sent)) return [];
    return [{ kind: 'messagesFailed', means, failed, sent }];
  });
}

function findWebhooks(
  kind: 'webhooksDisabled' | 'webhooksFull',
  { webhooks }: State,
  isSo: (webhook: State['webhooks'][number]) => boolean,
): Finding[] {
  const found = webhooks.filter(isSo);
  if (found.length === 0) return [];
  const names = found.slice(0, MOST_NAMES).map(({ description, url }) => description.trim() || new URL(url).host);
  return [{ kind, names, count: found.length }];
}

const findStandingChain = ({ unchainedSince, now }: State): Finding[] =>
  unchainedSince === undefined
    ? []
    : [{ kind: 'chainStandsStill', oldestSeconds: Math.floor((now - unchainedSince) / 1000) }];

function findRotation({ rotation: { state, dueAt } }: State, wanted: 'soon' | 'overdue'): Finding[] {
  return state === wanted ? [{ kind: state === 'soon' ? 'keyRotatesSoon' : 'keyOverdue', dueAt }] : [];
}

function findExpiring({ providers, now }: State): Finding[] {
  const expiring = findExpiringSecrets(providers, now);
  const [first] = expiring;
  if (!first) return [];
  const names = expiring.slice(0, MOST_NAMES).map(({ name }) => name);
  return [{ kind: 'providerSecretsExpire', names, count: expiring.length, firstAt: first.expiresAt }];
}

function findBadSettings({ settings }: State): Finding[] {
  const count = settings.badValues();
  return count > 0 ? [{ kind: 'badSettings', count }] : [];
}

function findUnmet({ settings, frontEnds }: State): Finding[] {
  const unmet = findUnmetRequirements(
    settings.read(factorSettings),
    frontEnds.map((frontEnd) => ({ frontEnd, value: settings.read(secondFactorSetting, frontEnd) })),
  );
  const { name: setting, category } = factorSettings;
  if (unmet.length === 0) return [];
  return [{ kind: 'secondFactorUnmet', setting, category, frontEnds: unmet.slice(0, MOST_NAMES) }];
}

const findWeakSettings = ({ settings, frontEnds }: State): Finding[] =>
  findWeaknesses(settings.definitions, frontEnds, (definition, frontEnd) => settings.read(definition, frontEnd)).map(
    ({ definition, member, title, frontEnds: weak, text, source }) => ({
      kind: 'weakSetting',
      setting: definition.name,
      member,
      category: definition.category,
      title,
      frontEnds: weak.slice(0, MOST_NAMES),
      text,
      source,
    }),
  );

function findUnusedKeys({ serviceKeys, now }: State): Finding[] {
  const unused = findUnused(serviceKeys, now);
  if (unused.length === 0) return [];
  const names = unused.slice(0, MOST_NAMES).map(({ name }) => name);
  return [{ kind: 'serviceKeysUnused', names, count: unused.length }];
}

const findOutboxes = ({ channels }: State): Finding[] =>
  channels.filter(({ name }) => name === OUTBOX).map(({ means }) => ({ kind: 'noGateway', means }));
