// The browser client of Latchkey: typed calls, the token of this browser, its refresh by one tab, and automatic log-off in all.
export { isLatchkeyError, type LatchkeyError } from './call.ts';
export type { Calls, Reason } from './calls.gen.ts';
export { createLatchkey, type Latchkey, type LatchkeyOptions, type SessionEnd } from './latchkey.ts';
