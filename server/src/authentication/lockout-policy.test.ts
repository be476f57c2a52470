// The lockout policy: of the named front end, stricter for accounts with permissions, and a fixed one for second factors.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SettingReader } from '../foundation/setting.ts';
import { lockoutSettings } from '../lockout/settings.ts';
import type { Roles } from '../roles/index.ts';
import { createFindFactorLockoutPolicy, createFindLockoutPolicy } from './lockout-policy.ts';

const { isEnabled, maxFailures } = lockoutSettings;
const lax = { enabled: false, maxFailures: 50, seconds: 10 };
const strict = { enabled: true, maxFailures: 3, seconds: 600 };

/** `portal` is lax, and every other front end strict. */
const read = ({ name }: { name: string }, frontEnd: string) => {
  const policy = frontEnd === 'portal' ? lax : strict;
  if (name === isEnabled.name) return policy.enabled;
  return name === maxFailures.name ? policy.maxFailures : policy.seconds;
};
// The policy reads these three settings only.
const settings = { read } as SettingReader;
const permissionsOf: Roles['permissionsOf'] = (names) => (names.includes('clerk') ? ['Pages.Users'] : []);
const roles = { permissionsOf } as Roles;

describe('the lockout policy', () => {
  const find = createFindLockoutPolicy({ settings, roles });
  const origin = { ipAddress: null, userAgent: null, frontEnd: 'portal' };

  it('is that of the front end for names without account, and for accounts without permissions', () => {
    for (const account of [undefined, { roleNames: ['guest'] }]) assert.deepEqual(find(account, origin), lax);
  });

  it('is at least as strict as that of default-app for accounts with permissions', () => {
    assert.deepEqual(find({ roleNames: ['clerk'] }, origin), strict);
  });

  it('locks after five wrong second factors under any settings, for the longest time', () => {
    const policy = { enabled: true, maxFailures: 5, seconds: 600 };
    assert.deepEqual(createFindFactorLockoutPolicy(settings)(['portal']), policy);
  });
});
