// Attacks that keep a stolen session: calls that it cannot make without the password, and events that end it.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { enginesAtLength } from '../support/databases.ts';
import { pinIn } from '../support/registration.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const USER = '/api/services/app/User';
const SESSIONS = '/api/services/app/Session/GetAll';
const NEW_PASSWORD = 'quarry velvet thimble';

for (const engine of enginesAtLength) {
  describe(`a stolen session on ${engine}`, () => {
    let test: TestService;
    let admin: string;
    let count = 0;
    let name: string;
    let id: number;
    let mine: string;
    let stolen: string;

    before(async () => {
      test = await startTestService(engine);
    });
    after(() => test.close());
    beforeEach(async () => {
      count += 1;
      name = `owner${count}`;
      admin = await test.admin();
      const verified = { emailAddress: `${name}@example.com`, isEmailConfirmed: true };
      id = await test.createUser(name, verified);
      mine = await test.signIn(name);
      stolen = await test.signIn(name);
      await test.deliver();
    });

    const update = (body: object) => test.send('PUT', `${USER}/Update`, { token: admin, body: { id, ...body } });
    const list = (token: string) => test.get(SESSIONS, { token });
    async function giveAddress(wanted: object) {
      const body = { currentPassword: USER_PASSWORD, ...wanted };
      const { result } = await test.post(`${USER}/ChangeMyAddress`, { token: mine, body });
      const [message] = await test.deliver();
      assert.ok(message);
      const given = { operationId: result.operationId, pin: pinIn(message) };
      assert.equal((await test.post(`${USER}/VerifyMyAddress`, { token: mine, body: given })).result.isSuccess, true);
    }

    for (const [what, wanted] of Object.entries({
      'e-mail address': () => ({ emailAddress: `new${count}@example.com` }),
      'mobile number': () => ({ mobileNumber: `+2782123${1000 + count + (engine === 'sqlite' ? 0 : 500)}` }),
    })) {
      it(`ends when the owner changes the ${what}, while the owner’s session continues`, async () => {
        await giveAddress(wanted());
        assertRefused(await list(stolen), 401, 'token.revoked');
        assert.equal((await list(mine)).result.items.length, 1);
      });
    }

    it('continues when the owner verifies the address that the account already has', async () => {
      await update({ isEmailConfirmed: false });
      await test.deliver();
      await giveAddress({ emailAddress: `${name}@example.com` });
      assert.equal((await list(stolen)).status, 200);
    });

    it('continues when an administrator changes an address, and ends when the administrator ends all sessions', async () => {
      await update({ emailAddress: `other${count}@example.com` });
      assert.equal((await list(stolen)).status, 200);
      await test.post(`${USER}/SignOutEverywhere`, { token: admin, body: { userId: id } });
      assertRefused(await list(stolen), 401, 'token.revoked');
    });

    it('is restricted while an administrator requires a change of password', async () => {
      await update({ requireChangePassword: true });
      for (const token of [mine, stolen]) assertRefused(await list(token), 403, 'password.changeRequired');
      await update({ name: 'Changed' });
      assertRefused(await list(stolen), 403, 'password.changeRequired');
      await update({ requireChangePassword: false });
      assert.equal((await list(stolen)).status, 200);
      await update({ requireChangePassword: true });
      const body = { currentPassword: USER_PASSWORD, newPassword: NEW_PASSWORD };
      assert.equal((await test.post(`${USER}/ChangePassword`, { token: mine, body })).result, true);
      assert.equal((await list(mine)).status, 200);
      assertRefused(await list(stolen), 401, 'token.revoked');
    });

    it('of an administrator sets no password for that account without the current one', async () => {
      const who = await test.get('/api/services/app/Session/GetCurrentLoginInfo', { token: admin });
      const body = { userId: who.result.user?.id, newPassword: NEW_PASSWORD };
      const refused = await test.post(`${USER}/ResetPassword`, { token: admin, body });
      assertRefused(refused, 403, 'permission.denied');
      assert.match(refused.error.details, /ChangePassword/);
      assert.equal((await list(admin)).status, 200);
      await test.admin();
    });
  });
}
