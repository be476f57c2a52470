// Authenticator apps: enrollment, the second step of a sign-in, recovery codes, trusted devices, and required enrollment.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { assertRefused } from '../support/answers.ts';
import { USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const API = '/api/services/app';
const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const VERIFY = '/api/TokenAuth/VerifySecondFactor';
const STEP_MS = 30_000;

const claimsOf = (token: string | null) => JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString());

for (const [name, start] of Object.entries(setUps)) {
  describe(`an authenticator app on ${name}`, () => {
    let setUp: SetUp;
    let userName: string;
    let token: string;
    let count = 0;

    before(async () => {
      setUp = await start();
      await set({});
    });
    after(() => setUp.close());
    beforeEach(async () => {
      count += 1;
      userName = `person${count}`;
      await setUp.here.createUser(userName);
      token = await setUp.here.signIn(userName);
    });

    async function set(more: object) {
      const value = {
        passkeys: false,
        authenticator: true,
        trustedDeviceDays: 0,
        requireForPermissions: false,
        ...more,
      };
      await setUp.here.set('Latchkey.Factors', value);
    }
    const codeOf = (secret: string) => {
      const app = new TOTP({ secret: Secret.fromBase32(secret) });
      return app.generate({ timestamp: setUp.here.clock.now() });
    };
    /** Moves on to the next time step: each step works once. */
    const nextCode = (secret: string) => {
      setUp.here.clock.advance(STEP_MS / 1000);
      return codeOf(secret);
    };
    async function enroll() {
      const begun = await setUp.here.post(`${API}/Authenticator/Begin`, {
        token,
        body: { currentPassword: USER_PASSWORD },
      });
      assert.equal(begun.status, 200, begun.text);
      const { operationId, secret } = begun.result;
      const body = { operationId, code: codeOf(secret) };
      const confirmed = await setUp.there.post(`${API}/Authenticator/Confirm`, { token, body });
      assert.equal(confirmed.status, 200, confirmed.text);
      return { secret, codes: confirmed.result.recoveryCodes };
    }
    const signIn = async (more: object = {}) =>
      setUp.here.post(AUTHENTICATE, { body: { userNameOrEmailAddress: userName, password: USER_PASSWORD, ...more } });
    async function challenge() {
      const { status, result } = await signIn();
      assert.equal(status, 200);
      assert.equal(result.accessToken, null);
      assert.equal(result.requiresTwoFactorVerification, true);
      return result;
    }
    const verify = (challengeToken: string | undefined, provider: string, code: string, more: object = {}) =>
      setUp.there.post(VERIFY, { body: { challengeToken, provider, code, ...more } });

    it('is asked for after the password, and completes the sign-in once', async () => {
      const { secret } = await enroll();
      const { challengeToken, twoFactorAuthProviders } = await challenge();
      assert.deepEqual(twoFactorAuthProviders, ['Authenticator', 'RecoveryCode']);
      const code = nextCode(secret);
      const answer = await verify(challengeToken, 'Authenticator', code);
      assert.equal(answer.status, 200, answer.text);
      const { amr, acr } = claimsOf(answer.result.accessToken);
      assert.deepEqual([amr, acr], [['pwd', 'otp', 'mfa'], 'aal2']);
      assertRefused(await verify(challengeToken, 'Authenticator', code), 401, 'factor.challengeInvalid');
      const second = await challenge();
      assertRefused(await verify(second.challengeToken, 'Authenticator', code), 401, 'factor.invalid');
    });

    it('is replaced by a recovery code, which works once', async () => {
      const { codes } = await enroll();
      assert.equal(codes.length, 10);
      const [code = ''] = codes;
      const answer = await verify(
        (await challenge()).challengeToken,
        'RecoveryCode',
        code.toUpperCase().replaceAll('-', ' '),
      );
      assert.deepEqual(claimsOf(answer.result.accessToken).amr, ['pwd', 'recovery', 'mfa']);
      assertRefused(await verify((await challenge()).challengeToken, 'RecoveryCode', code), 401, 'factor.invalid');
    });

    it('is replaced by every recovery code, also by the last one', async () => {
      const { codes } = await enroll();
      for (const [used, code] of codes.entries()) {
        const { challengeToken } = await challenge();
        const answer = await verify(challengeToken, 'RecoveryCode', code);
        assert.equal(answer.status, 200, `code ${used + 1}: ${answer.text}`);
      }
      assert.deepEqual((await challenge()).twoFactorAuthProviders, ['Authenticator']);
    });
  });
}
