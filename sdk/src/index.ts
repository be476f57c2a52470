// The browser client of Latchkey: typed calls, and one token, one refresh and one automatic log-off for all tabs.
export { isLatchkeyError, type LatchkeyError } from './call.ts';
export type { Reason } from './calls.gen.ts';
export type { Calls } from './calls.ts';
export type { Latchkey, LatchkeyOptions } from './interface.ts';
export { createLatchkey } from './latchkey.ts';
export type { SessionEnd } from './shared-state.ts';
export type { TokenPlace } from './token-keeper.ts';
