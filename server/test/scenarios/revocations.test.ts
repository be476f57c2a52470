// Revocations as data: each end of a session and each replaced token is recorded in the same transaction.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { endAllSessions } from '../../src/app/restore-check.ts';
import { addSeconds, nextSecond } from '../../src/foundation/clock.ts';
import type { Revocation } from '../../src/tokens/index.ts';
import { enginesAtLength } from '../support/databases.ts';
import { claimsOf } from '../support/forge.ts';
import { callAs, createClient, signInTo } from '../support/oauth.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const API = '/api/services/app';
const NEW_PASSWORD = 'gravel lantern staple';

for (const engine of enginesAtLength) {
  describe(`revocations on ${engine}`, () => {
    let test: TestService;
    let recorded: Revocation[] = [];
    let failing = false;
    let admin: string;
    let id: number;
    let userName: string;
    let tokens: string[];
    let count = 0;

    before(async () => {
      test = await startTestService(engine);
      test.service.revocations.subscribe(async (tx, revocations) => {
        // In the transaction: its reads and writes here commit with the revocation.
        await tx.sql.selectFrom('session').select('id').limit(1).execute();
        if (failing) throw new Error('The listener fails.');
        recorded.push(...revocations);
      });
    });
    after(() => test.close());
    beforeEach(async () => {
      count += 1;
      userName = `person${count}`;
      id = await test.createUser(userName, { emailAddress: `${userName}@example.org`, isEmailConfirmed: true });
      tokens = [await test.signIn(userName), await test.signIn(userName), await test.signIn(userName)];
      admin = await test.admin();
      recorded = [];
      failing = false;
    });

    const sessionOf = (token: string) => String(claimsOf(token).sid);
    const all = () => tokens.map(sessionOf);
    const others = () => tokens.slice(1).map(sessionOf);
    /** Of tokens that live for a day: a minute is left for signing them. */
    const latestExpiry = () => addSeconds(test.clock.now(), 86_400 + 60);
    const ended = () => recorded.flatMap((one) => (one.kind === 'session' ? [one.sessionId] : [])).sort();

    const keysRecorded = () => recorded.flatMap((one) => (one.kind === 'key' ? [one.kid] : []));

    async function call<Path extends string>(path: Path, body: object, token: string | undefined = tokens[0]) {
      const answer = await test.post(`${API}/${path}`, { token, body });
      assert.equal(answer.status, 200, answer.text);
      return answer;
    }

    it('name the token that a refresh replaces', async () => {
      const [token = ''] = tokens;
      await test.post('/api/TokenAuth/RefreshTokenAsync', { token });
      assert.deepEqual(recorded, [
        { kind: 'superseded', sessionId: sessionOf(token), generation: 1, expiresAt: latestExpiry() },
      ]);
      recorded = [];
      assert.equal((await test.post('/api/TokenAuth/RefreshTokenAsync', { token })).status, 401);
      assert.deepEqual(recorded, [], 'a refresh that is refused revokes nothing');
    });

    it('name the session of a sign-off, once', async () => {
      const [token = ''] = tokens;
      await test.post('/api/TokenAuth/SignOff', { token });
      assert.deepEqual(recorded, [{ kind: 'session', sessionId: sessionOf(token), expiresAt: latestExpiry() }]);
      await test.post('/api/TokenAuth/SignOff', { token });
      assert.equal(recorded.length, 1);
    });

    const ways: Record<string, { act: () => Promise<unknown>; sessions: () => string[] }> = {
      'Session/End': {
        act: () => call('Session/End', { id: others()[0] }),
        sessions: () => others().slice(0, 1),
      },
      'Session/EndOthers': { act: () => call('Session/EndOthers', {}), sessions: others },
      'User/ChangePassword': {
        act: () => call('User/ChangePassword', { currentPassword: USER_PASSWORD, newPassword: NEW_PASSWORD }),
        sessions: others,
      },
      'a reset by mailed code': {
        act: async () => {
          await call('User/SendEmailLink', { username: userName });
          // A notice of a change may be delivered with it.
          const codes = (await test.deliver()).map(({ text }) => text.match(/^ {4}(\d{6})$/m)?.[1]);
          const code = codes.find((one) => one !== undefined);
          const { result } = await call('User/ValidateResetCode', { username: userName, code, method: 2 });
          recorded = [];
          await call('User/ResetPasswordUsingToken', { ...result, newPassword: NEW_PASSWORD });
        },
        sessions: all,
      },
      'User/ResetPassword': {
        act: () => call('User/ResetPassword', { userId: id, newPassword: NEW_PASSWORD }, admin),
        sessions: all,
      },
      'User/InactivateUser': { act: () => call('User/InactivateUser', { userId: id }, admin), sessions: all },
      'User/SignOutEverywhere': { act: () => call('User/SignOutEverywhere', { userId: id }, admin), sessions: all },
      'User/EndSession': {
        act: () => call('User/EndSession', { userId: id, id: others()[0] }, admin),
        sessions: () => others().slice(0, 1),
      },
      'User/Delete': {
        act: () => test.send('DELETE', `${API}/User/Delete`, { token: admin, query: { id } }),
        sessions: all,
      },
    };
    for (const [name, { act, sessions }] of Object.entries(ways)) {
      it(`name every session that ${name} ends`, async () => {
        await act();
        assert.deepEqual(ended(), sessions().sort());
      });
    }

    it('name nothing that is rolled back: the call fails, and the session stays open', async () => {
      const [token = ''] = tokens;
      failing = true;
      assert.equal((await test.post('/api/TokenAuth/RefreshTokenAsync', { token })).status, 500);
      assert.equal((await test.post('/api/TokenAuth/SignOff', { token })).status, 500);
      assert.equal(
        (await test.post(`${API}/User/SignOutEverywhere`, { token: admin, body: { userId: id } })).status,
        500,
      );
      failing = false;
      assert.equal((await test.get(`${API}/Session/GetAll`, { token })).status, 200);
      assert.deepEqual(recorded, []);
    });

    it('name the grants that may have given a token at the moment when all sessions end', async () => {
      const client = await createClient(test, { name: `Books ${count}` });
      const machine = await createClient(test, {
        name: `Robot ${count}`,
        kind: 'machine',
        redirectUris: [],
        scopes: ['read'],
      });
      const early = await signInTo(test, client, userName);
      const { body } = await callAs(test, machine, '/oauth/token', { grant_type: 'client_credentials' });
      test.clock.advance(60);
      const late = await signInTo(test, client, userName);
      recorded = [];
      await endAllSessions(test.service, 'test');
      const grants = recorded.flatMap((one) => (one.kind === 'session' && one.isOfGrant ? one.sessionId : []));
      const named = [late.access_token, body.access_token].map(sessionOf);
      assert.deepEqual(grants.toSorted(), named.toSorted());
      assert.equal(await test.service.grants.findOpen(sessionOf(early.access_token)), undefined);
    });

    it('name the compromised keys, and the moment before which all sessions ended', async () => {
      const { keys } = test.service;
      const before = keys.publicKeys().keys.map((key) => String((key as { kid?: string }).kid));
      await keys.rotate({ compromised: false });
      assert.deepEqual(recorded, []);
      const published = keys.publicKeys().keys.length;
      await keys.rotate({ compromised: true });
      assert.equal(recorded.length, published);
      for (const kid of before) assert.ok(keysRecorded().includes(kid));
      recorded = [];
      // Sessions of the last seconds are named too, because another clock may have issued their tokens.
      test.clock.advance(60);
      await endAllSessions(test.service, 'test');
      assert.deepEqual(recorded, [{ kind: 'all', issuedBefore: nextSecond(test.clock.now()) }]);
    });
  });
}
