// The service reads a token from one `Authorization` header and from nowhere else.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { often } from '../support/scale.ts';
import { startTestService, type TestCall, type TestService } from '../support/service.ts';

const REFRESH = '/api/TokenAuth/RefreshTokenAsync';
const SIGN_OFF = '/api/TokenAuth/SignOff';
const WHO = '/api/services/app/Session/GetCurrentLoginInfo';
const SESSIONS = '/api/services/app/Session/GetAll';

describe('the place of a token', () => {
  let test: TestService;
  let live: string;
  before(async () => {
    test = await startTestService('sqlite');
    await test.createUser('thandi');
    live = await test.signIn('thandi');
    await test.app.listen({ port: 0, host: '127.0.0.1' });
  });
  after(() => test.close());

  /** Asserts that the service sees no token in the call: it neither signs in, refreshes nor signs off a session. */
  async function assertIgnored(call: TestCall, what: string) {
    for (const [method, path] of [
      ['GET', SESSIONS],
      ['POST', REFRESH],
    ] as const) {
      const { body, ...withoutBody } = call;
      const answer = await test.send(method, path, method === 'GET' ? withoutBody : call);
      assert.deepEqual([answer.status, answer.error?.reason], [401, 'token.missing'], `${what}: ${path}`);
      assert.equal(answer.headers['www-authenticate'], 'Bearer realm="latchkey"', what);
    }
    assert.equal(
      (await test.get(WHO, { headers: call.headers ?? {}, query: call.query ?? {} })).result.user,
      null,
      what,
    );
    assert.equal((await test.post(SIGN_OFF, call)).result, true, what);
    assert.equal((await test.get(SESSIONS, { token: live })).status, 200, `${what}: the session has ended`);
  }

  it('is not the query, a cookie or the body', async () => {
    for (const name of ['access_token', 'token', 'accessToken', 'enc_auth_token', 'bearer', 'jwt']) {
      await assertIgnored({ query: { [name]: live } }, `query ${name}`);
      await assertIgnored({ headers: { cookie: `${name}=${live}` } }, `cookie ${name}`);
      await assertIgnored({ body: { [name]: live } }, `body ${name}`);
    }
    for (const name of ['authorization', 'Authorization', 'Abp.AuthToken']) {
      await assertIgnored({ query: { [name]: `Bearer ${live}` } }, `query ${name}`);
      await assertIgnored({ headers: { cookie: `${name}=Bearer ${live}` } }, `cookie ${name}`);
      await assertIgnored({ body: { [name]: `Bearer ${live}` } }, `body ${name}`);
    }
  });

  it('bounds the requests that wait for a verification, however many forged tokens one connection sends', async () => {
    const [header, payload] = live.split('.');
    // A small s, as in a canonical signature: other signatures are refused before they are verified.
    const forge = () =>
      `${header}.${payload}.${Buffer.concat([randomBytes(32), Buffer.alloc(1), randomBytes(31)]).toString('base64url')}`;
    const request = () => `GET ${SESSIONS} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${forge()}\r\n\r\n`;
    let [inFlight, most, answered] = [0, 0, 0];
    const count = (_: unknown, response: ServerResponse) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      response.once('close', () => {
        inFlight -= 1;
        answered += 1;
      });
    };
    test.app.server.on('request', count);
    const sent = often(3000, 8000);
    const { port } = test.app.server.address() as AddressInfo;
    const client = connect(port, '127.0.0.1').resume();
    client.write(Array.from({ length: sent }, request).join(''));
    while (answered < sent) await once(client, 'data');
    client.destroy();
    test.app.server.off('request', count);
    assert.ok(most < 1000, `${most} requests waited at once`);
  });

  it('is not another header, nor another scheme', async () => {
    const basic = Buffer.from(`${live}:`).toString('base64');
    for (const headers of [
      { 'proxy-authorization': `Bearer ${live}` },
      { 'x-authorization': `Bearer ${live}` },
      { 'x-access-token': live },
      { 'x-original-authorization': `Bearer ${live}` },
      { 'sec-websocket-protocol': `bearer, ${live}` },
      { authorization: live },
      { authorization: `Basic ${basic}` },
      { authorization: `Token ${live}` },
      { authorization: `DPoP ${live}` },
      { authorization: `JWT ${live}` },
      { authorization: `XBearer ${live}` },
      { authorization: `Bearer${live}` },
      { authorization: `Bearer: ${live}` },
      { authorization: `Basic x, Bearer ${live}` },
      { authorization: 'Bearer' },
      { authorization: 'Bearer ' },
      { authorization: `Bearer ${live} ${live}` },
      { authorization: `Bearer x ${live}` },
    ]) {
      await assertIgnored({ headers }, JSON.stringify(headers).slice(0, 40));
    }
  });

  it('is the header in any case, with any surrounding spaces', async () => {
    for (const [name, value] of [
      ['authorization', `bearer ${live}`],
      ['AUTHORIZATION', `BEARER ${live}`],
      ['Authorization', `Bearer    ${live}   `],
    ] as const) {
      assert.equal((await test.get(SESSIONS, { headers: { [name]: value } })).status, 200, `${name}: ${value}`);
    }
  });

  /** Sends the header lines unchanged over a new socket. @returns the status. */
  async function sendRaw(...lines: string[]): Promise<number> {
    const { port } = test.app.server.address() as { port: number };
    const socket = connect(port, '127.0.0.1');
    socket.end(`GET ${SESSIONS} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines.join('\r\n')}\r\n\r\n`);
    let answer = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      answer += chunk;
    });
    await once(socket, 'close');
    return Number(answer.split(' ')[1]);
  }

  it('is never a second header after an invalid first one', async () => {
    const good = `Authorization: Bearer ${live}`;
    assert.equal(await sendRaw(good), 200);
    for (const bad of ['Bearer x', `Bearer ${live}x`, 'Basic eDp5', 'Bearer', '']) {
      assert.equal(await sendRaw(`Authorization: ${bad}`, good), 401, `${bad}, then a good one`);
      assert.equal(await sendRaw(`authorization: ${bad}`, good, good), 401, `${bad}, then two good ones`);
    }
  });

  it('is not a folded, truncated or oversized header', async () => {
    for (const lines of [
      [`Authorization: Bearer\r\n ${live}`],
      [`Authorization : Bearer ${live}`],
      [`Authorization: Bearer ${live}\u00a0`],
      [`Authorization: Bearer\u00a0${live}`],
      [`Authorization: Bearer ${live.slice(0, 50)}\r\n ${live.slice(50)}`],
      [`Authorization: Bearer ${live}\u0000`],
      [`Authorization: Bearer ${live}\u0000x`],
      [`Authorization: Bearer ${'x'.repeat(20_000)}`],
    ]) {
      const status = await sendRaw(...lines);
      assert.equal([400, 401, 413].includes(status), true, `${status} for ${lines[0]?.slice(0, 40)}`);
    }
    assert.equal(await sendRaw(`Authorization: Bearer ${live}`), 200);
  });
});
