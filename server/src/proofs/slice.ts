// The settings, errors and cleanup jobs of proofs.
import { pinErrors } from './declarations.ts';
import type { LinkSecrets } from './link-secrets.ts';
import type { Pins } from './pins.ts';
import { otpSettings } from './settings.ts';
import { addressInUseMessage, verificationPinMessage } from './templates.ts';

export const proofsSlice = {
  declarations: { settings: [otpSettings, verificationPinMessage, addressInUseMessage], errors: [pinErrors] },
  create: ({ pins, linkSecrets }: { pins: Pins; linkSecrets: LinkSecrets }) => ({
    jobs: [pins.deleteExpired, linkSecrets.deleteExpired],
  }),
};
