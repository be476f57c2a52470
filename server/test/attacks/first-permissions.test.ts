// A role that begins to grant permissions while a holder refreshes, in forced order: where permissions need a second factor, no
// session remains that may do more than enrol one.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { operator } from '../../src/app/first-start.ts';
import { createTestAccounts, type TestAccounts } from '../support/accounts.ts';
import { assertRefused } from '../support/answers.ts';
import { createMigratedUrl } from '../support/databases.ts';
import { type Locks, openLocks } from '../support/locks.ts';
import { startTestService, type TestService } from '../support/service.ts';

const REFRESH = '/api/TokenAuth/RefreshTokenAsync';
const by = operator('test');

describe('a first permission that meets a refresh, on PostgreSQL', () => {
  let test: TestService;
  let locks: Locks;
  let accounts: TestAccounts;
  before(async () => {
    const url = await createMigratedUrl('postgres');
    test = await startTestService('postgres', { url });
    locks = await openLocks(url);
    accounts = await createTestAccounts(test);
    const value = { passkeys: true, authenticator: true, trustedDeviceDays: 0, requireForPermissions: true };
    await test.service.settings.update('Latchkey.Factors', '', value, by);
  });
  after(async () => {
    await locks.close();
    await test.close();
  });

  const createRole = (name: string) =>
    test.service.roles.create({ name, displayName: name, description: '', permissions: [] }, by);
  const grant = (id: number) => test.service.roles.update(id, { permissions: ['Invoices.Read'] }, by);

  /** Lets the role grant when the refresh has read what it grants, and has not ended. @returns the new token. */
  async function grantDuringRefresh(role: number, token: string): Promise<string> {
    await locks.hold('lock table audit in exclusive mode');
    const refreshed = test.post(REFRESH, { token });
    await locks.untilWaiting(1);
    const granted = grant(role);
    await locks.untilWaiting(2);
    await locks.release();
    await granted;
    const { status, result, text } = await refreshed;
    assert.equal(status, 200, text);
    return result.accessToken;
  }
  const use = (token: string) => test.get('/api/services/app/Session/GetAll', { token });

  it('restricts the session that was refreshed', async () => {
    const { id } = await createRole('Empty');
    const token = await accounts.open(await accounts.add(['Empty']));
    assert.equal((await use(token)).status, 200);
    assertRefused(await use(await grantDuringRefresh(id, token)), 403, 'factor.enrollmentRequired');
  });

  it('restricts a session again whose restriction the refresh has lifted', async () => {
    const { id } = await createRole('Emptied');
    const token = await accounts.open(await accounts.add(['Emptied']), { mustEnroll: true });
    assertRefused(await use(token), 403, 'factor.enrollmentRequired');
    const fresh = await grantDuringRefresh(id, token);
    assertRefused(await use(fresh), 403, 'factor.enrollmentRequired');
  });
});
