// Attacks with a permission that has ended: an authorized caller loses it before the call takes effect.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Authority } from '../../src/foundation/authority.ts';
import { assertRefused } from '../support/answers.ts';
import { engines } from '../support/databases.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const USER = '/api/services/app/User';
const SETTINGS = '/api/services/app/Settings';
const FRONT_END = '/api/services/app/FrontEndApp';
const SIGN_OFF = '/api/TokenAuth/SignOff';
const NEW_PASSWORD = 'harbour violet tractor';
const REQUIRE_DIGIT = 'Abp.Zero.UserManagement.PasswordComplexity.RequireDigit';

/** Time for the service to authorize the head of a request. Too little would only make the attack miss its moment. */
const ADMISSION_MS = 100;

/** A request whose body is sent on demand. */
type SlowRequest = { sendBody(): Promise<{ status: number; reason: string | undefined }> };

for (const engine of engines) {
  describe(`a permission that ends on ${engine}`, () => {
    let test: TestService;
    let port: number;
    let boss: string;
    let name: string;
    let id: number;
    let token: string;
    let count = 0;
    const sockets: Socket[] = [];

    before(async () => {
      test = await startTestService(engine);
      await test.app.listen({ port: 0, host: '127.0.0.1' });
      ({ port } = test.app.server.address() as { port: number });
      boss = await test.admin();
    });
    after(() => test.close());
    afterEach(() => {
      for (const socket of sockets.splice(0)) socket.destroy();
    });
    beforeEach(async () => {
      count += 1;
      name = `acting${count}`;
      id = await test.createUser(name, { roleNames: ['Administrator'] });
      token = await test.signIn(name);
    });

    async function sendHead(method: string, path: string, body: object): Promise<SlowRequest> {
      const payload = JSON.stringify(body);
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      const head = [
        `${method} ${path} HTTP/1.1`,
        'host: localhost',
        `authorization: Bearer ${token}`,
        'content-type: application/json',
        `content-length: ${Buffer.byteLength(payload)}`,
        'connection: close',
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      await sleep(ADMISSION_MS);
      return {
        async sendBody() {
          socket.write(payload);
          let answer = '';
          for await (const chunk of socket.setEncoding('utf8')) answer += chunk;
          return { status: Number(answer.split(' ')[1]), reason: /"reason":"([^"]*)"/.exec(answer)?.[1] };
        },
      };
    }

    /** The events that end the permission of the account. */
    const endings: Record<string, () => Promise<unknown>> = {
      'signed off': () => test.post(SIGN_OFF, { token }),
      'signed out everywhere': () => test.post(`${USER}/SignOutEverywhere`, { token: boss, body: { userId: id } }),
      deactivated: () => test.post(`${USER}/InactivateUser`, { token: boss, body: { userId: id } }),
      deleted: () => test.send('DELETE', `${USER}/Delete`, { token: boss, query: { id } }),
      'stripped of the role': () => test.send('PUT', `${USER}/Update`, { token: boss, body: { id, roleNames: [] } }),
      'given another password': () =>
        test.post(`${USER}/ResetPassword`, { token: boss, body: { userId: id, newPassword: NEW_PASSWORD } }),
      'made to change the password': () =>
        test.send('PUT', `${USER}/Update`, { token: boss, body: { id, requireChangePassword: true } }),
    };
    const due: Record<string, [number, string]> = {
      'stripped of the role': [403, 'permission.denied'],
      'made to change the password': [403, 'password.changeRequired'],
    };

    for (const [ending, end] of Object.entries(endings)) {
      const [status, reason] = due[ending] ?? [401, 'token.revoked'];

      it(`creates no administrator when the body arrives after its owner is ${ending}`, async () => {
        const userName = `mole${count}`;
        const body = { userName, password: USER_PASSWORD, roleNames: ['Administrator'] };
        const slow = await sendHead('POST', `${USER}/Create`, body);
        await end();
        assert.deepEqual(await slow.sendBody(), { status, reason });
        const { result } = await test.get(`${USER}/GetAll`, { token: boss, query: { keyword: userName } });
        assert.equal(result.totalCount, 0);
      });

      it(`creates no administrator when its owner is ${ending} while the password is hashed`, async (context) => {
        const userName = `sleeper${count}`;
        const { passwords } = test.service;
        const { hash } = passwords;
        context.after(() => Object.assign(passwords, { hash }));
        Object.assign(passwords, {
          async hash(...args: Parameters<typeof hash>): ReturnType<typeof hash> {
            Object.assign(passwords, { hash });
            await end();
            return hash(...args);
          },
        });
        const body = { userName, password: USER_PASSWORD, roleNames: ['Administrator'] };
        assertRefused(await test.post(`${USER}/Create`, { token, body }), status, reason);
        const { result } = await test.get(`${USER}/GetAll`, { token: boss, query: { keyword: userName } });
        assert.equal(result.totalCount, 0);
      });
    }

    it('changes nothing by any administrative call whose body arrives after the end', async () => {
      const victim = await test.createUser(`victim${count}`);
      const frontEnd = await test.post(`${FRONT_END}/Create`, { token: boss, body: { appKey: name, name } });
      const calls: [method: string, path: string, body: object][] = [
        ['PUT', `${USER}/Update`, { id: victim, name: 'Changed' }],
        ['POST', `${USER}/InactivateUser`, { userId: victim }],
        ['POST', `${USER}/ResetPassword`, { userId: victim, newPassword: NEW_PASSWORD }],
        ['POST', `${USER}/SignOutEverywhere`, { userId: victim }],
        ['POST', `${SETTINGS}/UpdateValue`, { name: REQUIRE_DIGIT, appKey: name, value: true }],
        ['POST', `${SETTINGS}/ResetValue`, { name: REQUIRE_DIGIT, appKey: name }],
        ['POST', `${FRONT_END}/Create`, { appKey: `${name}-more`, name }],
        ['PUT', `${FRONT_END}/Update`, { id: frontEnd.result.id, appKey: name, name: 'Changed' }],
      ];
      const slow = await Promise.all(calls.map((call) => sendHead(...call)));
      await test.post(SIGN_OFF, { token });
      for (const [index, request] of slow.entries()) {
        assert.deepEqual(await request.sendBody(), { status: 401, reason: 'token.revoked' }, String(calls[index]));
      }
      const { result } = await test.get(`${USER}/Get`, { token: boss, query: { id: victim } });
      assert.deepEqual([result.name, result.isActive], ['', true]);
      await test.signIn(`victim${count}`);
    });

    it('changes nothing of the owner’s own account when the body arrives after the end', async () => {
      const other = await test.signIn(name);
      const calls: [path: string, body: object][] = [
        [`${USER}/ChangePassword`, { currentPassword: USER_PASSWORD, newPassword: NEW_PASSWORD }],
        ['/api/services/app/Session/EndOthers', {}],
        [`${USER}/ChangeMyAddress`, { currentPassword: USER_PASSWORD, emailAddress: `${name}@example.com` }],
      ];
      const slow = await Promise.all(calls.map(([path, body]) => sendHead('POST', path, body)));
      await test.post(SIGN_OFF, { token });
      for (const [index, request] of slow.entries()) {
        assert.deepEqual(await request.sendBody(), { status: 401, reason: 'token.revoked' }, String(calls[index]));
      }
      const { result } = await test.get('/api/services/app/Session/GetAll', { token: other });
      assert.equal(result.items.length, 1);
      await test.signIn(name);
    });

    it('sets no password when the session ends while the new password is hashed', async (context) => {
      const { passwords } = test.service;
      const { hash } = passwords;
      context.after(() => Object.assign(passwords, { hash }));
      Object.assign(passwords, {
        async hash(...args: Parameters<typeof hash>): ReturnType<typeof hash> {
          await test.post(SIGN_OFF, { token });
          return hash(...args);
        },
      });
      const body = { currentPassword: USER_PASSWORD, newPassword: NEW_PASSWORD };
      assertRefused(await test.post(`${USER}/ChangePassword`, { token, body }), 401, 'token.revoked');
      Object.assign(passwords, { hash });
      await test.signIn(name);
    });

    it('makes none of 50 concurrent changes after the sign-off was answered', async () => {
      const changes = Array.from({ length: 50 }, (_, turn) =>
        test.post(`${USER}/Create`, { token, body: { userName: `race${count}x${turn}` } }),
      );
      const countMade = async () => {
        const query = { keyword: `race${count}x` };
        return (await test.get(`${USER}/GetAll`, { token: boss, query })).result.totalCount;
      };
      await test.post(SIGN_OFF, { token });
      const made = await countMade();
      const answers = await Promise.all(changes);
      assert.equal(await countMade(), made);
      for (const answer of answers) {
        if (answer.status !== 200) assertRefused(answer, 401, 'token.revoked');
      }
    });
  });
}

describe('the type of a permission', () => {
  it('checks it in a transaction only', async () => {
    const authority: Authority = { authorize: async () => [] };
    // @ts-expect-error: outside a transaction, nothing holds what was checked.
    assert.deepEqual(await authority.authorize({}), []);
  });
});
