// A stranger who tries to prove a reset without a pin or a link locks nothing: an account that is locked by others is no slower.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createMigratedUrl } from '../support/databases.ts';
import { openLocks } from '../support/locks.ts';
import { startTestService } from '../support/service.ts';

const USER = '/api/services/app/User';
const [EMAIL, SMS] = [2, 4];
const LINK = 'x'.repeat(43);

it('a wrong code, pin or link waits for no lock of the account', async (context) => {
  const url = await createMigratedUrl('postgres');
  const test = await startTestService('postgres', { url });
  context.after(() => test.close());
  await test.set('Shesha.Security', { useResetPasswordViaEmailLink: true, useResetPasswordViaSmsOtp: true });
  const reach = { emailAddress: 'ann@example.org', isEmailConfirmed: true, mobileNumber: '+27821234567' };
  const id = await test.createUser('ann', { ...reach, isMobileConfirmed: true });
  const locks = await openLocks(url);
  context.after(() => locks.close());
  const give = (method: number, code: string) =>
    test.post(`${USER}/ValidateResetCode`, { body: { username: 'ann', code, method } });
  const tryAll = async () => {
    for (const [method, code] of [
      [EMAIL, '000000'],
      [SMS, '000000'],
      [EMAIL, LINK],
    ] as const) {
      const { status, result, text } = await give(method, code);
      assert.deepEqual([status, result.isSuccess], [200, false], text);
    }
  };
  await locks.hold(`select * from account where id = ${id} for update`);
  await tryAll();
  await locks.release();
  // A pin that is used up is none.
  assert.equal((await test.post(`${USER}/SendSmsOtp`, { body: { username: 'ann' } })).status, 200);
  for (let tries = 0; tries < 10; tries += 1) await give(SMS, '000000');
  await locks.hold(`select * from account where id = ${id} for update`);
  await tryAll();
  await locks.release();
});
