// Message tests: administrators see messages before people get them.
export { messageTestsSlice } from './slice.ts';
