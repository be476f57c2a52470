// The settings, errors and cleanup jobs of proofs.
import { pinErrors } from './declarations.ts';
import type { OneTimeSecrets } from './one-time-secrets.ts';
import type { Pins } from './pins.ts';
import { otpSettings } from './settings.ts';
import { addressInUseMessage, verificationPinMessage } from './templates.ts';

export const proofsSlice = {
  declarations: { settings: [otpSettings, verificationPinMessage, addressInUseMessage], errors: [pinErrors] },
  create: ({ pins, oneTimeSecrets }: { pins: Pins; oneTimeSecrets: OneTimeSecrets }) => ({
    jobs: [pins.deleteExpired, oneTimeSecrets.deleteExpired],
  }),
};
