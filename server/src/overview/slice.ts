// The slice of the overview: it counts what happens, and answers the overview of administrators.
import type { SecondFactors } from '../authentication/index.ts';
import type { Events } from '../foundation/events.ts';
import { type Counted, countActivity } from './activity.ts';
import { createOverview, type OverviewDeps } from './overview.ts';
import { overviewRoutes } from './routes.ts';

export const overviewSlice = {
  create(deps: OverviewDeps & { events: Events; counted: Omit<Counted, 'methods'>; secondFactors: SecondFactors }) {
    const methods = [...deps.secondFactors.methods.values()];
    countActivity(deps.events, deps.counters, { ...deps.counted, methods });
    return { routes: overviewRoutes(createOverview(deps)) };
  },
};
