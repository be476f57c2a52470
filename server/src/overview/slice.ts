// The slice of the overview: it counts what happens, and answers the overview of administrators.
import type { Events } from '../foundation/events.ts';
import { type Counted, countActivity } from './activity.ts';
import { createOverview, type OverviewDeps } from './overview.ts';
import { overviewRoutes } from './routes.ts';

export function createOverviewSlice(deps: OverviewDeps & { events: Events }, counted: Counted) {
  countActivity(deps.events, deps.counters, counted);
  return { routes: overviewRoutes(createOverview(deps)) };
}
