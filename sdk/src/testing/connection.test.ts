// The calls of the administrator of a test server: made again for a token that is refused, and for nothing else.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it, type TestContext } from 'node:test';
import { connectLatchkey } from './connection.ts';

/** A test server that counts the calls by path, and refuses calls for the reason that is set. */
async function connect(context: TestContext) {
  const calls: string[] = [];
  const state = { url: '', admin: { userName: 'admin', password: '' }, secrets: {}, token: 'token' };
  const refusal: { reason?: string } = {};
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const { reason } = refusal;
    if (path.startsWith('/test-server/')) return response.end(JSON.stringify(state));
    calls.push(path);
    if (reason === undefined) return response.end(JSON.stringify({ success: true, result: null }));
    response.writeHead(401).end(JSON.stringify({ success: false, error: { reason, message: 'No.', details: 'No.' } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { admin } = await connectLatchkey({ url, key: 'key' });
  await admin.call('Session/EndOthers');
  calls.length = 0;
  return { admin, calls, refusal };
}

it('a call is made again with a new token if the service refuses the token', async (context) => {
  const { admin, calls, refusal } = await connect(context);
  refusal.reason = 'token.expired';
  await assert.rejects(admin.call('Session/EndOthers'), { reason: 'token.expired' });
  assert.equal(calls.length, 2);
});

it('a call whose credentials are refused is made once: each try counts towards a lock', async (context) => {
  const { admin, calls, refusal } = await connect(context);
  refusal.reason = 'signIn.invalidCredentials';
  const credentials = { userNameOrEmailAddress: 'ann', password: 'a guess' };
  await assert.rejects(admin.call('TokenAuth/Authenticate', credentials), { reason: 'signIn.invalidCredentials' });
  assert.equal(calls.length, 1);
});
