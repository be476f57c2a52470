// The cleanup job of the counters.
import type { Counters } from './counters.ts';

export const createCounterSlice = ({ counters }: { counters: Counters }) => ({ jobs: [counters.deleteExpired] });
