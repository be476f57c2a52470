// The cleanup job of the counters.
import type { Counters } from './counters.ts';

export const countersSlice = {
  create: ({ counters }: { counters: Counters }) => ({ jobs: [counters.deleteExpired], background: counters }),
};
