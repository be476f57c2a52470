// The settings, errors and cleanup job of one-time pins.
import { pinErrors } from './errors.ts';
import type { Pins } from './pins.ts';
import { otpSettings } from './settings.ts';

export const proofDefinitions = { settings: [otpSettings], errors: [pinErrors] };

export const createProofSlice = ({ pins }: { pins: Pins }) => ({ jobs: [pins.deleteExpired] });
