// The settings, errors and cleanup job of one-time pins.
import { pinErrors } from './errors.ts';
import type { Pins } from './pins.ts';
import { otpSettings } from './settings.ts';

export const proofsSlice = {
  declarations: { settings: [otpSettings], errors: [pinErrors] },
  create: ({ pins }: { pins: Pins }) => ({ jobs: [pins.deleteExpired] }),
};
