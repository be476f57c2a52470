// Proofs of an address: one-time pins and links, sent to it. Each is valid for one purpose, once and for a short time.
export { pinErrors } from './declarations.ts';
export { LINK_SECRET_LENGTH, type LinkHolder, type OneTimeSecrets, type TokenHolder } from './one-time-secrets.ts';
export { type DrawPin, generatePin, isSameMac, type Purpose, readPin, verificationPurposes } from './pin.ts';
export { addressSubject, type Pins, type Recipient } from './pins.ts';
export { createProofs } from './proofs.ts';
export type { Holder, SendProof } from './sender.ts';
export { otpSettings } from './settings.ts';
export { proofsSlice } from './slice.ts';
export type { PinFilter } from './store.sql.ts';
export { verificationPinMessage } from './templates.ts';
