// What one session repeats: one entry a minute, and another with the count. What changes nothing has none.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Occurrence } from '../../src/foundation/events.ts';
import { enginesAtLength } from '../support/databases.ts';
import {
  createClient,
  createVerifier,
  readAnswer,
  redeem,
  refresh as refreshFor,
  signInTo,
  toRequest,
} from '../support/oauth.ts';
import { startTestService, type TestAnswer, type TestService, USER_PASSWORD } from '../support/service.ts';

const API = '/api/services/app';
const AUTH = '/api/TokenAuth';
const NEW_PASSWORD = 'quarry velvet thimble';

const REFRESHES = 200;
const TIMES = 6;

for (const engine of enginesAtLength) {
  describe(`what one session repeats on ${engine}`, () => {
    let test: TestService;
    let published: Occurrence[];
    let count = 0;
    let id: number;
    let token: string;
    let passkeys: string[];

    before(async () => {
      test = await startTestService(engine);
      test.service.events.subscribe((occurrence) => void published.push(occurrence));
    });
    after(() => test.close());
    beforeEach(async () => {
      count += 1;
      id = await test.createUser(`mallory${count}`);
      token = await test.signIn(`mallory${count}`);
      passkeys = await addPasskeys(['phone', 'laptop']);
      published = [];
    });

    /** Adds passkeys without a device behind them. */
    async function addPasskeys(names: readonly string[]) {
      const rows = names.map((name) => ({
        id: randomUUID(),
        account_id: id,
        credential_id: randomUUID(),
        public_key: '',
        sign_count: 0,
        transports: '',
        rp_id: 'localhost',
        name,
        is_backed_up: 0 as const,
        created_at: test.clock.now(),
        last_used_at: null,
      }));
      await test.service.database.sql.insertInto('passkey').values(rows).execute();
      return rows.map((row) => row.id);
    }

    /** Returns the entries of this account, oldest first. */
    async function entriesOf(action: string) {
      const { entries } = await test.service.audit.list({ userId: id, action }, { skip: 0, take: 100 });
      return entries.toReversed();
    }
    const detailsOf = async (action: string) => (await entriesOf(action)).map(({ details }) => details);
    const publishedOf = (action: string) => published.filter((one) => one.action.name === action).length;

    async function refresh() {
      const { status, result, text } = await test.post(`${AUTH}/RefreshTokenAsync`, { token });
      assert.equal(status, 200, text);
      token = result.accessToken;
    }
    const rename = async (passkey: string | undefined, newName: string) => {
      const answer = await test.post(`${API}/Passkey/Rename`, { token, body: { id: passkey, name: newName } });
      assert.equal(answer.status, 200, answer.text);
    };
    const endMinute = async () => {
      test.clock.advance(60);
      await test.service.audit.recordRepetitions();
    };

    it('count for a person who is signed in to an application and lets it ask again and again', async () => {
      const client = await createClient(test, { name: `Shop ${engine} ${count}` });
      const { browser } = await signInTo(test, client, `mallory${count}`);
      for (let n = 0; n < TIMES; n += 1) {
        const verifier = createVerifier();
        const answer = await browser.send('GET', '/oauth/authorize', { query: toRequest(client, verifier) });
        const { code = '' } = readAnswer(answer.headers.location);
        const { body } = await redeem(test, client, code, verifier);
        assert.equal((await refreshFor(test, client, body.refresh_token)).status, 200);
        await redeem(test, client, code, verifier);
      }
      await endMinute();
      for (const action of ['grant.given', 'grant.redeemed', 'grant.replayed']) {
        const repeated = (await detailsOf(action)).map((details) => details?.repeated);
        const others = action === 'grant.replayed' ? TIMES - 1 : TIMES;
        assert.deepEqual(repeated, [undefined, others], action);
      }
    });

    it('have one entry a minute, and a second one with their number and the time of the last one', async () => {
      for (let n = 0; n < REFRESHES; n += 1) {
        if (n === REFRESHES - 1) test.clock.advance(59);
        await refresh();
      }
      const lastAt = new Date(test.clock.now()).toISOString();
      await test.service.audit.recordRepetitions();
      assert.deepEqual(await detailsOf('session.refreshed'), [null], 'within the minute');
      assert.equal(publishedOf('session.refreshed'), REFRESHES, 'metrics and listeners count each one');
      await endMinute();
      await endMinute();
      const counted = { repeated: REFRESHES - 1, lastAt };
      assert.deepEqual(await detailsOf('session.refreshed'), [null, counted]);
      assert.equal(publishedOf('session.refreshed'), REFRESHES);
      await refresh();
      assert.deepEqual(await detailsOf('session.refreshed'), [null, counted, null], 'a minute later');
      await endMinute();
      assert.equal((await entriesOf('session.refreshed')).length, 3, 'what was not repeated is not counted');
    });

    it('are counted apart by session, action and details', async () => {
      const other = await test.signIn(`mallory${count}`);
      await refresh();
      const { status } = await test.post(`${AUTH}/RefreshTokenAsync`, { token: other });
      assert.equal(status, 200);
      for (const [n, passkey] of [...passkeys, ...passkeys].entries()) await rename(passkey, `${n}`);
      assert.equal((await entriesOf('session.refreshed')).length, 2);
      assert.deepEqual(
        await detailsOf('factor.passkeyRenamed'),
        passkeys.map((passkey) => ({ passkey })),
      );
    });

    const repeatable: Record<string, (n: number) => Promise<TestAnswer<unknown>>> = {
      'signIn.reauthenticated': async () => {
        const answer = await test.post(`${AUTH}/Reauthenticate`, { token, body: { password: USER_PASSWORD } });
        token = answer.result?.accessToken ?? token;
        return answer;
      },
      'account.passwordChanged': (n) => {
        const passwords = [USER_PASSWORD, NEW_PASSWORD];
        const [currentPassword, newPassword] = n % 2 === 0 ? passwords : passwords.toReversed();
        return test.post(`${API}/User/ChangePassword`, { token, body: { currentPassword, newPassword } });
      },
      'factor.passkeyRenamed': (n) =>
        test.post(`${API}/Passkey/Rename`, { token, body: { id: passkeys[0], name: String(n % 2) } }),
    };
    for (const [action, call] of Object.entries(repeatable)) {
      it(`include ${action}`, async () => {
        for (let n = 0; n < TIMES; n += 1) {
          const { status, text } = await call(n);
          assert.equal(status, 200, text);
        }
        assert.equal((await entriesOf(action)).length, 1);
        assert.equal(publishedOf(action), TIMES);
        await endMinute();
        const [, summary, ...more] = await detailsOf(action);
        assert.deepEqual([summary?.repeated, more], [TIMES - 1, []]);
      });
    }

    const reauthenticate = (body: object) => test.post(`${AUTH}/Reauthenticate`, { token, body });
    /** Calls that the service refuses. The lockout bounds none of them: nothing is compared, or a right proof clears it. */
    const refused: Record<string, () => Promise<TestAnswer<unknown>>> = {
      'a text that no code can be': () => reauthenticate({ code: 'x' }),
      'an unknown passkey': async () => {
        // The session has proven the second factor that a change of factors needs.
        const proven = { factor_used_at: test.clock.now() };
        await test.service.database.sql.updateTable('session').set(proven).where('account_id', '=', id).execute();
        return test.post(`${API}/Passkey/Remove`, {
          token,
          body: { id: randomUUID(), currentPassword: USER_PASSWORD },
        });
      },
      'recovery codes without a second factor': async () => {
        await test.service.database.sql.deleteFrom('passkey').where('account_id', '=', id).execute();
        return test.post(`${API}/RecoveryCode/Regenerate`, { token, body: { currentPassword: USER_PASSWORD } });
      },
      'a wrong password after a right one': async () => {
        const { result } = await reauthenticate({ password: USER_PASSWORD });
        token = result?.accessToken ?? token;
        return reauthenticate({ password: 'wrong' });
      },
    };
    for (const [what, call] of Object.entries(refused)) {
      it(`include refusals: ${what}`, async () => {
        const factors = { passkeys: true, authenticator: true, trustedDeviceDays: 0, requireForPermissions: false };
        await test.set('Latchkey.Factors', factors);
        for (let n = 0; n < TIMES; n += 1) {
          const { status, text } = await call();
          assert.ok(status >= 400 && status < 500, text);
        }
        const isRefusal = ({ outcome }: { outcome: string }) => outcome === 'refused';
        const { entries } = await test.service.audit.list({ userId: id }, { skip: 0, take: 100 });
        assert.equal(entries.filter(isRefusal).length, 1);
        assert.equal(published.filter(isRefusal).length, TIMES);
      });
    }

    it('are counted at the latest when the service stops', async () => {
      await refresh();
      await refresh();
      test.service.audit.start();
      await test.service.audit.stop();
      const lastAt = new Date(test.clock.now()).toISOString();
      assert.deepEqual(await detailsOf('session.refreshed'), [null, { repeated: 1, lastAt }]);
    });

    it('have an entry again after a clock was set back', async () => {
      await refresh();
      test.clock.set(-1);
      await refresh();
      test.clock.set(1);
      assert.equal((await entriesOf('session.refreshed')).length, 2);
    });
  });

  describe(`calls that change nothing on ${engine}`, () => {
    let test: TestService;
    let token: string;
    let userId: number;
    before(async () => {
      test = await startTestService(engine);
      token = await test.admin();
      userId = await test.createUser('ann', { emailAddress: 'ann@example.org', roleNames: ['Clerk'] });
    });
    after(() => test.close());

    const post = (path: string, body: object) => test.post(`${API}/${path}`, { token, body });
    const put = (path: string, body: object) => test.send('PUT', `${API}/${path}`, { token, body });
    const read = async (path: string, query: Record<string, string | number>) => {
      const { result }: TestAnswer<unknown> = await test.get(`${API}/${path}`, { token, query });
      return Object(result);
    };
    const content = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0"/></svg>',
    ).toString('base64');

    /** Each call is sent twice. The first one may change something. */
    const calls: Record<string, () => Promise<TestAnswer<unknown>>> = {
      'a user with the same members': async () => put('User/Update', await read('User/Get', { id: userId })),
      'an activation of an active account': () => post('User/ActivateUser', { userId }),
      'a deactivation of an inactive account': () => post('User/InactivateUser', { userId }),
      'an unlocking without a lock': () => post('User/UnlockUser', { userId }),
      'a role with the same members': async () => put('Role/Update', await roleOf('Clerk')),
      'a front end with the same members': async () => put('FrontEndApp/Update', await frontEndOf('default-app')),
      'the same logo': () => post('FrontEndApp/UploadLogo', { content }),
      'a setting with the same value': () =>
        post('Settings/UpdateValue', { name: 'Latchkey.Audit', value: { retentionDays: 100 } }),
      'a setting without a value of its own': () => post('Settings/ResetValue', { name: 'Latchkey.Audit' }),
    };
    const roleOf = async (name: string) =>
      Object.values<{ name: string }>((await read('Role/GetAll', {})).items).find((role) => role.name === name) ?? {};
    const frontEndOf = async (appKey: string) =>
      Object.values<{ appKey: string }>((await read('FrontEndApp/GetAll', {})).items).find(
        (one) => one.appKey === appKey,
      ) ?? {};

    for (const [what, call] of Object.entries(calls)) {
      it(`have no entry: ${what}`, async () => {
        const send = async () => {
          const { status, text } = await call();
          assert.equal(status, 200, text);
        };
        await send();
        const newest = await test.service.auditStore.newest();
        await send();
        assert.equal(await test.service.auditStore.newest(), newest);
      });
    }

    it('have no entry: a passkey with the same name', async () => {
      const owner = await test.admin();
      const own = (await test.get(`${API}/Session/GetCurrentLoginInfo`, { token: owner })).result.user?.id ?? 0;
      const passkey = { id: randomUUID(), account_id: own, credential_id: randomUUID(), public_key: '', sign_count: 0 };
      const more = { transports: '', rp_id: 'localhost', is_backed_up: 0 as const, created_at: test.clock.now() };
      const row = { ...passkey, ...more, name: 'phone', last_used_at: null };
      await test.service.database.sql.insertInto('passkey').values(row).execute();
      const newest = await test.service.auditStore.newest();
      const body = { id: passkey.id, name: ' phone ' };
      const answer = await test.post(`${API}/Passkey/Rename`, { token: owner, body });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(await test.service.auditStore.newest(), newest);
    });
  });
}
