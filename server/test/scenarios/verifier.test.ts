// The verifier in another service: it rejects each token that the service has revoked, and accepts all others.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createVerifier } from 'latchkey-sdk/verify';
import { endAllSessions } from '../../src/app/restore-check.ts';
import { addSeconds } from '../../src/foundation/clock.ts';
import { enginesAtLength } from '../support/databases.ts';
import { claimsOf, forge, headerOf } from '../support/forge.ts';
import { USER_PASSWORD } from '../support/service.ts';
import { startVerified, type Verified, verdictOf } from '../support/verifier.ts';

const API = '/api/services/app';
const NEW_PASSWORD = 'gravel lantern staple';

for (const engine of enginesAtLength) {
  describe(`the verifier of a service on ${engine}`, () => {
    let verified: Verified;
    let count = 0;
    let userName: string;
    let id: number;
    /** Of three sessions of the user. */
    let tokens: readonly [string, string, string];

    before(async () => {
      verified = await startVerified(engine);
    });
    after(() => verified.close());
    beforeEach(async () => {
      const { test } = verified;
      count += 1;
      userName = `person${count}`;
      id = await test.createUser(userName, { emailAddress: `${userName}@example.org`, isEmailConfirmed: true });
      tokens = [await test.signIn(userName), await test.signIn(userName), await test.signIn(userName)];
      for (const token of tokens) assert.equal(await verified.judge(token), 'accepted');
    });

    const sessionOf = (token: string) => String(claimsOf(token).sid);

    async function call<Path extends string>(path: Path, body: object, token?: string) {
      const answer = await verified.test.post(`${API}/${path}`, { token: token ?? tokens[0], body });
      assert.equal(answer.status, 200, answer.text);
      return answer;
    }
    const callAsAdmin = async (path: string, body: object) => call(path, body, await verified.test.admin());

    async function refresh(token: string) {
      const answer = await verified.test.post('/api/TokenAuth/RefreshTokenAsync', { token });
      assert.equal(answer.status, 200, answer.text);
      return String(answer.result.accessToken);
    }

    async function resetByMail() {
      await call('User/SendEmailLink', { username: userName });
      const code = (await verified.test.deliver()).at(-1)?.text.match(/^ {4}(\d{6})$/m)?.[1];
      const { result } = await call('User/ValidateResetCode', { username: userName, code, method: 2 });
      await call('User/ResetPasswordUsingToken', { ...result, newPassword: NEW_PASSWORD });
    }

    async function edit(change: object) {
      const token = await verified.test.admin();
      const { result } = await verified.test.get(`${API}/User/Get`, { token, query: { id } });
      const answer = await verified.test.send('PUT', `${API}/User/Update`, { token, body: { ...result, ...change } });
      assert.equal(answer.status, 200, answer.text);
    }

    const ways: Record<string, { act: () => Promise<unknown>; accepts: readonly number[] }> = {
      'TokenAuth/SignOff': {
        act: () => verified.test.post('/api/TokenAuth/SignOff', { token: tokens[0] }),
        accepts: [1, 2],
      },
      'TokenAuth/RefreshTokenAsync': { act: () => refresh(tokens[0]), accepts: [1, 2] },
      'TokenAuth/Reauthenticate': {
        act: () =>
          verified.test.post('/api/TokenAuth/Reauthenticate', { token: tokens[0], body: { password: USER_PASSWORD } }),
        accepts: [1, 2],
      },
      'Session/End': { act: () => call('Session/End', { id: sessionOf(tokens[1]) }), accepts: [0, 2] },
      'Session/EndOthers': { act: () => call('Session/EndOthers', {}), accepts: [0] },
      'User/ChangePassword': {
        act: () => call('User/ChangePassword', { currentPassword: USER_PASSWORD, newPassword: NEW_PASSWORD }),
        accepts: [0],
      },
      'a reset by mailed code': { act: resetByMail, accepts: [] },
      'User/ResetPassword': {
        act: () => callAsAdmin('User/ResetPassword', { userId: id, newPassword: NEW_PASSWORD }),
        accepts: [],
      },
      'User/InactivateUser': { act: () => callAsAdmin('User/InactivateUser', { userId: id }), accepts: [] },
      'User/SignOutEverywhere': { act: () => callAsAdmin('User/SignOutEverywhere', { userId: id }), accepts: [] },
      'User/Update that deactivates': { act: () => edit({ isActive: false }), accepts: [] },
      'User/Update that requires another password': { act: () => edit({ requireChangePassword: true }), accepts: [] },
      'User/Delete': {
        act: async () =>
          verified.test.send('DELETE', `${API}/User/Delete`, { token: await verified.test.admin(), query: { id } }),
        accepts: [],
      },
    };
    for (const [name, { act, accepts }] of Object.entries(ways)) {
      it(`rejects each token that ${name} revokes, and no other`, async () => {
        await act();
        for (const [index, token] of tokens.entries()) {
          if (!accepts.includes(index)) assert.equal(await verified.judgeAfter('accepted', token), 'revoked');
        }
        for (const index of accepts) assert.equal(await verified.judge(tokens[index] ?? ''), 'accepted');
      });
    }

    it('accepts only the newest token of a session', async () => {
      const second = await refresh(tokens[0]);
      const third = await refresh(second);
      assert.equal(await verified.judgeAfter('accepted', second), 'revoked');
      assert.equal(await verified.judge(tokens[0]), 'revoked');
      assert.equal(await verified.judge(third), 'accepted');
    });

    it('rejects a token of a version without gen, until it is exchanged', async () => {
      const [token] = tokens;
      const { gen: _, ...claims } = claimsOf(token);
      const older = forge(headerOf(token), claims, verified.test.service.keys.signingKey().privateKey);
      assert.equal(await verified.judge(older), 'invalid');
      assert.equal(await verified.judge(await refresh(older)), 'accepted');
    });

    it('rejects tokens of a session that must change its password, until it is done and the token exchanged', async () => {
      await callAsAdmin('User/ResetPassword', { userId: id, newPassword: NEW_PASSWORD });
      const token = await verified.test.signIn(userName, NEW_PASSWORD);
      assert.equal(await verified.judgeAfter('accepted', token), 'revoked');
      await call('User/ChangePassword', { currentPassword: NEW_PASSWORD, newPassword: USER_PASSWORD }, token);
      assert.equal(await verified.judge(await refresh(token)), 'accepted');
    });

    it('rejects tokens of a session that must enroll a second factor', async () => {
      const policy = { passkeys: false, authenticator: true, trustedDeviceDays: 0, requireForPermissions: false };
      await verified.test.set('Latchkey.Factors', policy);
      await callAsAdmin('FrontEndApp/Create', { appKey: 'bank', name: 'Bank', description: '' });
      await verified.test.set('Latchkey.Factors.SecondFactor', 'required', 'bank');
      const body = { userNameOrEmailAddress: userName, password: USER_PASSWORD };
      const headers = { 'sha-frontend-application': 'bank' };
      const { result } = await verified.test.post('/api/TokenAuth/Authenticate', { body, headers });
      assert.equal(await verified.judgeAfter('accepted', result.accessToken), 'revoked');
      const exchanged = await refresh(result.accessToken);
      assert.equal(await verified.judgeAfter('accepted', exchanged), 'revoked', 'an exchange does not lift it');
    });

    it('judges the times of a token by the clock of the service', async () => {
      const [token] = tokens;
      const key = verified.test.service.keys.signingKey().privateKey;
      const now = Math.floor(verified.test.clock.now() / 1000);
      const withTimes = (times: object) => forge(headerOf(token), { ...claimsOf(token), ...times }, key);
      assert.equal(await verified.judge(withTimes({ exp: now })), 'expired');
      assert.equal(await verified.judge(withTimes({ nbf: now + 60 })), 'invalid');
      assert.equal(await verified.judge(withTimes({ exp: now + 60 })), 'accepted');
    });

    it('accepts tokens of the next key, and none of a compromised one', async () => {
      const { keys } = verified.test.service;
      await keys.rotate({ compromised: true });
      for (const token of tokens) assert.equal(await verified.judgeAfter('accepted', token), 'revoked');
      assert.equal(await verified.judge(await verified.test.signIn(userName)), 'accepted');
    });

    it('rejects the tokens of all sessions that are ended at once, and remembers what was revoked before', async () => {
      await verified.test.post('/api/TokenAuth/SignOff', { token: tokens[0] });
      await endAllSessions(verified.test.service, 'test');
      for (const token of tokens) assert.equal(await verified.judgeAfter('accepted', token), 'revoked');
      const fresh = await verified.test.signIn(userName);
      assert.equal(await verified.judge(fresh), 'accepted');
      await verified.test.post('/api/TokenAuth/SignOff', { token: fresh });
      assert.equal(await verified.judgeAfter('accepted', fresh), 'revoked', 'it follows the feed of the next epoch');
    });

    it('knows all that still matters when it starts', async () => {
      const second = await refresh(tokens[0]);
      await call('Session/End', { id: sessionOf(tokens[1]) }, second);
      const other = createVerifier(verified.options);
      await other.ready();
      const verdicts = await Promise.all([...tokens, second].map((token) => verdictOf(other, token)));
      assert.deepEqual(verdicts, ['revoked', 'revoked', 'accepted', 'accepted']);
      other.close();
      assert.equal(await verdictOf(other, second), 'stale');
    });

    it('accepts tokens of applications for its audience alone, until their grant ends, and no ID token', async () => {
      const { service, clock } = verified.test;
      const { sub } = claimsOf(tokens[0]);
      const grantId = crypto.randomUUID();
      const expiresAt = addSeconds(clock.now(), 600);
      const content = {
        grantId,
        subject: String(sub),
        clientId: 'shop-web',
        scope: 'openid',
        generation: 0,
        expiresAt,
      };
      const issue = (audience: string) =>
        service.applicationTokens.issue({ ...content, audience, claims: {} }).accessToken;
      const shop = createVerifier({ ...verified.options, audience: 'shop-web' });
      await shop.ready();
      const token = issue('shop-web');
      assert.deepEqual([await verdictOf(shop, token), await verified.judge(token)], ['accepted', 'invalid']);
      assert.equal(await verdictOf(shop, tokens[0]), 'invalid', 'a token of the pages is for another audience');
      const { iat, exp, auth_time } = claimsOf(tokens[0]);
      const person = { name: 'Thandi', preferred_username: 'thandi', roles: ['Clerk'], email: 'thandi@example.org' };
      const claims = {
        sub,
        aud: 'shop-web',
        azp: 'shop-web',
        iat,
        exp,
        auth_time,
        amr: ['pwd'],
        sid: grantId,
        ...person,
      };
      for (const algorithm of ['RS256', 'ES256'] as const)
        assert.equal(await verdictOf(shop, await service.idTokens.sign({ typ: 'JWT', claims, algorithm })), 'invalid');
      assert.equal(await verdictOf(shop, token), 'accepted');
      await service.database.transaction((tx) =>
        service.revocations.record(tx, [{ kind: 'session', sessionId: grantId, expiresAt }]),
      );
      while ((await verdictOf(shop, token)) === 'accepted') await nextTurn();
      assert.equal(await verdictOf(shop, token), 'revoked');
      shop.close();
    });

    it('says at once that the service refuses its key', async () => {
      const other = createVerifier({ ...verified.options, serviceKey: 'lks_unknown' });
      await assert.rejects(other.ready(), /refuses the service key/);
      other.close();
    });
  });
}
