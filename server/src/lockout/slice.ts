// Lockout, as a slice of the service.
import type { Lockouts } from './lockouts.ts';
import { lockoutSettings } from './settings.ts';

export const lockoutDefinitions = { settings: Object.values(lockoutSettings) };

export const createLockoutSlice = ({ lockouts }: { lockouts: Lockouts }) => ({ jobs: [lockouts.deleteExpired] });
