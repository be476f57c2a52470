// The settings and the cleanup job of lockout.
import type { Lockouts } from './lockouts.ts';
import { lockoutSettings } from './settings.ts';

export const lockoutSlice = {
  declarations: { settings: Object.values(lockoutSettings) },
  create: ({ lockouts }: { lockouts: Lockouts }) => ({ jobs: [lockouts.deleteExpired] }),
};
