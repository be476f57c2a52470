// The overview: what happened, who has access, and what needs attention.
import type { AccountCounts } from '../accounts/index.ts';
import type { Counters } from '../counters/index.ts';
import type { MessageDispatcher } from '../delivery/index.ts';
import { addSeconds, type Clock, type Instant } from '../foundation/clock.ts';
import type { FrontEnds } from '../front-ends/index.ts';
import type { Lockouts } from '../lockout/index.ts';
import type { ServiceKeys } from '../service-keys/index.ts';
import type { Settings } from '../settings/index.ts';
import type { KeyRotation, Sessions } from '../tokens/index.ts';
import { type Finding, findAttention, type State } from './attention.ts';
import { type Figures, readFigures } from './figures.ts';
import { createPopulation, type Population } from './population.ts';
import { findIntervals, type Intervals, type Range } from './range.ts';

const DAY_SECONDS = 86_400;

/** The overview. `population.total` and its states are only for callers who may list accounts. */
export type OverviewData = Intervals &
  Figures & {
    readonly attention: Finding[];
    readonly population: Population;
    readonly mayListAccounts: boolean;
  };

export interface Overview {
  /**
   * Returns the overview of a range, with the days of the reader's time zone.
   * @throws AuthError `request.invalid` if the time zone is unknown.
   */
  read(range: Range, timeZone: string, caller: { held: readonly string[] }): Promise<OverviewData>;
}

export type OverviewDeps = {
  counters: Counters;
  countAccounts: () => Promise<AccountCounts>;
  lockouts: Lockouts;
  sessions: Sessions;
  settings: Settings;
  frontEnds: FrontEnds;
  serviceKeys: ServiceKeys;
  webhooks: { list(): Promise<State['webhooks']> };
  externalProviders: { readAll(): Promise<State['providers']> };
  chainStore: { findStandstill(now: Instant): Promise<Instant | undefined> };
  messageDispatcher: MessageDispatcher;
  keys: { rotation(): KeyRotation };
  clock: Clock;
};

export function createOverview(deps: OverviewDeps): Overview {
  const { counters, settings, frontEnds, serviceKeys, webhooks, externalProviders, chainStore } = deps;
  const { messageDispatcher, keys, clock } = deps;
  const readPopulation = createPopulation(deps);

  const readAttention = async (now: Instant): Promise<Finding[]> =>
    findAttention({
      now,
      channels: Object.values(messageDispatcher.channels).map(({ means, name }) => ({ means, name })),
      backlog: await messageDispatcher.backlog(),
      lastDay: await counters.sum(addSeconds(now, -DAY_SECONDS), addSeconds(now, 1)),
      rotation: keys.rotation(),
      settings,
      frontEnds: frontEnds.list().map(({ appKey }) => appKey),
      serviceKeys: await serviceKeys.list(),
      webhooks: await webhooks.list(),
      providers: await externalProviders.readAll(),
      unchainedSince: await chainStore.findStandstill(now),
    });

  return {
    async read(range, timeZone, { held }) {
      const now = clock.now();
      const intervals = findIntervals(range, timeZone, now);
      // So that the reader sees what this node has just counted.
      await counters.flush();
      const figures = await readFigures(counters, intervals, range);
      return {
        ...intervals,
        ...figures,
        attention: await readAttention(now),
        population: await readPopulation(),
        mayListAccounts: held.includes('Pages.Users'),
      };
    },
  };
}
