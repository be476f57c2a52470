// Attacks on forward-auth: headers that an application must not believe, demands that must hold, and bodies that never come.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { identityHeaderNames } from '../support/introspection.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/service.ts';

const PATH = '/api/forward-auth';

describe('attacks on forward-auth', () => {
  let test: TestService;
  let token: string;
  let id: number;
  let port: number;

  before(async () => {
    test = await startTestService('sqlite', { corsOrigins: ['https://app.example.com'] });
    id = await test.createUser('thandi', { roleNames: ['Clerk'] });
    token = await test.signIn('thandi');
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const address = test.app.server.address();
    assert.ok(typeof address === 'object' && address);
    port = address.port;
  });
  after(() => test.close());

  const hasIdentity = ({ headers }: Pick<TestAnswer, 'headers'>) => identityHeaderNames.some((name) => name in headers);

  /** Sends these lines, and returns the answer up to its end. */
  async function sendRaw(lines: readonly string[]): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
      // An answer without a body, or the end of the envelope.
      if (/^HTTP\/1\.1 20\d .*\r\n\r\n$/ms.test(answer) || answer.endsWith('}')) socket.end();
    });
    await once(socket, 'close');
    return answer;
  }

  it('lets no stored name add a header or a role', async () => {
    const { sql } = test.service.database;
    const evil = 'x\r\nRemote-User: admin\r\n\r\n<b>\u0000\u007f\u2028';
    await sql.updateTable('account').set({ name: evil, surname: ' Administrator\t' }).where('id', '=', id).execute();
    const roles = ['Clerk, Administrator', ' Administrator', 'Administrator ', 'a\r\nb', '\ud800', '%41dministrator'];
    await sql
      .updateTable('account')
      .set({ roles: JSON.stringify(roles) })
      .where('id', '=', id)
      .execute();
    const answer = await sendRaw([`GET ${PATH} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`]);
    assert.match(answer, /^HTTP\/1\.1 204 /);
    const lines = answer.split('\r\n');
    for (const name of identityHeaderNames) {
      assert.equal(lines.filter((line) => line.toLowerCase().startsWith(`${name}:`)).length, 1, name);
    }
    assert.match(answer, /^[\r\n -~]*$/, 'only visible ASCII');
    const groups = /^remote-groups: (.*)$/im.exec(answer)?.[1]?.split(',') ?? [];
    assert.deepEqual(groups, [
      'Clerk%2C Administrator',
      '%20Administrator',
      'Administrator%20',
      'a%0D%0Ab',
      '%EF%BF%BD',
      '%2541dministrator',
    ]);
    await sql.updateTable('account').set({ name: '', surname: '', roles: '["Clerk"]' }).where('id', '=', id).execute();
  });

  it('tells nothing of the caller unless it lets the request pass', async () => {
    const dead = await test.signIn('thandi');
    await test.post('/api/TokenAuth/SignOff', { token: dead });
    const refused: [query: string, call: object, status: number][] = [
      ['', {}, 401],
      ['', { token: dead }, 401],
      ['?roles=Administrator', { token }, 403],
      ['?acr=aal2', { token }, 401],
      ['?acr=aal9', { token }, 400],
      [`?token=${token}&access_token=${token}`, {}, 401],
      ['', { headers: { cookie: `token=${token}`, 'proxy-authorization': `Bearer ${token}` } }, 401],
      ['', { headers: { authorization: `Basic ${btoa(`service:${token}`)}` } }, 401],
      ['', { headers: { 'x-forwarded-uri': '/', 'x-original-method': 'GET', 'remote-user': 'admin' } }, 401],
    ];
    for (const [query, call, status] of refused) {
      for (const below of ['', '/', '/a/b']) {
        const answer = await test.get(`${PATH}${below}${query}`, call);
        assert.equal(answer.status, status, `${below}${query}`);
        assert.equal(hasIdentity(answer), false);
        assert.equal(answer.headers['www-authenticate'] !== undefined, status === 401);
      }
    }
  });

  it('holds every demand, however it is spelled', async () => {
    const demands = [
      '?roles=Administrator',
      '?ROLES=Administrator',
      '?%72oles=Administrator',
      '?roles=Administrator&roles=Clerk',
      '?roles=Clerk&a=b&roles=Administrator',
      '?x=/path?roles=Clerk&roles=Administrator',
      '?roles=Administrator%2CClerk',
      '?roles=Clerk%00',
      '?roles=Cler',
      '?roles=Clerk&acr=aal2',
      '?ACR=aal2&acr=aal1',
      '?roles',
      '?acr',
    ];
    for (const query of demands) {
      const answer = await test.get(`${PATH}${query}`, { token });
      assert.ok(answer.status >= 400, `${query}: ${answer.status}`);
      assert.equal(hasIdentity(answer), false, query);
    }
    assert.equal((await test.get(`${PATH}?roles=Clerk&acr=aal1`, { token })).status, 204);
  });

  it('refuses two Authorization headers: the application might read the other', async () => {
    const other = await test.admin();
    for (const [first, second] of [
      [token, other],
      [token, token],
      [token, 'x'],
    ]) {
      const answer = await sendRaw([
        `GET ${PATH} HTTP/1.1`,
        'Host: x',
        `Authorization: Bearer ${first}`,
        `authorization: Bearer ${second}`,
      ]);
      assert.match(answer, /^HTTP\/1\.1 401 /);
      assert.doesNotMatch(answer, /^remote-/im);
    }
  });

  it('does not wait for the body of the original request, whatever its type', async () => {
    for (const more of [
      ['Content-Length: 1000000', 'Content-Type: application/json'],
      ['Content-Length: 1000000', 'Content-Type: ,;='],
      ['Transfer-Encoding: chunked', 'Content-Type: multipart/form-data; boundary=x'],
      ['Content-Length: 99', 'Expect: 100-continue'],
    ]) {
      for (const method of ['POST', 'PUT', 'GET', 'PROPFIND']) {
        const answer = await sendRaw([
          `${method} ${PATH} HTTP/1.1`,
          'Host: x',
          `Authorization: Bearer ${token}`,
          ...more,
        ]);
        assert.match(answer.replace('HTTP/1.1 100 Continue\r\n\r\n', ''), /^HTTP\/1\.1 204 /, `${method} ${more}`);
      }
    }
  });

  it('takes no next request for the body of one that never sent it', async () => {
    const next = [`GET ${PATH} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`];
    for (const authorization of [`Authorization: Bearer ${token}`, 'Authorization: Bearer x', 'X-None: x']) {
      const head = [`POST ${PATH}?roles=Clerk HTTP/1.1`, 'Host: x', authorization, 'Content-Length: 20', ''];
      const answer = await sendRaw([...head, ...next]);
      assert.match(answer, /^connection: close\r$/im);
      assert.equal(answer.match(/^HTTP\/1\.1 /gm)?.length, 1);
    }
  });

  it('answers no preflight of the application in its place', async () => {
    for (const origin of ['https://app.example.com', 'https://evil.example']) {
      const headers = { origin, 'access-control-request-method': 'POST' };
      for (const url of [PATH, `${PATH}/orders`]) {
        const refused = await test.app.inject({ method: 'OPTIONS', url, headers });
        assert.equal(refused.statusCode, 401, `${origin} ${url}`);
        assert.equal(refused.headers['access-control-allow-origin'], undefined);
      }
    }
  });

  it('lets no path leave the address', async () => {
    for (const below of [
      '/../../health/live',
      '/%2e%2e/%2e%2e/health/live',
      '//health/live',
      '/%zz',
      '/%00',
      '/a\\..\\b',
    ]) {
      const answer = await sendRaw([`GET ${PATH}${below} HTTP/1.1`, 'Host: x']);
      assert.match(answer, /^HTTP\/1\.1 4\d\d /, below);
    }
  });
});
