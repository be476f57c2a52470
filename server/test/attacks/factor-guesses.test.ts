// Attacks on second factors: guessing, replay, codes of other accounts, and many uses of what works once.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { type App, useFactors } from '../support/factors.ts';
import { claimsOf } from '../support/forge.ts';
import { patiently } from '../support/patience.ts';
import { often } from '../support/scale.ts';
import { type TestAnswer, USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const USER = '/api/services/app/User';
const RACERS = often(40, 200);

for (const [name, start] of Object.entries(setUps)) {
  describe(`attacks on second factors on ${name}`, () => {
    let setUp: SetUp;
    let factors: ReturnType<typeof useFactors>;
    let id: number;
    let userName: string;
    let token: string;
    let app: App;
    let count = 0;

    before(async () => {
      setUp = await start();
      factors = useFactors(setUp);
      await factors.allow();
    });
    after(() => setUp.close());
    beforeEach(async () => {
      count += 1;
      userName = `person${count}`;
      id = await setUp.here.createUser(userName, { emailAddress: `${userName}@example.org`, isEmailConfirmed: true });
      token = await setUp.here.signIn(userName);
      app = await factors.enroll(token);
    });

    const { verify, challenge, nextCode } = {
      verify: (...args: Parameters<typeof factors.verify>) => factors.verify(...args),
      challenge: (...args: Parameters<typeof factors.challenge>) => factors.challenge(...args),
      nextCode: (of = app) => factors.nextCode(of),
    };
    const wrongCode = () => factors.wrongCode(app);
    const nodes = () => [setUp.here, setUp.there];
    const nodeOf = (n: number) => nodes()[n % 2] ?? setUp.here;
    const asAdmin = async (path: string, body: object) => {
      const answer = await setUp.here.post(`${USER}/${path}`, { token: await setUp.here.admin(), body });
      assert.equal(answer.status, 200, answer.text);
    };

    /** Asserts that one call succeeded, and that the others were refused without a fault. */
    function assertOne(answers: readonly TestAnswer[]) {
      const statuses = answers.map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 200).length, 1, JSON.stringify([...new Set(statuses)]));
      assert.deepEqual(
        statuses.filter((status) => ![200, 400, 401].includes(status)),
        [],
      );
    }
    const race = (call: (n: number) => Promise<TestAnswer>) =>
      Promise.all(Array.from({ length: RACERS }, (_, n) => patiently(() => call(n))));

    it('complete one sign-in with one challenge and one code', async () => {
      const token = await challenge(userName);
      const code = nextCode();
      assertOne(await race((n) => verify(token, code, {}, nodeOf(n))));
    });

    it('complete one sign-in with one challenge and two codes of neighbouring steps', async () => {
      const token = await challenge(userName);
      const first = nextCode();
      const codes = [first, nextCode()];
      assertOne(await race((n) => verify(token, codes[n % 2] ?? '', {}, nodeOf(n))));
    });

    it('complete one sign-in with one challenge and ten recovery codes, and use up one', async () => {
      const token = await challenge(userName);
      const give = (n: number) => verify(token, app.codes[n % 10] ?? '', { provider: 'RecoveryCode' }, nodeOf(n));
      assertOne(await race(give));
      const { count } = setUp.here.service.recoveryCodes;
      assert.equal(await count(setUp.here.service.database.sql, id), 9);
    });

    for (const [what, provider] of [
      ['a time step', 'Authenticator'],
      ['a recovery code', 'RecoveryCode'],
    ] as const) {
      it(`complete one sign-in with ${what}, over as many challenges`, async () => {
        const tokens: string[] = [];
        for (let n = 0; n < 20; n += 1) tokens.push(await challenge(userName));
        const code = provider === 'Authenticator' ? nextCode() : (app.codes[0] ?? '');
        const answers = await race((n) => verify(tokens[n % 20] ?? '', code, { provider }, nodeOf(n)));
        assert.equal(answers.filter(({ status }) => status === 200).length, 1);
      });
    }

    it('enroll once with one operation, and authenticate again once with one code', async () => {
      token = await factors.prove(token, app);
      const { operationId, secret } = await factors.begin(token);
      const code = nextCode({ secret, codes: [] });
      const confirm = (n: number) =>
        nodeOf(n).post('/api/services/app/Authenticator/Confirm', { token, body: { operationId, code } });
      assertOne(await race(confirm));
      const again = nextCode({ secret, codes: [] });
      const reauthenticate = (n: number) =>
        nodeOf(n).post('/api/TokenAuth/Reauthenticate', { token, body: { code: again } });
      assertOne(await race(reauthenticate));
    });

    it('are not replayed: within the step, for another purpose, and after a new enrollment', async () => {
      const code = nextCode();
      assert.equal((await verify(await challenge(userName), code)).status, 200);
      assertRefused(await verify(await challenge(userName), code), 401, 'factor.invalid');
      const reused = await setUp.here.post('/api/TokenAuth/Reauthenticate', { token, body: { code } });
      assertRefused(reused, 400, 'factor.invalid');
      // The earlier step is refused too, although its code was never used.
      const before = nextCode();
      assert.equal((await verify(await challenge(userName), nextCode())).status, 200);
      assertRefused(await verify(await challenge(userName), before), 401, 'factor.invalid');
      token = await factors.prove(token, app);
      const removal = { token, body: { currentPassword: USER_PASSWORD } };
      assert.equal((await setUp.here.post('/api/services/app/Authenticator/Remove', removal)).result, true);
      const { operationId, secret } = await factors.begin(token);
      const sameStep = factors.codeOf({ secret });
      assertRefused(await factors.confirm(token, operationId, sameStep), 400, 'factor.invalid');
      assert.equal((await factors.confirm(token, operationId, nextCode({ secret, codes: [] }))).status, 200);
    });

    it('are bound to their account', async () => {
      const own = app;
      const ownName = userName;
      count += 1;
      userName = `person${count}`;
      await setUp.here.createUser(userName);
      const other = await factors.enroll(await setUp.here.signIn(userName));
      assertRefused(await verify(await challenge(ownName), nextCode(other)), 401, 'factor.invalid');
      const foreign = await verify(await challenge(ownName), other.codes[0] ?? '', { provider: 'RecoveryCode' });
      assertRefused(foreign, 401, 'factor.invalid');
      token = await factors.prove(token, own);
      const { operationId, secret } = await factors.begin(token);
      const stolen = await factors.confirm(await setUp.here.admin(), operationId, factors.codeOf({ secret }));
      assertRefused(stolen, 400, 'factor.enrollmentEnded');
      assert.equal((await verify(await challenge(ownName), nextCode(own))).status, 200);
    });

    it('lock after five wrong ones, whatever the settings allow, and the right password refills nothing', async () => {
      await setUp.here.set('Abp.Zero.UserManagement.UserLockOut.MaxFailedAccessAttemptsBeforeLockout', 100);
      await setUp.here.set('Abp.Zero.UserManagement.UserLockOut.IsEnabled', false);
      try {
        for (let n = 0; n < 4; n += 1) {
          assertRefused(await verify(await challenge(userName), wrongCode()), 401, 'factor.invalid');
        }
        const token = await challenge(userName);
        const locked = await verify(token, wrongCode());
        assertRefused(locked, 401, 'signIn.lockedOut');
        assert.equal(Number(locked.headers['retry-after']), 300);
        assertRefused(await verify(token, nextCode()), 401, 'signIn.lockedOut');
        const recovery = await verify(token, app.codes[0] ?? '', { provider: 'RecoveryCode' });
        assertRefused(recovery, 401, 'signIn.lockedOut');
        const inline = await factors.signIn(userName, { twoFactorVerificationCode: nextCode() });
        assertRefused(inline, 401, 'signIn.lockedOut');
      } finally {
        await setUp.here.set('Abp.Zero.UserManagement.UserLockOut.MaxFailedAccessAttemptsBeforeLockout', 5);
        await setUp.here.set('Abp.Zero.UserManagement.UserLockOut.IsEnabled', true);
      }
    });

    it('stay locked for the longest time of the front ends, until an administrator ends it', async () => {
      const appKey = `slow${count}`;
      const front = { appKey, name: 'Slow', description: '' };
      await setUp.here.post('/api/services/app/FrontEndApp/Create', { token: await setUp.here.admin(), body: front });
      await setUp.here.set('Abp.Zero.UserManagement.UserLockOut.DefaultAccountLockoutSeconds', 3600, appKey);
      await setUp.there.service.frontEnds.load();
      const headers = { 'sha-frontend-application': appKey };
      const begun = await factors.signIn(userName, {}, headers);
      const token = begun.result.challengeToken ?? assert.fail(begun.text);
      for (let n = 0; n < 4; n += 1) assertRefused(await verify(token, wrongCode()), 401, 'factor.invalid');
      const locked = await verify(token, wrongCode());
      assertRefused(locked, 401, 'signIn.lockedOut');
      assert.equal(Number(locked.headers['retry-after']), 3600);
      await asAdmin('UnlockUser', { userId: id });
      assert.equal((await verify(token, nextCode())).status, 200);
    });

    it('stay locked after a recovered password', async () => {
      await lockFactors();
      const body = { userId: id, newPassword: 'another lantern of gravel' };
      await asAdmin('ResetPassword', body);
      const again = await factors.signIn(userName, { password: body.newPassword });
      const answer = await verify(again.result.challengeToken ?? '', nextCode());
      assertRefused(answer, 401, 'signIn.lockedOut');
      setUp.here.clock.advance(300);
      const later = await factors.signIn(userName, { password: body.newPassword });
      assert.equal((await verify(later.result.challengeToken ?? '', nextCode())).status, 200);
    });

    it('clear the failures of both factors only when the sign-in is complete', async () => {
      for (let n = 0; n < 4; n += 1) await factors.signIn(userName, { password: 'a wrong password' });
      for (let n = 0; n < 4; n += 1) await verify(await challenge(userName), wrongCode());
      assert.equal((await verify(await challenge(userName), nextCode())).status, 200);
      const wrong = await factors.signIn(userName, { password: 'a wrong password' });
      assertRefused(wrong, 401, 'signIn.invalidCredentials');
      assertRefused(await verify(await challenge(userName), wrongCode()), 401, 'factor.invalid');
    });

    it('get one answer whatever is wrong, and nothing without a challenge', async () => {
      const token = await challenge(userName);
      const wrong = [
        { code: wrongCode() },
        { code: 'x'.repeat(100) },
        { provider: 'RecoveryCode', code: 'aaaaa-aaaaa' },
        { provider: 'Passkey', code: wrongCode() },
      ];
      const texts = new Set<string>();
      for (const more of wrong) {
        const answer = await verify(token, wrongCode(), more);
        assertRefused(answer, 401, 'factor.invalid', more);
        texts.add(JSON.stringify({ ...answer.error, traceId: null }));
      }
      assert.equal(texts.size, 1);
      for (const unknown of ['x', 'A'.repeat(43)]) {
        assertRefused(await verify(unknown, nextCode()), 401, 'factor.challengeInvalid');
      }
      setUp.here.clock.advance(300);
      assertRefused(await verify(token, nextCode()), 401, 'factor.challengeInvalid');
    });

    it('tell nothing about the password to a caller who lacks it, with a code or without', async () => {
      const wrong = { password: 'a wrong password', twoFactorRememberClientToken: 'A'.repeat(43) };
      for (const code of [null, wrongCode(), nextCode()]) {
        const known = await factors.signIn(userName, { ...wrong, twoFactorVerificationCode: code });
        const unknown = await factors.signIn(`nobody${count}`, { ...wrong, twoFactorVerificationCode: code });
        assertRefused(known, 401, 'signIn.invalidCredentials');
        assert.deepEqual({ ...known.error, traceId: null }, { ...unknown.error, traceId: null });
      }
      // The code of the wrong attempt is not used up.
      const code = nextCode();
      await factors.signIn(userName, { ...wrong, twoFactorVerificationCode: code });
      const { result } = await factors.signIn(userName, { twoFactorVerificationCode: code });
      assert.equal(claimsOf(result.accessToken).acr, 'aal2');
    });

    async function lockFactors() {
      const token = await challenge(userName);
      for (let n = 0; n < 5; n += 1) await verify(token, wrongCode());
      assertRefused(await verify(token, nextCode()), 401, 'signIn.lockedOut');
    }
  });
}
