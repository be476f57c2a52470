// One-time pins: short secrets, sent to an address to verify it. Each is valid for one purpose, once and for a short time.
export { pinErrors } from './errors.ts';
export type { Purpose } from './pin.ts';
export { addressSubject, createPins, type Pins, type Recipient } from './pins.ts';
export { otpSettings } from './settings.ts';
export { proofsSlice } from './slice.ts';
export { createPinStore } from './store.sql.ts';
export type { PinFilter } from './store.ts';
