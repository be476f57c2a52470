// The settings, errors and cleanup job of one-time pins.
import { pinErrors } from './errors.ts';
import type { Pins } from './pins.ts';
import { otpSettings } from './settings.ts';

export const pinDefinitions = { settings: [otpSettings], errors: [pinErrors] };

export const createPinSlice = ({ pins }: { pins: Pins }) => ({ jobs: [pins.deleteExpired] });
