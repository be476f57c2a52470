// Attacks by input: malformed input, input that reaches too far, and input that takes too long to read.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertEnvelope, assertRefused } from '../support/answers.ts';
import { engines } from '../support/databases.ts';
import {
  ADMIN_PASSWORD,
  startTestService,
  type TestAnswer,
  type TestService,
  USER_PASSWORD,
} from '../support/service.ts';

const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const USER = '/api/services/app/User';
const AUDIT = '/api/services/app/Audit/GetAll';
const SETTINGS = '/api/services/app/Settings';

for (const engine of engines) {
  describe(`input on ${engine}`, () => {
    let test: TestService;
    let token: string;

    before(async () => {
      test = await startTestService(engine);
      token = await test.admin();
      await test.createUser('per%cent_', { name: "O'Neil", surname: 'back\\slash', emailAddress: 'per@example.com' });
    });
    after(() => test.close());

    const postRaw = (body: string | Buffer, type = 'application/json', path = AUTHENTICATE) =>
      test.post(path, { body, token, headers: { 'content-type': type } });
    const authenticate = (body: unknown, query?: Record<string, string>) =>
      test.post(AUTHENTICATE, { body, ...(query && { query }) });
    const search = (query: Record<string, string>) => test.get(`${USER}/GetAll`, { token, query });
    async function assertUnharmed() {
      assert.equal((await authenticate({ userNameOrEmailAddress: 'admin', password: ADMIN_PASSWORD })).status, 200);
      assert.equal(Object.hasOwn(Object.prototype, 'isAdmin'), false);
    }

    it('has no union of objects: undeclared members would be removed by the first that fits', () => {
      const isObject = (schema: unknown) => JSON.stringify(schema).includes('"properties"');
      function countUnions(schema: unknown): number {
        if (typeof schema !== 'object' || schema === null) return 0;
        const anyOf = 'anyOf' in schema && Array.isArray(schema.anyOf) ? schema.anyOf : [];
        const own = anyOf.filter(isObject).length > 1 ? 1 : 0;
        return Object.values(schema).reduce((sum: number, part) => sum + countUnions(part), own);
      }
      const object = { type: 'object', properties: {} };
      assert.equal(countUnions({ properties: { one: { anyOf: [object, { type: 'null' }, object] } } }), 1);
      for (const { path, body, query } of test.service.routes) assert.equal(countUnions([body, query]), 0, path);
    });

    it('must be a well-formed JSON object in the body', async () => {
      const deep = '['.repeat(10_000) + ']'.repeat(10_000);
      const bodies: (string | Buffer)[] = [
        '',
        '{',
        'null',
        '[]',
        '"text"',
        '1',
        'NaN',
        '{}{}',
        "{'a':1}",
        '{"a":1,}',
        '\u0000',
      ];
      bodies.push(deep, `{"password":${deep}}`, `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`);
      bodies.push(
        '{"__proto__":{"isAdmin":true}}',
        '{"a":{"__proto__":{"isAdmin":true}}}',
        '{"constructor":{"prototype":{}}}',
      );
      bodies.push(
        '{"userNameOrEmailAddress":"\\ud800","password":"x"}',
        '{"\\udfff":1}',
        '{"userNameOrEmailAddress":"a","password":"\\udc00"}',
      );
      bodies.push(
        Buffer.from([0xff, 0xfe, 0x7b, 0x7d]),
        Buffer.from('{"password":"\xe9"}', 'latin1'),
        Buffer.from([0xed, 0xa0, 0x80]),
      );
      for (const body of bodies) {
        const answer = await postRaw(body);
        assertRefused(answer, 400, 'request.invalid', String(body).slice(0, 60));
        assertEnvelope(answer);
      }
      const withExtra = (extra: string) =>
        postRaw(`{"userNameOrEmailAddress":"admin","password":"${ADMIN_PASSWORD}","extra":${extra}}`);
      const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
      assert.equal((await withExtra(nested(15))).status, 200);
      for (const extra of [
        nested(16),
        nested(10_000),
        '{"__proto__":{}}',
        '1,"__proto__":{}',
        '"\\ud800"',
        '{"\\ud800":1}',
      ]) {
        assertRefused(await withExtra(extra), 400, 'request.invalid', extra.slice(0, 60));
      }
      await assertUnharmed();
    });

    it('is refused when large or of another content type, also where no body is expected', async () => {
      for (const path of [AUTHENTICATE, `${USER}/Create`, `${SETTINGS}/UpdateValue`, '/api/TokenAuth/SignOff']) {
        for (const size of [64 * 1024, 1024 * 1024]) {
          const answer = await postRaw(`{"password":"${'x'.repeat(size)}"}`, 'application/json', path);
          assertRefused(answer, 413, 'request.tooLarge', path);
          assertEnvelope(answer);
        }
        for (const type of [
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=x',
          'x',
          'application/jsonp',
        ]) {
          const answer = await postRaw('{}', type, path);
          assertRefused(answer, 415, 'request.unsupportedMediaType', type);
          assertEnvelope(answer);
        }
      }
      const fits = `{"userNameOrEmailAddress":"admin","password":"${ADMIN_PASSWORD}","x":"${'y'.repeat(65_000)}"}`;
      assert.equal((await postRaw(fits, 'application/json; charset=utf-8')).status, 200);
    });

    it('is refused when an array, number, object or null stands for a text', async () => {
      for (const value of [['admin'], [], 1, 0, true, null, { toString: 'admin' }, {}, { $ne: null }]) {
        assertRefused(
          await authenticate({ userNameOrEmailAddress: value, password: 'x' }),
          400,
          'request.invalid',
          value,
        );
        const answer = await authenticate({ userNameOrEmailAddress: 'admin', password: value });
        assertRefused(answer, 400, 'request.invalid', value);
        assert.deepEqual(answer.error.validationErrors?.[0]?.members, ['password']);
        const create = { userName: value, password: USER_PASSWORD };
        assertRefused(await test.post(`${USER}/Create`, { token, body: create }), 400, 'request.invalid', value);
      }
      const names = ['', 'a\0b', 'a\nb', 'a\u007fb', 'x'.repeat(257)];
      for (const name of names) {
        assertRefused(
          await authenticate({ userNameOrEmailAddress: name, password: 'x' }),
          400,
          'request.invalid',
          name,
        );
      }
      for (const userName of [...names, 'a b', '\u00a0', 'a\u2028b']) {
        assertRefused(
          await test.post(`${USER}/Create`, { token, body: { userName } }),
          400,
          'request.invalid',
          userName,
        );
      }
      for (const emailAddress of [
        'x',
        'a@b@c',
        'a b@c',
        'a@b\r\nBcc: c@d',
        '<a@b>',
        'a@b,c@d',
        '"a"@b',
        'a@[1]',
        '@',
        'a@',
        '@b',
        'a@b\0',
      ]) {
        assertRefused(
          await test.post(`${USER}/Create`, { token, body: { userName: 'mail', emailAddress } }),
          400,
          'request.invalid',
          emailAddress,
        );
      }
    });

    it('from the query is never a password', async () => {
      const query = { userNameOrEmailAddress: 'admin', password: ADMIN_PASSWORD };
      assertRefused(await authenticate({}, query), 400, 'request.invalid');
      assertRefused(await authenticate(undefined, query), 400, 'request.invalid');
      assert.equal((await authenticate({ password: ADMIN_PASSWORD }, query)).status, 200);
      assert.equal((await authenticate({ password: ADMIN_PASSWORD }, { ...query, password: 'wrong' })).status, 200);
      assertRefused(await authenticate({ password: 'wrong' }, query), 401, 'signIn.invalidCredentials');
      const change = { currentPassword: ADMIN_PASSWORD, newPassword: 'harbour violet tractor' };
      assertRefused(await test.post(`${USER}/ChangePassword`, { token, query: change }), 400, 'request.invalid');
      const reset = { userId: 1, newPassword: 'harbour violet tractor' };
      assertRefused(await test.post(`${USER}/ResetPassword`, { token, query: reset }), 400, 'request.invalid');
      for (const name of ['access_token', 'token', 'authorization']) {
        assertRefused(await test.get(`${USER}/GetAll`, { query: { [name]: token } }), 401, 'token.missing');
      }
      assert.ok(!test.logs.join().includes(ADMIN_PASSWORD) && !test.logs.join().includes(token));
    });

    it('from the body wins over the query', async () => {
      const id = await test.createUser('winner');
      await test.post(`${USER}/InactivateUser`, { token, query: { userId: 1 }, body: { userId: id } });
      const isActive = async (user: number) =>
        (await test.get(`${USER}/Get`, { token, query: { id: user } })).result.isActive;
      assert.deepEqual([await isActive(1), await isActive(id)], [true, false]);
      await test.post(`${USER}/ActivateUser`, { token, query: { userId: id } });
      assert.equal(await isActive(id), true);
      assertRefused(
        await authenticate(
          { userNameOrEmailAddress: null, password: ADMIN_PASSWORD },
          { userNameOrEmailAddress: 'admin' },
        ),
        400,
        'request.invalid',
      );
    });

    it('with unknown members is stored without them', async () => {
      const personId = '00000000-0000-0000-0000-000000000000';
      const extra = {
        id: 4711,
        personId,
        passwordHash: 'x',
        password_hash: 'x',
        passwordVersion: 9,
        lockedUntil: 1,
        creationTime: 0,
        is_active: false,
      };
      const body = { userName: 'massive', password: USER_PASSWORD, ...extra, roles: ['Administrator'], tenantId: 1 };
      const created = (await test.post(`${USER}/Create`, { token, body })).result;
      assert.ok(
        created.id !== 4711 && created.personId !== personId && created.isActive && created.creationTime > '2020',
      );
      assert.deepEqual([created.roleNames, created.lockedUntil, 'passwordHash' in created], [[], null, false]);
      const own = await test.signIn('massive');
      const change = {
        currentPassword: USER_PASSWORD,
        newPassword: 'harbour violet tractor',
        userId: 1,
        ...extra,
        roleNames: ['Administrator'],
        isActive: false,
      };
      assert.equal((await test.post(`${USER}/ChangePassword`, { token: own, body: change })).result, true);
      await test.signIn('massive', 'harbour violet tractor');
      await test.admin();
      const update = {
        ...extra,
        id: created.id,
        surname: 'Changed',
        password: 'x',
        newPassword: 'x',
      };
      const updated = (await test.send('PUT', `${USER}/Update`, { token, body: update })).result;
      assert.deepEqual(updated, {
        ...created,
        surname: 'Changed',
        fullName: 'Changed',
        lastLoginTime: updated.lastLoginTime,
      });
      await test.signIn('massive', 'harbour violet tractor');
    });

    it('must be exactly one integer, boolean or column where one is expected', async () => {
      const ids = [
        '',
        ' ',
        'true',
        '1.5',
        '0x1',
        '1e0',
        'NaN',
        'Infinity',
        '-1',
        '0',
        '1;',
        "1'",
        '99999999999999999999',
        'null',
        '[1]',
        '{}',
      ];
      for (const id of ids) {
        for (const method of ['GET', 'DELETE'] as const) {
          const path = `${USER}/${method === 'GET' ? 'Get' : 'Delete'}`;
          assertRefused(await test.send(method, path, { token, query: { id } }), 400, 'request.invalid', id);
        }
      }
      assertRefused(await test.get(`${USER}/Get?id=1&id=2`, { token }), 400, 'request.invalid');
      assertRefused(await test.get(`${USER}/Get`, { token, query: { id: 2 ** 53 - 1 } }), 404, 'account.notFound');
      for (const id of [1.5, '1', true, null, [1], -1, 0, 2 ** 53]) {
        assertRefused(
          await test.post(`${USER}/UnlockUser`, { token, body: { userId: id } }),
          400,
          'request.invalid',
          id,
        );
      }
      const bad = {
        skipCount: ['-1', '1.5', '1e400', 'x'],
        maxResultCount: ['0', '-1', '101', '1e9'],
        isActive: ['2', 'x', 'null'],
      };
      for (const [name, values] of Object.entries(bad)) {
        for (const value of values)
          assertRefused(await search({ [name]: value }), 400, 'request.invalid', [name, value]);
      }
      assert.deepEqual((await search({ skipCount: String(2 ** 53 - 1), isActive: 'True' })).result.items, []);
      const sorts = [
        'passwordHash',
        'password_hash',
        'user_name_key',
        'id;drop table account',
        'id desc, name',
        'constructor',
        '__proto__',
        'id desc --',
        '(select 1)',
        '1',
      ];
      for (const sorting of sorts) assertRefused(await search({ sorting }), 400, 'request.invalid', sorting);
      assert.equal((await search({ sorting: 'userName DESC' })).result.items[0]?.userName, 'winner');
    });

    it('of a keyword is searched literally', async () => {
      const found = async (keyword: string) => (await search({ keyword })).result.items.map(({ userName }) => userName);
      for (const keyword of ['%', '_', 'per%', 'T_', "o'n", 'k\\s', 'ＰＥＲ%'])
        assert.deepEqual(await found(keyword), ['per%cent_'], keyword);
      for (const keyword of ['%%', '__', "' or '1'='1", '"', '\\\\', '\\%', '*', 'p.r', '%25'])
        assert.deepEqual(await found(keyword), [], keyword);
    });

    it('is refused for invalid times', async () => {
      for (const from of [
        'x',
        '2020-13-01T00:00:00Z',
        '2016-12-31T23:59:60Z',
        '2020-01-01',
        '0',
        '+275760-09-13T00:00:00Z',
      ]) {
        for (const name of ['from', 'to'])
          assertRefused(await test.get(AUDIT, { token, query: { [name]: from } }), 400, 'request.invalid', from);
      }
    });

    it('of hostile texts is read in linear time', async () => {
      // Processor time, not wall-clock time: other processes may be busy too. The engine compiles and collects garbage in some
      // turns: the shortest one counts.
      const timeOf = async (send: (text: string) => Promise<TestAnswer>, text: string) => {
        await send(text);
        let shortest = Number.POSITIVE_INFINITY;
        for (let turn = 0; turn < 10; turn += 1) {
          const start = process.cpuUsage();
          await send(text);
          shortest = Math.min(shortest, process.cpuUsage(start).user / 1000);
        }
        return shortest;
      };
      const places: ((text: string) => Promise<TestAnswer>)[] = [
        (text) => test.get(`/api/${text}`),
        (text) => test.get('/api/services/app/Session/GetAll', { headers: { authorization: `Bearer ${text}` } }),
        (text) => authenticate({ userNameOrEmailAddress: text, password: text }),
        (text) =>
          test.post(`${USER}/Create`, { token, body: { userName: text, emailAddress: text, mobileNumber: text } }),
      ];
      for (const send of places) {
        const harmless = await timeOf(send, 'a'.repeat(14_001));
        for (const part of ['/', '%2f', ' ', 'a@', '1-', '.', '\u0344'.normalize('NFC')]) {
          const hostile = `${part.repeat(14_000 / part.length)}x`;
          // Linear reading takes about as long as harmless text; quadratic reading some hundred times as long.
          const time = await timeOf(
            send,
            send === places[0] ? hostile.replace(/[^!-~]/g, encodeURIComponent).slice(0, 14_000) : hostile,
          );
          assert.ok(time < 20 * harmless + 5, `${part}: ${time} ms against ${harmless} ms`);
        }
      }
    });

    it('is never written into headers of the answer', async () => {
      const header = 'x\r\nset-cookie: a=b';
      const answers = [
        await test.get(`/api/x%0d%0aset-cookie:%20a=b`),
        await test.get(`${USER}/Get`, { token, query: { id: header } }),
        await test.get(`${SETTINGS}/GetValue`, { token, query: { name: header, appKey: header } }),
        await test.send('PUT', AUTHENTICATE, {
          headers: { origin: 'https://x.example', 'sha-frontend-application': 'x y' },
        }),
      ];
      for (const { headers } of answers) assert.equal(headers['set-cookie'], undefined);
    });

    it('to a path with another method gets the allowed methods, and to an unknown path 404', async () => {
      for (const [method, path, allow] of [
        ['GET', AUTHENTICATE, 'POST'],
        ['DELETE', '/API/tokenauth/refreshtoken', 'POST'],
        ['PATCH', `${USER}/Update`, 'PUT'],
        ['POST', `${USER}/Get`, 'GET'],
      ] as const) {
        const answer = await test.send(method, path, { token });
        assertRefused(answer, 405, 'request.methodNotAllowed');
        assert.equal(answer.headers.allow, allow);
        assertEnvelope(answer);
      }
      for (const path of [
        '/api/nothing',
        '/api',
        '/api/TokenAuth/__proto__',
        '/api/TokenAuth/constructor',
        '/api/TokenAuth/Authenticate/x',
      ]) {
        const answer = await test.get(path, { token });
        assertRefused(answer, 404, 'request.notFound', path);
        assertEnvelope(answer);
      }
      const malformed = await test.get('/api/%zz');
      assertRefused(malformed, 400, 'request.invalid');
      assertEnvelope(malformed);
    });

    it('is refused for names that fold to more than a database can index', async () => {
      const long = Array.from({ length: 250 }, (_, index) => String.fromCodePoint(0xfdf0 + (index % 11))).join('');
      for (const body of [
        { userName: long },
        { userName: 'short', emailAddress: `${long.slice(0, 230)}@example.com` },
      ]) {
        assertRefused(await test.post(`${USER}/Create`, { token, body }), 400, 'request.invalid');
      }
    });
  });
}
