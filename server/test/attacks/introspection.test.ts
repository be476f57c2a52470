// Attacks on introspection and revocation: callers without a key, strange forms, slow bodies, and a database that fails.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { serviceErrors } from '../../src/foundation/errors.ts';
import type { Database } from '../../src/storage/database.ts';
import { engines } from '../support/databases.ts';
import { basic, introspect, postForm } from '../support/introspection.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/service.ts';
import { countStatements } from '../support/statements.ts';

const INTROSPECT = '/oauth/introspect';
const REVOKE = '/oauth/revoke';
const FORM = 'application/x-www-form-urlencoded';

const oauthErrorOf = ({ status, text }: TestAnswer) => [status, JSON.parse(text).error];

for (const engine of engines) {
  describe(`attacks on introspection on ${engine}`, () => {
    let test: TestService;
    let key: string;
    let live: string;
    let isDown = false;
    let isReadOnly = false;

    /** A database that fails, or whose disk is full. */
    const failing = (database: Database): Database => ({
      ...database,
      keyedReader(source) {
        const read = database.keyedReader(source);
        return async (value) => {
          if (isDown) throw serviceErrors.unavailable();
          return read(value);
        };
      },
      get sql() {
        if (isReadOnly) throw new Error('The disk is full.');
        return database.sql;
      },
    });

    before(async () => {
      test = await startTestService(engine, { around: failing });
      key = await test.createServiceKey('shop', ['introspect']);
      await test.createUser('thandi');
      live = await test.signIn('thandi');
    });
    after(() => test.close());

    const isLive = async () => (await test.get('/api/services/app/Session/GetAll', { token: live })).status === 200;

    it('tells a caller without a valid key nothing of a token', async () => {
      const wrong = `lks_${'A'.repeat(43)}`;
      const withoutKey: [authorization: string | undefined, challenge: RegExp][] = [
        [undefined, /^Bearer realm="latchkey"$/],
        ['', /^Bearer/],
        [`Bearer ${wrong}`, /^Bearer realm="latchkey", error="invalid_token"/],
        [`Bearer ${live}`, /^Bearer/],
        [`Bearer ${key}A`, /^Bearer/],
        [`Bearer ${key.slice(0, -1)}`, /^Bearer/],
        [`Bearer ${key.toLowerCase()}`, /^Bearer/],
        [`Bearer ${key} ${key}`, /^Bearer/],
        [`Token ${key}`, /^Bearer/],
        [key, /^Bearer/],
        [basic('service', wrong), /^Basic realm="latchkey"/],
        [basic('admin', key), /^Basic/],
        [basic('', key), /^Basic/],
        [basic(key, ''), /^Basic/],
        [basic('service', `${key}:`), /^Basic/],
        ['Basic %%%', /^Basic/],
      ];
      for (const [authorization, challenge] of withoutKey) {
        const answers = await Promise.all(
          [live, 'dead', ''].map((token) => postForm(test, INTROSPECT, { ...(token && { token }) }, authorization)),
        );
        for (const answer of answers) {
          assert.deepEqual(oauthErrorOf(answer), [401, 'invalid_client'], String(authorization));
          assert.match(String(answer.headers['www-authenticate']), challenge, String(authorization));
          assert.equal(answer.text, answers[0]?.text);
          assert.ok(!answer.text.includes('lks_'));
        }
      }
      const inForm = await postForm(test, INTROSPECT, { token: live, client_id: 'service', client_secret: key });
      assert.equal(inForm.status, 401);
      const inQuery = await postForm(test, `${INTROSPECT}?access_token=${key}`, { token: live });
      assert.equal(inQuery.status, 401);
    });

    it('keeps no row, and logs no key and no token, for callers without a key', async () => {
      const count = async () => {
        const tables = ['audit', 'service_key', 'rate_window'] as const;
        const rows = tables.map((table) => test.service.database.sql.selectFrom(table).selectAll().execute());
        return (await Promise.all(rows)).map(({ length }) => length);
      };
      const before = await count();
      for (let index = 0; index < 50; index += 1) {
        await postForm(test, INTROSPECT, { token: live }, `Bearer lks_${String(index).padEnd(43, 'x')}`);
        await postForm(test, REVOKE, { token: `${live}${index}` });
      }
      assert.deepEqual(await count(), before);
      const logs = test.logs.join('');
      for (const secret of [live, key, 'lks_0xxx']) assert.ok(!logs.includes(secret));
    });

    it('refuses strange forms as OAuth says, and never reads a token from elsewhere', async () => {
      const authorization = `Bearer ${key}`;
      const send = (body: unknown, type: string | undefined, path = INTROSPECT) =>
        test.post(path, {
          headers: { authorization, ...(type && { 'content-type': type }) },
          ...(body !== undefined && { body }),
        });
      const wrong: [body: unknown, type: string | undefined][] = [
        [undefined, undefined],
        ['', FORM],
        ['token=', FORM],
        ['Token=x', FORM],
        ['token[]=x', FORM],
        [`token=${live}&token=dead`, FORM],
        [`token=dead&token=${live}`, FORM],
        [JSON.stringify({ token: live }), 'application/json'],
        [`token=${live}`, 'text/plain'],
        [`token=${live}`, 'multipart/form-data; boundary=x'],
      ];
      for (const [body, type] of wrong) {
        for (const path of [INTROSPECT, `${INTROSPECT}?token=${live}`, REVOKE, `${REVOKE}?token=${live}`]) {
          const answer = await send(body, type, path);
          assert.deepEqual(oauthErrorOf(answer), [400, 'invalid_request'], `${path} ${type} ${body}`);
          assert.equal(answer.headers['cache-control'], 'no-store');
          assert.ok(!answer.text.includes(live));
        }
      }
      const large = await send(`token=${'x'.repeat(17_000)}`, FORM);
      assert.deepEqual(oauthErrorOf(large), [413, 'invalid_request']);
      assert.equal(JSON.parse(large.text).error_description, 'Send at most 16 KiB.');
      const malformed = await send(`token=${live}`, ',;=');
      assert.deepEqual(oauthErrorOf(malformed), [415, 'invalid_request']);
      assert.match(JSON.parse(malformed.text).error_description, /^The header Content-Type is malformed\./);
      for (const token of ['\0', '💥'.repeat(500), '%', '__proto__', 'x'.repeat(16_000), `${live} `, ` ${live}`]) {
        assert.deepEqual(await introspect(test, token, key), { active: false }, token.slice(0, 20));
      }
      assert.equal(await isLive(), true);
    });

    it('takes no token in the address of another method', async () => {
      for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'] as const) {
        for (const path of [INTROSPECT, REVOKE]) {
          const headers = { authorization: `Bearer ${key}` };
          const { statusCode, headers: sent } = await test.app.inject({
            method,
            url: `${path}?token=${live}`,
            headers,
          });
          assert.equal(statusCode, 405, `${method} ${path}`);
          assert.equal(sent.allow, 'POST');
        }
      }
      assert.equal(await isLive(), true);
    });

    it('refuses a key that is withdrawn while the form arrives', async () => {
      const slow = await test.createServiceKey('slow', ['introspect']);
      if (!test.app.server.listening) await test.app.listen({ port: 0, host: '127.0.0.1' });
      const address = test.app.server.address();
      assert.ok(typeof address === 'object' && address);
      const body = `token=${live}`;
      const arrived = once(test.app.server, 'request');
      const socket = connect(address.port, '127.0.0.1');
      const head = [`POST ${INTROSPECT} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${slow}`, `Content-Type: ${FORM}`];
      socket.write(
        `${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body.slice(0, 9)}`,
      );
      await arrived;
      const token = await test.admin();
      await test.post('/api/services/app/ServiceKey/Withdraw', { token, body: { name: 'slow' } });
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.write(body.slice(9));
      await once(socket, 'close');
      assert.match(answer, /^HTTP\/1\.1 401 /);
      assert.ok(!answer.includes('"active"'));
    });

    it('answers 503, and not that a token is dead, while the database is out of reach', async () => {
      isDown = true;
      const asked = await postForm(test, INTROSPECT, { token: live }, `Bearer ${key}`);
      const passed = await test.get('/api/forward-auth', { token: live });
      isDown = false;
      assert.deepEqual(oauthErrorOf(asked), [503, 'temporarily_unavailable']);
      assert.equal(passed.status, 503);
      assert.equal(passed.headers['remote-user'], undefined);
      assert.equal((await introspect(test, live, key)).active, true);
    });

    it('answers also while the use of a key cannot be recorded', async () => {
      const full = await test.createServiceKey('full', ['introspect']);
      isReadOnly = true;
      const answer = await postForm(test, INTROSPECT, { token: live }, `Bearer ${full}`).finally(() => {
        isReadOnly = false;
      });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(JSON.parse(answer.text).active, true);
    });

    it('revokes nothing with a token that only looks like the live one', async () => {
      const [header, payload, signature] = live.split('.');
      const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString());
      const other = Buffer.from(JSON.stringify({ ...claims, jti: 'x' })).toString('base64url');
      for (const token of [
        `${header}.${other}.${signature}`,
        `${header}.${payload}.`,
        `${live}=`,
        claims.sid,
        claims.jti,
      ]) {
        assert.equal((await postForm(test, REVOKE, { token })).status, 200);
        assert.equal(await isLive(), true, token);
      }
    });

    it('lets a revocation win every race against refreshes', async () => {
      for (let round = 0; round < 10; round += 1) {
        const token = await test.signIn('thandi');
        const [refreshed, revoked] = await Promise.all([
          test.post('/api/TokenAuth/RefreshTokenAsync', { token }),
          postForm(test, REVOKE, { token }),
        ]);
        assert.equal(revoked.status, 200);
        const next = refreshed.status === 200 ? refreshed.result.accessToken : token;
        for (const one of [token, next]) assert.deepEqual(await introspect(test, one, key), { active: false });
      }
    });
  });
}

describe('the cost of introspection', () => {
  it('is two reads more than a token check, and none for a text that is no key', async (context) => {
    const test = await startTestService('postgres');
    context.after(() => test.close());
    const key = await test.createServiceKey('shop', ['introspect']);
    await test.createUser('thandi');
    const token = await test.signIn('thandi');
    await introspect(test, token, key);
    const statements = countStatements(context);
    const cost = async (work: () => Promise<unknown>) => {
      statements.reset();
      await work();
      return statements.read();
    };
    assert.equal(await cost(() => introspect(test, token, key)), 3, 'key, session, account');
    assert.equal(await cost(() => test.get('/api/forward-auth', { token })), 2, 'session, account');
    assert.equal(await cost(() => test.get('/api/forward-auth', { token: 'x' })), 0);
    assert.equal(await cost(() => postForm(test, INTROSPECT, { token }, 'Bearer x')), 0);
    assert.equal(await cost(() => postForm(test, REVOKE, { token: `${token}x` })), 0);
  });
});
