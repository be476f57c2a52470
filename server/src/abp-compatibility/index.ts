// Compatibility with ABP's and Shesha's clients: what their start-up reads.
export { abpCompatibilitySlice } from './slice.ts';
