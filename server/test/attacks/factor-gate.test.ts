// Every call that answers a token passes one gate: an account with a second factor gets none without the factor.
// The calls are found by their results, so that a new one fails here until this test knows how to attack it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { authorize, BY_CODE, LINK_BY_CODE } from '../support/code-flow.ts';
import { type App, useFactors } from '../support/factors.ts';
import { claimsOf } from '../support/forge.ts';
import { type OpenidProvider, registrationOf, startOpenidProvider } from '../support/openid-provider.ts';
import { createPerson, createTestProvider, linkBody } from '../support/providers.ts';
import { createRegistering, pinIn } from '../support/registration.ts';
import { type TestAnswer, USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const API = '/api/services/app';
const TOKEN = '/api/TokenAuth';
const EMAIL = 'thandi@example.org';

for (const [name, start] of Object.entries(setUps)) {
  describe(`the gate of second factors on ${name}`, () => {
    const acme = createTestProvider('Acme');
    const person = createPerson();
    let openid: OpenidProvider;
    let setUp: SetUp;
    let factors: ReturnType<typeof useFactors>;
    let app: App;
    /** A session from before the enrollment. It is aal1, and nothing but the factor raises it. */
    let early: string;

    before(async () => {
      openid = await startOpenidProvider();
      openid.people.set('thandi', { email: 'thandi@openid.example', email_verified: true });
      setUp = await start({ additions: { providers: [acme.info, registrationOf(openid.issuer, 'web')] } });
      factors = useFactors(setUp);
      await factors.allow({ trustedDeviceDays: 30 });
      await setUp.here.createUser('thandi', { emailAddress: EMAIL, isEmailConfirmed: true });
      early = await setUp.here.signIn('thandi');
      const linked = await setUp.here.post(`${API}/ExternalLogin/Link`, { token: early, body: linkBody(acme, person) });
      assert.equal(linked.status, 200, linked.text);
      const body = { ...(await authorize(setUp.here, openid, 'thandi')), currentPassword: USER_PASSWORD };
      const linkedByCode = await setUp.here.post(LINK_BY_CODE, { token: early, body });
      assert.equal(linkedByCode.status, 200, linkedByCode.text);
      app = await factors.enroll(early);
    });
    after(async () => {
      await setUp.close();
      await openid.stop();
    });

    const post = (path: string, body: object, token?: string): Promise<TestAnswer> =>
      setUp.here.post(path, { body, ...(token && { token }) });

    async function askPin() {
      waitForMessages();
      const asked = await setUp.here.post(`${TOKEN}/OtpAuthenticateSendPin`, {
        body: { userNameOrMobileNo: 'thandi' },
      });
      const pin = pinIn((await setUp.here.deliver()).find(({ text }) => /^ +\d{6}$/m.test(text)));
      return { operationId: asked.result.operationId, code: pin };
    }
    /** A token of the early session: each call revokes the one before. */
    async function renew(answer: TestAnswer) {
      const { accessToken }: { accessToken?: string } = Object(answer.result);
      early = accessToken ?? early;
      return answer;
    }

    const reauthenticateByPin = ({ operationId, code: pin }: Awaited<ReturnType<typeof askPin>>) =>
      post(`${TOKEN}/Reauthenticate`, { operationId, pin }, early);

    /** What each call that answers a token gives to a caller who lacks the factor. */
    const attacks: Record<string, () => Promise<TestAnswer[]>> = {
      [`${TOKEN}/Authenticate`]: async () => {
        const credentials = { userNameOrEmailAddress: 'thandi', password: USER_PASSWORD };
        const calls = [
          {},
          { twoFactorRememberClientToken: 'A'.repeat(43) },
          { twoFactorVerificationCode: factors.wrongCode(app) },
        ];
        return Promise.all(calls.map((more) => post(`${TOKEN}/Authenticate`, { ...credentials, ...more })));
      },
      [`${TOKEN}/VerifySecondFactor`]: async () => {
        const challengeToken = await factors.challenge('thandi');
        const wrong = { challengeToken, provider: 'Authenticator', code: factors.wrongCode(app) };
        return [
          await post(`${TOKEN}/VerifySecondFactor`, wrong),
          await post(`${TOKEN}/VerifySecondFactor`, { ...wrong, code: USER_PASSWORD }),
          await post(`${TOKEN}/VerifySecondFactor`, { challengeToken, provider: 'Passkey' }),
        ];
      },
      [`${TOKEN}/OtpAuthenticate`]: async () => [await post(`${TOKEN}/OtpAuthenticate`, await askPin())],
      [`${TOKEN}/ExternalAuthenticateAsync`]: async () => [
        await post(`${TOKEN}/ExternalAuthenticateAsync`, acme.proofOf(person)),
      ],
      [BY_CODE]: async () => [await post(BY_CODE, await authorize(setUp.here, openid, 'thandi'))],
      [`${TOKEN}/RefreshTokenAsync`]: async () => [await renew(await post(`${TOKEN}/RefreshTokenAsync`, {}, early))],
      [`${TOKEN}/Reauthenticate`]: async () => [
        await post(`${TOKEN}/Reauthenticate`, { code: factors.wrongCode(app) }, early),
        await renew(await post(`${TOKEN}/Reauthenticate`, { password: USER_PASSWORD }, early)),
        await renew(await post(`${TOKEN}/Reauthenticate`, { externalAccess: acme.proofOf(person) }, early)),
        await renew(await reauthenticateByPin(await askPin())),
      ],
      // A passkey with user verification is both factors; this caller has none.
      [`${TOKEN}/PasskeyAuthenticate`]: async () => [
        await post(`${TOKEN}/PasskeyAuthenticate`, { operationId: 'x', credential: {} }),
      ],
    };

    it('stands before every call that answers a token', async () => {
      const answering = setUp.here.service.routes.filter(({ result }) =>
        JSON.stringify(result).includes('"accessToken"'),
      );
      const paths = answering.map(({ path }) => path);
      assert.ok(paths.length >= 7, paths.join());
      for (const path of paths) {
        const attack =
          attacks[path] ?? assert.fail(`${path} answers a token, and no test tries it without the factor.`);
        for (const answer of await attack()) {
          const { accessToken }: { accessToken?: string | null } = Object(answer.result);
          assert.ok(answer.status < 500, answer.text);
          // Refresh and reauthentication continue the early session, and do not raise it.
          if (accessToken) {
            assert.ok([`${TOKEN}/RefreshTokenAsync`, `${TOKEN}/Reauthenticate`].includes(path), path);
            const { acr, amr } = claimsOf(accessToken);
            assert.deepEqual([acr, String(amr).includes('mfa')], ['aal1', false], path);
          }
        }
        await unlock();
      }
    });

    it('stands after a pin and an external sign-in, which the factor raises to aal2', async () => {
      const begun = {
        otp: await post(`${TOKEN}/OtpAuthenticate`, await askPin()),
        ext: await post(`${TOKEN}/ExternalAuthenticateAsync`, acme.proofOf(person)),
        'ext by code': await post(BY_CODE, await authorize(setUp.here, openid, 'thandi')),
      };
      for (const [what, answer] of Object.entries(begun)) {
        const method = what.slice(0, 3);
        const { accessToken, requiresTwoFactorVerification, challengeToken } = Object(answer.result);
        assert.deepEqual([answer.status, accessToken, requiresTwoFactorVerification], [200, null, true], answer.text);
        const { result } = await factors.verify(challengeToken, factors.nextCode(app));
        const { acr, amr } = claimsOf(result.accessToken);
        assert.deepEqual([acr, amr], ['aal2', [...new Set([method, 'otp', 'mfa'])]]);
      }
    });

    it('stands after a recovered password, which removes no factor and opens no session', async () => {
      waitForMessages();
      await setUp.here.post(`${API}/User/SendEmailLink`, { body: { username: 'thandi' } });
      const link = (await setUp.here.deliver()).map(({ text }) => text.match(/http\S+/)?.[0]).find(Boolean) ?? '';
      const code = new URLSearchParams(new URL(link).hash.slice(1)).get('code') ?? '';
      const proof = { username: 'thandi', code, method: 2 };
      const { token } = (await setUp.here.post(`${API}/User/ValidateResetCode`, { body: proof })).result;
      const reset = await post(`${API}/User/ResetPasswordUsingToken`, {
        username: 'thandi',
        token,
        newPassword: 'another lantern of gravel',
      });
      assert.equal(reset.status, 200, reset.text);
      assert.equal(reset.text.includes('accessToken'), false);
      const signedIn = await factors.signIn('thandi', { password: 'another lantern of gravel' });
      assert.equal(signedIn.result.requiresTwoFactorVerification, true);
      assertRefused(await setUp.here.get(`${API}/Session/GetAll`, { token: early }), 401, 'token.revoked');
    });

    it('restricts the first sign-in of a new account where a factor is required', async () => {
      const { here } = setUp;
      const registering = createRegistering(here);
      await registering.open('email');
      const emailAddress = 'lerato@example.org';
      const operationId = await registering.prove(emailAddress);
      await factors.allow({}, 'required', 'default-app');
      const created = await registering.create({ operationId, userName: 'lerato', emailAddress });
      assert.equal(created.status, 200, created.text);
      assert.equal(created.text.includes('accessToken'), false);
      const external = await post(`${TOKEN}/ExternalAuthenticateAsync`, acme.proofOf(createPerson()));
      const password = await factors.signIn(emailAddress);
      for (const { result, text } of [external, password]) {
        const { accessToken } = Object(result);
        assert.ok(accessToken, text);
        assertRefused(
          await here.get(`${API}/Session/GetAll`, { token: accessToken }),
          403,
          'factor.enrollmentRequired',
        );
      }
    });

    /** The service sends one message a minute for a name. */
    const waitForMessages = () => setUp.here.clock.advance(60);

    /** Ends the lock of the wrong proofs above, as an administrator does. */
    async function unlock() {
      const { service } = setUp.here;
      const account = await service.accounts.findByName(service.database.sql, 'thandi');
      const { operator } = await import('../../src/app/first-start.ts');
      await service.administration.unlock(account?.id ?? 0, operator('test'));
    }
  });
}
