// The browser client of Latchkey: typed calls, and one token, one refresh and one automatic log-off for all tabs.
export { isLatchkeyError, type LatchkeyError } from './call.ts';
export type { Reason } from './calls.gen.ts';
export type { Calls } from './calls.ts';
export { type Challenge, type FactorProvider, isChallenge } from './challenge.ts';
export type { Latchkey, LatchkeyOptions, Reauthentication } from './interface.ts';
export { createLatchkey } from './latchkey.ts';
export { type Ceremony, canUsePasskeys, createPasskey, getPasskey } from './passkeys.ts';
export type { SessionEnd } from './shared-state.ts';
export type { TokenPlace } from './token-keeper.ts';
