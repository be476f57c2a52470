// The server of latchkey verifier: it answers a proxy as the service's forward-auth does, from memory.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { addSeconds } from '../../src/foundation/clock.ts';
import { createVerifierServer } from '../../src/verifier/server.ts';
import { claimsOf, forge, headerOf } from '../support/forge.ts';
import { identityHeaderNames } from '../support/introspection.ts';
import { callAs, createClient } from '../support/oauth.ts';
import { startVerified, type Verified } from '../support/verifier.ts';

const PATH = '/verify';

type Answer = { status: number; headers: Record<string, unknown>; text: string };

describe('the server of latchkey verifier', () => {
  let verified: Verified;
  let server: Server;
  let obstacle: string | undefined;
  before(async () => {
    verified = await startVerified('sqlite');
    server = createVerifierServer({ verifier: verified.verifier, findUnreadyReason: () => obstacle });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server.close();
    server.closeAllConnections();
    await verified.close();
  });

  async function send(path: string, headers: Record<string, string | string[]> = {}, method = 'GET', body = '') {
    // An address that listens has a port.
    const { port } = server.address() as AddressInfo;
    const sent = request({ port, host: '127.0.0.1', path, method, headers, agent: false });
    sent.end(body);
    const [response] = await once(sent, 'response');
    let text = '';
    for await (const chunk of response) text += chunk;
    return { status: response.statusCode, headers: response.headers, text } satisfies Answer;
  }
  const ask = (token: string, query = '') => send(`${PATH}${query}`, { authorization: `Bearer ${token}` });

  const identityOf = ({ headers }: Answer) =>
    Object.fromEntries(identityHeaderNames.filter((name) => name in headers).map((name) => [name, headers[name]]));

  function assertRefused(answer: Answer, status: number, error: string) {
    assert.deepEqual([answer.status, JSON.parse(answer.text).error], [status, error]);
    assert.deepEqual(identityOf(answer), {});
    assert.equal(answer.headers['cache-control'], 'no-store');
  }

  it('sends the headers that forward-auth sends', async () => {
    const { test } = verified;
    const more = {
      name: 'Jürgen',
      surname: '100% 李',
      emailAddress: 'm@example.com',
      roleNames: ['Sales, EU', 'Größe'],
    };
    await test.createUser('müller', more);
    await test.createUser('bare');
    for (const name of ['müller', 'bare']) {
      const token = await test.signIn(name);
      const answer = await ask(token);
      assert.deepEqual([answer.status, answer.text, answer.headers['cache-control']], [204, '', 'no-store']);
      const { headers } = await test.get('/api/forward-auth', { token });
      const expected = identityHeaderNames.map((header) => [header, headers[header]]);
      assert.deepEqual(identityOf(answer), Object.fromEntries(expected));
    }
  });

  it('demands a role and a level', async () => {
    const { test } = verified;
    await test.createUser('clerk', { roleNames: ['Clerk', 'Sales, EU'] });
    const token = await test.signIn('clerk');
    assert.equal((await ask(token, '?roles=Boss,%20clerk%E2%80%8B')).status, 204);
    assert.equal((await ask(token, '?roles=Sales%2C%20EU&acr=aal1')).status, 204);
    assertRefused(await ask(token, '?roles=Boss'), 403, 'insufficient_scope');
    assertRefused(await ask(token, '?roles=Clerk&roles=Boss'), 403, 'insufficient_scope');
    const low = await ask(token, '?acr=aal2');
    assertRefused(low, 401, 'insufficient_user_authentication');
    assert.match(String(low.headers['www-authenticate']), /^Bearer error="insufficient_user_auth.*acr_values="aal2"$/);
    const key = test.service.keys.signingKey().privateKey;
    const high = forge(headerOf(token), { ...claimsOf(token), acr: 'aal2' }, key);
    assert.equal((await ask(high, '?acr=aal2')).headers['remote-auth-level'], 'aal2');
    for (const query of ['?acr=aal3', '?roles=', '?roles=%ff'])
      assertRefused(await ask(token, query), 400, 'invalid_request');
  });

  it('tells of a token of an application no more than it says, and gives it no role and no level', async () => {
    const { service, clock } = verified.test;
    const content = {
      grantId: crypto.randomUUID(),
      subject: '7',
      clientId: 'shop',
      scope: 'read',
      generation: 0,
      authenticatedAt: clock.now(),
      amr: ['pwd'],
    };
    const expiresAt = addSeconds(clock.now(), 600);
    const issue = (audience: string) =>
      service.applicationTokens.issue({ ...content, audience, expiresAt, claims: {} }).accessToken;
    const answer = await ask(issue('latchkey'));
    assert.equal(answer.status, 204);
    assert.deepEqual(Object.values(identityOf(answer)).toSorted(), ['', '', '', '', '7', 'aal1']);
    assertRefused(await ask(issue('latchkey'), '?roles=Clerk'), 403, 'insufficient_scope');
    assertRefused(await ask(issue('latchkey'), '?acr=aal2'), 401, 'insufficient_user_authentication');
    assertRefused(await ask(issue('shop')), 401, 'invalid_token');
  });

  it('passes no application that acts for itself, as forward-auth does', async () => {
    const { test } = verified;
    const machine = await createClient(test, { kind: 'machine', redirectUris: [], resources: ['books'] });
    const form = { grant_type: 'client_credentials', resource: 'books' };
    const { access_token: issued } = (await callAs(test, machine, '/oauth/token', form)).body;
    const key = test.service.keys.signingKey().privateKey;
    const token = forge(headerOf(issued), { ...claimsOf(issued), aud: 'latchkey' }, key);
    assert.equal(await verified.judge(token), 'accepted');
    assertRefused(await ask(token), 401, 'invalid_token');
  });

  it('refuses a request without a token, with a bad one, or with two', async () => {
    const { test } = verified;
    const token = await test.admin();
    const missing = await send(PATH);
    assertRefused(missing, 401, 'invalid_token');
    assert.equal(missing.headers['www-authenticate'], 'Bearer realm="latchkey"');
    for (const header of ['Bearer x', `Basic ${token}`, token, 'Bearer', `Bearer ${token} x`]) {
      assertRefused(await send(PATH, { authorization: header }), 401, 'invalid_token');
    }
    assertRefused(await send(`${PATH}?access_token=${token}`), 401, 'invalid_token');
    assertRefused(await send(PATH, { authorization: [`Bearer ${token}`, 'Bearer x'] }), 401, 'invalid_token');
    await test.post('/api/TokenAuth/SignOff', { token });
    assert.equal(await verified.judgeAfter('accepted', token), 'revoked');
    const dead = await ask(token);
    assertRefused(dead, 401, 'invalid_token');
    assert.match(String(dead.headers['www-authenticate']), /^Bearer error="invalid_token", error_description="[^"]+"$/);
  });

  it('takes any method, and the path of the original request behind its own', async () => {
    const authorization = `Bearer ${await verified.test.admin()}`;
    for (const method of ['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const body = method === 'POST' ? 'a=b' : '';
      const answer = await send(PATH, { authorization }, method, body);
      assert.deepEqual([answer.status, answer.headers['remote-user']], [204, 'admin'], method);
      const below = await send(`${PATH}/orders/1?a=b`, { authorization }, method);
      assert.deepEqual([below.status, below.text, below.headers['remote-user']], [200, '', 'admin'], method);
      assert.equal((await send(`${PATH}/orders`, {}, method)).status, 401, method);
    }
    assertRefused(await send('/verifyx', { authorization }), 404, 'not_found');
    assertRefused(await send('/', { authorization }), 404, 'not_found');
  });

  it('does not wait for a body that a proxy announces and never sends', async () => {
    // An address that listens has a port.
    const { port } = server.address() as AddressInfo;
    const authorization = `Bearer ${await verified.test.admin()}`;
    const headers = { authorization, 'content-length': '1000' };
    const sent = request({ port, host: '127.0.0.1', path: PATH, method: 'POST', headers, agent: false });
    sent.flushHeaders();
    const [response] = await once(sent, 'response');
    assert.deepEqual([response.statusCode, response.headers.connection], [204, 'close']);
    sent.on('error', () => {}).destroy();
  });

  it('takes requests with many cookies', async () => {
    const headers = { authorization: `Bearer ${await verified.test.admin()}`, cookie: 'x'.repeat(40_000) };
    assert.equal((await send(PATH, headers)).status, 204);
  });

  it('tells whether it is alive and ready', async () => {
    assert.deepEqual([(await send('/health/live')).status, (await send('/health/ready')).status], [200, 200]);
    obstacle = 'The verifier is stopping.';
    const answer = await send('/health/ready');
    assert.deepEqual([answer.status, JSON.parse(answer.text)], [503, { status: 'unavailable', reason: obstacle }]);
    obstacle = undefined;
  });

  it('answers 503 when it is stale', async () => {
    const token = await verified.test.admin();
    verified.verifier.close();
    const answer = await ask(token);
    assertRefused(answer, 503, 'temporarily_unavailable');
    assert.equal(answer.headers['retry-after'], '1');
    assert.equal((await send('/health/ready')).status, 503);
    assert.equal((await send('/health/live')).status, 200);
  });
});
