// What ends challenges, factor operations and trusted devices: every change that protects an account again.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { endAllSessions } from '../../src/app/restore-check.ts';
import { assertRefused } from '../support/answers.ts';
import { createMigratedUrl } from '../support/databases.ts';
import { type App, useFactors } from '../support/factors.ts';
import { altered } from '../support/forge.ts';
import { openLocks } from '../support/locks.ts';
import { startTestService, type TestAnswer, USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const API = '/api/services/app';
const NEW_PASSWORD = 'another lantern of gravel';

type Owner = { id: number; token: string; app: App };

for (const [name, start] of Object.entries(setUps)) {
  describe(`what ends a remembered factor on ${name}`, () => {
    let setUp: SetUp;
    let factors: ReturnType<typeof useFactors>;
    let owner: Owner;
    let userName: string;
    let password: string;
    let count = 0;

    before(async () => {
      setUp = await start();
      factors = useFactors(setUp);
      await factors.allow({ trustedDeviceDays: 30 });
      const front = { appKey: 'other', name: 'Other', description: '' };
      const token = await setUp.here.admin();
      assert.equal((await setUp.here.post(`${API}/FrontEndApp/Create`, { token, body: front })).status, 200);
      await setUp.there.service.frontEnds.load();
    });
    after(() => setUp.close());
    beforeEach(async () => {
      count += 1;
      userName = `person${count}`;
      password = USER_PASSWORD;
      const id = await setUp.here.createUser(userName, {
        emailAddress: `${userName}@example.org`,
        isEmailConfirmed: true,
      });
      const token = await setUp.here.signIn(userName);
      owner = { id, token, app: await factors.enroll(token) };
    });

    const byOwner = (path: string, body?: object) => setUp.here.post(`${API}/${path}`, { token: owner.token, body });
    const byAdmin = async (path: string, body: object) =>
      setUp.here.post(`${API}/${path}`, { token: await setUp.here.admin(), body });
    const currentPassword = USER_PASSWORD;
    const ok = async (answer: Promise<TestAnswer>) => {
      const { status, text } = await answer;
      assert.equal(status, 200, text);
    };

    async function trustDevice(): Promise<string> {
      const { twoFactorRememberClientToken: device } = await factors.signInWithBoth(userName, owner.app, {
        rememberClient: true,
      });
      return device ?? assert.fail('no device');
    }
    /** Signs in with the password and the device. @returns whether the device replaced the second factor. */
    async function isTrusted(device: string, headers: Record<string, string> = {}) {
      const answer = await factors.signIn(userName, { password, twoFactorRememberClientToken: device }, headers);
      assert.equal(answer.status, 200, answer.text);
      return answer.result.requiresTwoFactorVerification === false;
    }

    async function resetByLink() {
      const asked = await setUp.here.post(`${API}/User/SendEmailLink`, { body: { username: userName } });
      assert.equal(asked.status, 200, asked.text);
      const link = (await setUp.here.deliver()).map(({ text }) => text.match(/http\S+/)?.[0]).find(Boolean) ?? '';
      const given = new URLSearchParams(new URL(link).hash.slice(1));
      const code = given.get('code') ?? assert.fail(link);
      const proof = { username: userName, code, method: 2 };
      const verified = await setUp.here.post(`${API}/User/ValidateResetCode`, { body: proof });
      assert.equal(verified.status, 200, verified.text);
      const { token } = verified.result;
      const body = { username: userName, token, newPassword: NEW_PASSWORD };
      password = NEW_PASSWORD;
      return setUp.here.post(`${API}/User/ResetPasswordUsingToken`, { body });
    }

    /** Each ends challenges, operations and trusted devices of the account, which stays enrolled unless it says so. */
    const endings: Record<string, { end: () => Promise<unknown>; isReset?: boolean }> = {
      'a new password': {
        async end() {
          password = NEW_PASSWORD;
          await ok(byOwner('User/ChangePassword', { currentPassword, newPassword: NEW_PASSWORD }));
        },
      },
      'an administrator’s password': {
        async end() {
          password = NEW_PASSWORD;
          await ok(byAdmin('User/ResetPassword', { userId: owner.id, newPassword: NEW_PASSWORD }));
        },
      },
      'a recovered password': { end: () => ok(resetByLink()) },
      deactivation: {
        async end() {
          await ok(byAdmin('User/InactivateUser', { userId: owner.id }));
          await ok(byAdmin('User/ActivateUser', { userId: owner.id }));
        },
      },
      'the owner’s sign-out everywhere': { end: () => ok(byOwner('Session/EndOthers')) },
      'an administrator’s sign-out everywhere': {
        end: () => ok(byAdmin('User/SignOutEverywhere', { userId: owner.id })),
      },
      'new recovery codes': { end: () => ok(byOwner('RecoveryCode/Regenerate', { currentPassword })) },
      'a new authenticator app': {
        async end() {
          const { operationId, secret } = await factors.begin(owner.token);
          await ok(factors.confirm(owner.token, operationId, factors.nextCode({ secret })));
        },
      },
      'the removal of the authenticator app': {
        end: () => ok(byOwner('Authenticator/Remove', { currentPassword })),
        isReset: true,
      },
      'an administrator’s reset of the factors': {
        end: () => ok(byAdmin('User/ResetFactors', { userId: owner.id, reason: 'lost phone' })),
        isReset: true,
      },
      'the end of all sessions': { end: () => endAllSessions(setUp.here.service, 'test') },
    };

    for (const [what, { end, isReset }] of Object.entries(endings)) {
      it(`${what} ends challenges, enrollments and trusted devices`, async () => {
        const device = await trustDevice();
        assert.ok(await isTrusted(device));
        const challenge = await factors.challenge(userName);
        owner.token = await factors.prove(owner.token, owner.app);
        await factors.begin(owner.token);
        const operations = () =>
          setUp.here.service.database.sql
            .selectFrom('factor_operation')
            .select('mac')
            .where('account_id', '=', owner.id)
            .execute();
        assert.equal((await operations()).length, 1);
        await end();
        const answer = await factors.verify(challenge, factors.nextCode(owner.app));
        assertRefused(answer, 401, 'factor.challengeInvalid');
        assert.deepEqual(await operations(), []);
        const { sql } = setUp.here.service.database;
        const devices = sql.selectFrom('trusted_device').select('id').where('account_id', '=', owner.id);
        assert.deepEqual(await devices.execute(), []);
        if (!isReset) assert.equal(await isTrusted(device), false);
      });
    }

    it('a trusted device is of one account, one front end and a limited time', async () => {
      const device = await trustDevice();
      assert.equal(await isTrusted(device, { 'sha-frontend-application': 'other' }), false);
      assert.equal(await isTrusted(altered(device)), false);
      const first = userName;
      userName = `person${count}x`;
      await setUp.here.createUser(userName);
      await factors.enroll(await setUp.here.signIn(userName));
      assert.equal(await isTrusted(device), false, 'of another account');
      userName = first;
      assert.ok(await isTrusted(device));
      const wrong = await factors.signIn(userName, { password: 'wrong', twoFactorRememberClientToken: device });
      assertRefused(wrong, 401, 'signIn.invalidCredentials');
      setUp.here.clock.advance(30 * 86_400);
      assert.equal(await isTrusted(device), false, 'expired');
      await setUp.here.service.trustedDevices.deleteExpired();
    });

    it('an account has 20 trusted devices at most, also after parallel sign-ins: the oldest ones end', async () => {
      const { database, trustedDevices } = setUp.here.service;
      const seen = { ipAddress: null, userAgent: null, frontEnd: 'default-app' };
      const devices: string[] = [];
      for (let n = 0; n < 20; n += 1) {
        const device = await database.transaction((tx) => trustedDevices.trust(tx, owner.id, seen));
        devices.push(device ?? assert.fail('no device'));
        setUp.here.clock.advance(1);
      }
      assert.ok(await isTrusted(devices[0] ?? ''), 'the twentieth ends none');
      const { codes } = owner.app;
      const challenges = await Promise.all(codes.map(() => factors.challenge(userName)));
      const answers = await Promise.all(
        challenges.map((challenge, n) => {
          const more = { provider: 'RecoveryCode', rememberClient: true };
          return factors.verify(challenge, codes[n] ?? '', more, n % 2 ? setUp.here : setUp.there);
        }),
      );
      const added = answers.map(({ result }) => result.twoFactorRememberClientToken ?? '');
      const { id } = owner;
      assert.equal((await trustedDevices.list(database.sql, id)).length, 20);
      const areTrusted = [...devices, ...added].map((device) =>
        database.transaction((tx) => trustedDevices.recognize(tx, id, device, seen)),
      );
      assert.deepEqual(
        await Promise.all(areTrusted),
        Array.from({ length: 30 }, (_, n) => n >= 10),
        'those of the parallel sign-ins stay',
      );
    });

    it('a shorter time in the settings applies at once, and no time at all ends every trusted device', async () => {
      const device = await trustDevice();
      setUp.here.clock.advance(2 * 86_400);
      await factors.allow({ trustedDeviceDays: 2 });
      assert.equal(await isTrusted(device), false);
      owner.token = await reopen();
      assert.deepEqual((await factors.factorsOf(owner.token)).trustedDevices, []);
      await factors.allow({ trustedDeviceDays: 30 });
      assert.ok(await isTrusted(device));
      await factors.allow({ trustedDeviceDays: 0 });
      assert.equal(await isTrusted(device), false);
      await factors.allow({ trustedDeviceDays: 30 });
      assert.equal(await isTrusted(device), false);
    });

    it('a challenge ends with its account, and works after the deletion of its front end', async () => {
      const appKey = `gone${count}`;
      const made = await byAdmin('FrontEndApp/Create', { appKey, name: 'Gone', description: '' });
      await setUp.there.service.frontEnds.load();
      const begun = await factors.signIn(userName, {}, { 'sha-frontend-application': appKey });
      const { id }: { id?: string } = Object(made.result);
      const token = await setUp.here.admin();
      await ok(setUp.here.send('DELETE', `${API}/FrontEndApp/Delete`, { token, query: { id: id ?? '' } }));
      const answer = await factors.verify(begun.result.challengeToken ?? '', factors.nextCode(owner.app));
      assert.equal(answer.status, 200, answer.text);
      const challenge = await factors.challenge(userName);
      await ok(setUp.here.send('DELETE', `${API}/User/Delete`, { token, query: { id: owner.id } }));
      assertRefused(await factors.verify(challenge, '123456'), 401, 'factor.challengeInvalid');
    });

    /** A session of the owner, whose token may have expired. */
    async function reopen() {
      const { accessToken } = await factors.signInWithBoth(userName, owner.app);
      return accessToken;
    }
  });
}

it('the end of all sessions meets the answer to a challenge on PostgreSQL, and no deadlock', async () => {
  const url = await createMigratedUrl('postgres');
  const test = await startTestService('postgres', { url });
  const locks = await openLocks(url);
  try {
    const factors = useFactors({ here: test, there: test, close: test.close });
    await factors.allow();
    await test.createUser('ann');
    const app = await factors.enroll(await test.signIn('ann'));
    const challenge = await factors.challenge('ann');
    const code = factors.nextCode(app);
    await locks.hold('update session set ended_at = ended_at');
    const ended = endAllSessions(test.service, 'test');
    await locks.untilWaiting(1);
    const answer = factors.verify(challenge, code);
    await locks.untilWaiting(2);
    await locks.release();
    assert.ok((await ended) > 0);
    assertRefused(await answer, 401, 'factor.challengeInvalid');
  } finally {
    await locks.close();
    await test.close();
  }
});
