// The settings and the cleanup job of lockout.
import type { Lockouts } from './lockouts.ts';
import { lockoutSettings } from './settings.ts';

export const lockoutDefinitions = { settings: Object.values(lockoutSettings) };

export const createLockoutSlice = ({ lockouts }: { lockouts: Lockouts }) => ({ jobs: [lockouts.deleteExpired] });
