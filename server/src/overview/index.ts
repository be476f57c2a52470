// The overview: the first page of administrators.
export { createOverviewSlice } from './slice.ts';
