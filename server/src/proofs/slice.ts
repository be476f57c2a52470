// The settings, errors and cleanup job of proofs.
import { pinErrors } from './declarations.ts';
import type { Pins } from './pins.ts';
import { otpSettings } from './settings.ts';
import { addressInUseMessage, verificationPinMessage } from './templates.ts';

export const proofsSlice = {
  declarations: { settings: [otpSettings, verificationPinMessage, addressInUseMessage], errors: [pinErrors] },
  create: ({ pins }: { pins: Pins }) => ({ jobs: [pins.deleteExpired] }),
};
