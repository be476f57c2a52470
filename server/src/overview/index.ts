// The overview: the first page of administrators.
export { overviewSlice } from './slice.ts';
