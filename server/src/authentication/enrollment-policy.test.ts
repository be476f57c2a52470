// The enrollment policy: who must have a second factor, by the settings of the front end and of `default-app`.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Account } from '../accounts/index.ts';
import { factorSettings } from '../factors/index.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Roles } from '../roles/index.ts';
import type { Tx } from '../storage/database.ts';
import { createRequiresSecondFactor, readRequirement } from './enrollment-policy.ts';

const OFF = { passkeys: false, authenticator: false, trustedDeviceDays: 0, requireForPermissions: true };
const ON = { ...OFF, passkeys: true, authenticator: true };

/** @param requiring the front ends that require a second factor. */
function createSettings(values: typeof OFF, requiring: readonly string[]): SettingReader {
  const read = ({ name }: { name: string }, frontEnd = '') => {
    if (name === factorSettings.name) return values;
    return requiring.includes(frontEnd) ? 'required' : 'optional';
  };
  // The policy reads these two settings only.
  return { read } as SettingReader;
}

describe('the policy of second factors', () => {
  const requirementOf = (values: object, ...requiring: string[]) =>
    readRequirement(createSettings({ ...ON, ...values }, requiring), 'portal');

  it('requires one of every account where the front end or default-app does', () => {
    assert.equal(requirementOf({}, 'portal'), 'all');
    assert.equal(requirementOf({}, 'default-app'), 'all');
    assert.equal(requirementOf({ requireForPermissions: false }, 'default-app', 'portal'), 'all');
    assert.equal(requirementOf({ requireForPermissions: false }, 'shop'), 'none');
  });

  it('requires one of accounts with permissions where the settings say so', () => {
    assert.equal(requirementOf({}, 'shop'), 'with-permissions');
    assert.equal(requirementOf({ requireForPermissions: false }), 'none');
  });

  it('requires none that no account could enroll', () => {
    assert.equal(requirementOf(OFF, 'default-app', 'portal'), 'none');
    for (const kind of ['passkeys', 'authenticator']) {
      assert.equal(requirementOf({ ...OFF, [kind]: true }, 'portal'), 'all', kind);
    }
  });

  it('reads the permissions of an account in the transaction', async () => {
    // The policy reads nothing else of them.
    const [tx, person, clerk] = [{} as Tx, { roleNames: ['guest'] } as Account, { roleNames: ['clerk'] } as Account];
    const permissionsIn: Roles['permissionsIn'] = async (_, names) => (names.includes('clerk') ? ['pages:users'] : []);
    const roles = { permissionsIn } as Roles;
    const requires = async (values: object, ...requiring: string[]) => {
      const settings = createSettings({ ...ON, ...values }, requiring);
      const requiresOf = createRequiresSecondFactor({ settings, roles });
      return [await requiresOf(tx, person, 'portal'), await requiresOf(tx, clerk, 'portal')];
    };
    assert.deepEqual(await requires({}), [false, true]);
    assert.deepEqual(await requires({}, 'portal'), [true, true]);
    assert.deepEqual(await requires({ requireForPermissions: false }), [false, false]);
  });
});
