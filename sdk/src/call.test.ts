// A call whose response is not that of the service.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { send } from './call.ts';

async function callWith(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    return await send({ baseUrl, frontEnd: undefined, fetch }, 'Session/GetCurrentLoginInfo', {}, undefined);
  } finally {
    server.close();
  }
}

it('a response that is cut off is no answer, and the error has the cause', async () => {
  const cut = callWith((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
    response.write('{"success":true', () => response.destroy());
  });
  await assert.rejects(cut, (error) => {
    assert.ok(error instanceof Error && 'status' in error && 'reason' in error);
    assert.deepEqual([error.status, error.reason, error.message], [0, 'network', 'The service cannot be reached.']);
    return error.cause instanceof TypeError;
  });
});

it('a response of another program says so, with its status', async () => {
  const other = callWith((_, response) => response.writeHead(502).end('<h1>Bad Gateway</h1>'));
  await assert.rejects(other, { status: 502, reason: 'network', message: 'The response does not come from Latchkey.' });
});
