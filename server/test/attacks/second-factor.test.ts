// The extension point for second factors. A method of this test turns every sign-in of an enrolled account into a
// challenge. The right account answers it once and in time; wrong answers count in a separate budget.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { AuthenticationMethod, Identified, SignInResult } from '../../src/authentication/index.ts';
import { AuthError, defineErrors } from '../../src/foundation/errors.ts';
import { defineActions } from '../../src/foundation/events.ts';
import { factorsSubject } from '../../src/lockout/index.ts';
import { createPasswordMethod } from '../../src/sign-in/password.ts';
import { createPinMethod } from '../../src/sign-in/pin.ts';
import { USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const RACERS = 20;
const origin = { ipAddress: '192.0.2.7', userAgent: 'test', frontEnd: 'default-app' };
const { wrong } = defineErrors('colour', { wrong: { status: 401, message: 'This is not your favourite colour.' } });
const { colour } = defineActions('signIn', { colour: 'A favourite colour was given.' });

/** A second factor for the accounts in `enrolled`: their favourite colour. */
function createColourMethod(
  enrolled: ReadonlyMap<number, string>,
): AuthenticationMethod<string, Identified & { isRight: boolean }, boolean> {
  return {
    name: 'colour',
    amr: 'kba',
    action: colour,
    wrong,
    isEnrolled: async (_, { id }) => enrolled.has(id),
    async find(given, _, challenged) {
      assert.ok(challenged, 'a challenge needs a known account');
      const isRight = enrolled.get(challenged.id) === given;
      return { account: challenged, subject: factorsSubject(challenged.id), isRight };
    },
    verify: async ({ isRight }) => isRight,
    redeem: async (_, isRight) => ({ proof: isRight ? 'right' : 'wrong' }),
  };
}

const refusedWith = (reason: string) => (error: unknown) => error instanceof AuthError && error.reason === reason;

for (const [name, start] of Object.entries(setUps)) {
  describe(`a second factor on ${name}`, () => {
    const enrolled = new Map<number, string>();
    const method = createColourMethod(enrolled);
    let setUp: SetUp;
    let id: number;
    let userName: string;
    let count = 0;

    before(async () => {
      setUp = await start();
      setUp.here.service.secondFactors.register(method);
      setUp.there.service.secondFactors.register(method);
    });
    after(() => setUp.close());
    beforeEach(async () => {
      count += 1;
      userName = `person${count}`;
      id = await setUp.here.createUser(userName, { emailAddress: `${userName}@example.org`, isEmailConfirmed: true });
      enrolled.set(id, 'green');
    });

    const signIn = (password = USER_PASSWORD, node = setUp.here) =>
      node.service.authentication.signIn(createPasswordMethod(node.service), { name: userName, password }, origin);
    const answer = (token: string, given = 'green', node = setUp.there) =>
      node.service.authentication.answerChallenge(method, { token, given }, origin);

    async function challenge(): Promise<string> {
      const result = await signIn();
      assert.ok(result && 'challenge' in result);
      assert.deepEqual(result.challenge.methods, ['colour']);
      return result.challenge.token;
    }

    function tokenOf(result: SignInResult | undefined): string {
      assert.ok(result && 'signedIn' in result);
      return result.signedIn.accessToken;
    }

    const amrOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).amr;

    it('is required, and completes the sign-in: the token names both methods, also after a refresh', async () => {
      const token = tokenOf(await answer(await challenge()));
      assert.deepEqual(amrOf(token), ['pwd', 'kba', 'mfa']);
      const refreshed = await setUp.here.post('/api/TokenAuth/RefreshTokenAsync', { token });
      assert.deepEqual(amrOf(refreshed.result.accessToken), ['pwd', 'kba', 'mfa']);
      const sessions = await setUp.here.get('/api/services/app/Session/GetAll', {
        token: refreshed.result.accessToken,
      });
      assert.deepEqual(
        sessions.result.items.map((session) => session.method),
        ['pwd'],
      );
    });

    it('is not required of an account that is not enrolled', async () => {
      enrolled.delete(id);
      assert.deepEqual(amrOf(tokenOf(await signIn())), ['pwd']);
    });

    it('is required after a pin too', async () => {
      const { here } = setUp;
      const asked = await here.post('/api/TokenAuth/OtpAuthenticateSendPin', {
        body: { userNameOrMobileNo: userName },
      });
      const { operationId } = asked.result;
      const pin = (await here.deliver()).at(-1)?.text.match(/\d{6}/)?.[0] ?? '';
      const given = { operationId, pin, name: undefined };
      const result = await here.service.authentication.signIn(createPinMethod(here.service), given, origin);
      assert.ok(result && 'challenge' in result);
      assert.deepEqual(amrOf(tokenOf(await answer(result.challenge.token))), ['otp', 'kba', 'mfa']);
    });

    it('opens no session and records no sign-in before it is verified', async () => {
      await challenge();
      const { sessions, accounts } = setUp.here.service;
      assert.deepEqual(await sessions.listOpen(id), []);
      assert.equal((await accounts.find(id))?.lastSignInAt, null);
    });

    it('completes one sign-in per challenge, for any number of concurrent answers', async () => {
      const token = await challenge();
      const answers = await Promise.allSettled(
        Array.from({ length: RACERS }, (_, i) => answer(token, 'green', i % 2 === 0 ? setUp.here : setUp.there)),
      );
      assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal((await setUp.here.service.sessions.listOpen(id)).length, 1);
      await assert.rejects(answer(token), refusedWith('factor.challengeInvalid'));
    });

    it('is refused for an unknown challenge, and for one of another account', async () => {
      await assert.rejects(answer('unknown'), refusedWith('factor.challengeInvalid'));
      const token = await challenge();
      enrolled.set(id, 'blue');
      await assert.rejects(answer(token, 'green'), refusedWith('colour.wrong'));
      tokenOf(await answer(token, 'blue'));
    });

    it('is refused when it proves another account, was the first factor, or is no longer enrolled', async () => {
      const { here } = setUp;
      const otherId = await here.createUser(`other${count}`);
      const other = await here.service.accounts.find(otherId);
      const impostor: AuthenticationMethod<string> = {
        ...method,
        find: async () => ({ account: other, subject: factorsSubject(otherId) }),
        redeem: async () => ({ proof: 'right' }),
      };
      const give = (used: AuthenticationMethod<string>, token: string) =>
        here.service.authentication.answerChallenge(used, { token, given: 'green' }, origin);
      const token = await challenge();
      await assert.rejects(give(impostor, token), refusedWith('colour.wrong'));
      await assert.rejects(give({ ...method, name: 'password' }, token), refusedWith('colour.wrong'));
      enrolled.delete(id);
      await assert.rejects(give(method, token), refusedWith('colour.wrong'));
      assert.deepEqual(await here.service.sessions.listOpen(id), []);
      assert.deepEqual(await here.service.sessions.listOpen(otherId), []);
      enrolled.set(id, 'green');
      tokenOf(await give(method, token));
    });

    it('is refused five minutes after the first factor', async () => {
      const token = await challenge();
      setUp.here.clock.advance(299);
      tokenOf(await answer(token));
      const late = await challenge();
      setUp.here.clock.advance(300);
      await assert.rejects(answer(late), refusedWith('factor.challengeInvalid'));
      await setUp.here.service.challenges.deleteExpired();
      const rows = await setUp.here.service.database.sql.selectFrom('login_flow').select('mac').execute();
      assert.ok(rows.length <= 1, 'at most the challenge that expires at this moment remains');
    });

    it('is refused after a change of password or a deactivation', async () => {
      const { here } = setUp;
      const token = await challenge();
      const body = { userId: id, newPassword: 'another lantern of gravel' };
      const reset = await here.post('/api/services/app/User/ResetPassword', { token: await here.admin(), body });
      assert.equal(reset.status, 200, reset.text);
      await assert.rejects(answer(token), refusedWith('factor.challengeInvalid'));
      const result = await signIn(body.newPassword);
      assert.ok(result && 'challenge' in result);
      const done = await here.post('/api/services/app/User/InactivateUser', {
        token: await here.admin(),
        body: { userId: id },
      });
      assert.equal(done.status, 200, done.text);
      await assert.rejects(answer(result.challenge.token), refusedWith('factor.challengeInvalid'));
    });

    it('is refused after all sessions of the account were ended', async () => {
      const { here } = setUp;
      const own = tokenOf(await answer(await challenge()));
      const ways: (() => Promise<{ status: number }>)[] = [
        async () => {
          const call = { token: await here.admin(), body: { userId: id } };
          return here.post('/api/services/app/User/SignOutEverywhere', call);
        },
        () => here.post('/api/services/app/Session/EndOthers', { token: own }),
      ];
      for (const end of ways.reverse()) {
        const token = await challenge();
        assert.equal((await end()).status, 200);
        await assert.rejects(answer(token), refusedWith('factor.challengeInvalid'));
      }
    });

    it('is locked by the strictest policy, for every front end', async () => {
      const { here } = setUp;
      const appKey = `lax${count}`;
      const created = await here.post('/api/services/app/FrontEndApp/Create', {
        token: await here.admin(),
        body: { appKey, name: 'Lax', description: '' },
      });
      assert.equal(created.status, 200, created.text);
      await here.set('Abp.Zero.UserManagement.UserLockOut.IsEnabled', false, appKey);
      const token = await challenge();
      const lax = { ...origin, frontEnd: appKey };
      const guess = () => here.service.authentication.answerChallenge(method, { token, given: 'red' }, lax);
      for (let n = 0; n < 4; n += 1) await assert.rejects(guess(), refusedWith('colour.wrong'));
      await assert.rejects(guess(), refusedWith('signIn.lockedOut'));
    });

    it('resets the failures of the password only when it is right', async () => {
      for (let guess = 0; guess < 4; guess += 1) {
        await assert.rejects(signIn('a wrong password'), refusedWith('signIn.invalidCredentials'));
      }
      await challenge();
      await assert.rejects(signIn('a wrong password'), refusedWith('signIn.lockedOut'));
      setUp.here.clock.advance(300);
      for (let guess = 0; guess < 4; guess += 1) {
        await assert.rejects(signIn('a wrong password'), refusedWith('signIn.invalidCredentials'));
      }
      tokenOf(await answer(await challenge()));
      await assert.rejects(signIn('a wrong password'), refusedWith('signIn.invalidCredentials'));
    });

    it('has its own budget: five wrong answers lock it, but not the password', async () => {
      const token = await challenge();
      for (let guess = 0; guess < 4; guess += 1)
        await assert.rejects(answer(token, 'red'), refusedWith('colour.wrong'));
      await assert.rejects(answer(token, 'red'), refusedWith('signIn.lockedOut'));
      await assert.rejects(answer(token), refusedWith('signIn.lockedOut'));
      await assert.rejects(answer(await challenge()), refusedWith('signIn.lockedOut'));
    });
  });
}
