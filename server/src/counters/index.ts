// Counters: how often something happened, by hour, for the overview of administrators.
export { type Counters, createCounters } from './counters.ts';
export { type Count, FIGURES, type Figure, HOUR_MS, startOfHour } from './figure.ts';
export { countersSlice } from './slice.ts';
export { createCounterStore } from './store.sql.ts';
