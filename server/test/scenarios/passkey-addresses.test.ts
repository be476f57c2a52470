// Passkeys at several origins of one domain, and the addresses at which browsers look for them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { createMigratedUrl } from '../support/databases.ts';
import { markProven } from '../support/factors.ts';
import { createDevice } from '../support/passkeys.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const PASSKEY = '/api/services/app/Passkey';
const AUTH = '/api/TokenAuth';
/** An Android app, by the hash of its certificate. */
const ANDROID_APP = `android:apk-key-hash:${'x'.repeat(42)}A`;
const [OWN, APP, FOREIGN] = ['https://id.example.com', 'https://app.example.com', 'https://app.example.org'];

describe('passkeys of a service with several origins', () => {
  let test: TestService;
  before(async () => {
    test = await startTestService('sqlite', {
      publicUrl: OWN,
      corsOrigins: [APP, FOREIGN, ANDROID_APP],
      rpId: 'example.com',
    });
  });
  after(() => test.close());

  const set = (passkeys: boolean) =>
    test.set('Latchkey.Factors', {
      passkeys,
      authenticator: false,
      trustedDeviceDays: 0,
      requireForPermissions: false,
    });

  it('work at each origin on their domain and in a listed Android app, and nowhere else', async () => {
    await set(true);
    await test.createUser('thandi');
    const token = await test.signIn('thandi');
    const device = createDevice();
    const begun = await test.post(`${PASSKEY}/GetRegistrationOptions`, {
      token,
      body: { currentPassword: USER_PASSWORD },
    });
    assert.equal(begun.result.options.rp.id, 'example.com');
    const body = { ...device.create(begun.result, APP), name: 'key' };
    assert.equal((await test.post(`${PASSKEY}/Register`, { token, body })).status, 200);
    const signIn = async (origin: string, signCount: number) => {
      const { result } = await test.post(`${AUTH}/GetPasskeyOptions`);
      return test.post(`${AUTH}/PasskeyAuthenticate`, { body: device.forge(result, { origin, signCount }) });
    };
    assert.equal((await signIn(OWN, 1)).status, 200);
    assert.equal((await signIn(APP, 2)).status, 200);
    assert.equal((await signIn(ANDROID_APP, 3)).status, 200);
    const otherApp = ANDROID_APP.replace('x', 'y');
    for (const origin of [FOREIGN, 'https://other.example.com', 'https://example.com', otherApp]) {
      assertRefused(await signIn(origin, 4), 401, 'factor.invalid', origin);
    }
  });

  it('count as second factors after a change of the domain, and cannot be used', async () => {
    const url = await createMigratedUrl('postgres');
    const former = await startTestService('postgres', { url, publicUrl: OWN });
    const moved = await startTestService('postgres', { url, publicUrl: OWN, rpId: 'example.com' });
    try {
      const value = { passkeys: true, authenticator: false, trustedDeviceDays: 0, requireForPermissions: false };
      await former.set('Latchkey.Factors', value);
      await moved.service.settings.load();
      await former.createUser('sipho');
      const token = await former.signIn('sipho');
      const currentPassword = { body: { currentPassword: USER_PASSWORD }, token };
      const device = createDevice();
      const begun = (await former.post(`${PASSKEY}/GetRegistrationOptions`, currentPassword)).result;
      const body = { ...device.create(begun, OWN), name: 'key' };
      assert.equal((await former.post(`${PASSKEY}/Register`, { token, body })).status, 200);
      const credentials = { userNameOrEmailAddress: 'sipho', password: USER_PASSWORD };
      const { challengeToken, twoFactorAuthProviders } = (
        await moved.post(`${AUTH}/Authenticate`, { body: credentials })
      ).result;
      assert.deepEqual(twoFactorAuthProviders, ['Passkey', 'RecoveryCode']);
      const options = { body: { challengeToken } };
      assert.equal((await former.post(`${AUTH}/GetSecondFactorOptions`, options)).status, 200);
      for (const status of [400, 401]) {
        await moved.set('Latchkey.Compatibility', { refusedSignInStatus: status });
        assertRefused(await moved.post(`${AUTH}/GetSecondFactorOptions`, options), status, 'factor.invalid');
      }
      const { result } = await moved.post(`${AUTH}/GetPasskeyOptions`);
      for (const rpId of ['example.com', 'id.example.com']) {
        const answer = device.forge(result, { origin: OWN, rpId });
        assertRefused(await moved.post(`${AUTH}/PasskeyAuthenticate`, { body: answer }), 401, 'factor.invalid', rpId);
      }
      await markProven(moved, token);
      const again = (await moved.post(`${PASSKEY}/GetRegistrationOptions`, currentPassword)).result;
      assert.deepEqual(again.options.excludeCredentials, []);
      for (const [node, isFormer] of [
        [former, false],
        [moved, true],
      ] as const) {
        const mine = (await node.get('/api/services/app/Factor/GetAll', { token })).result;
        assert.equal(mine.onlyFormerPasskeys, isFormer);
      }
    } finally {
      await moved.close();
      await former.close();
    }
  });

  it('tell browsers their origins', async () => {
    const { body, headers } = await test.get('/.well-known/webauthn');
    assert.deepEqual(body, { origins: [OWN, APP] });
    assert.match(String(headers['content-type']), /^application\/json/);
    const alone = await startTestService('sqlite');
    assert.equal((await alone.get('/.well-known/webauthn')).status, 404);
    await alone.close();
  });

  it('tell password managers the page to manage them, while they are offered', async () => {
    await set(true);
    const page = `${OWN}/app/account`;
    assert.deepEqual((await test.get('/.well-known/passkey-endpoints')).body, { enroll: page, manage: page });
    await set(false);
    assert.equal((await test.get('/.well-known/passkey-endpoints')).status, 404);
    const { status, headers } = await test.get('/.well-known/change-password');
    assert.deepEqual([status, headers.location], [302, page]);
  });
});
