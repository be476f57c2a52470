// Requests to other services: aborted in time, aborted when the answer is too large, and otherwise the global fetch.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { createBoundedFetch } from './bounded-fetch.ts';

const MIB = 1024 * 1024;
const never = new AbortController().signal;

/** Runs `use` against a server that answers like this. */
async function withServer(answer: RequestListener, use: (url: string) => Promise<void>) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

describe('a bounded fetch', () => {
  it('behaves like the global fetch within its limits', async () => {
    const answer: RequestListener = (request, response) => {
      if (request.url === '/empty') return void response.writeHead(204).end();
      if (request.url !== '/there') return void response.writeHead(302, { location: '/there' }).end('elsewhere');
      response.writeHead(418, 'Teapot', { 'content-type': 'application/json', 'x-kind': 'tea' });
      request.setEncoding('utf8').on('data', (body) => response.write(JSON.stringify({ [`${request.method}`]: body })));
      request.on('end', () => response.end());
    };
    await withServer(answer, async (url) => {
      const fetch = createBoundedFetch(never);
      const told = await fetch(`${url}/there`, { method: 'POST', body: 'words' });
      const { status, statusText, ok, redirected, headers } = told;
      assert.deepEqual([status, statusText, ok, redirected], [418, 'Teapot', false, false]);
      assert.deepEqual([told.url, headers.get('x-kind')], [`${url}/there`, 'tea']);
      assert.deepEqual(await told.json(), { POST: 'words' });
      const request = new Request(`${url}/there`, { method: 'PUT', body: 'more' });
      assert.deepEqual(await (await fetch(request)).json(), { PUT: 'more' });
      const led = await fetch(new URL(`${url}/here`));
      assert.deepEqual([led.url, led.redirected], [`${url}/there`, true]);
      assert.equal((await fetch(`${url}/here`, { redirect: 'manual' })).status, 302);
      await assert.rejects(fetch(`${url}/here`, { redirect: 'error' }), TypeError);
      const empty = await fetch(`${url}/empty`);
      assert.deepEqual([empty.status, await empty.text()], [204, '']);
    });
  });

  for (const [size, isTooMuch] of [
    [MIB, false],
    [MIB + 1, true],
  ] as const) {
    for (const encoding of ['identity', 'gzip']) {
      it(`${isTooMuch ? 'breaks off' : 'reads'} an answer of ${size} bytes, sent as ${encoding}`, async () => {
        const bytes = Buffer.alloc(size, 'x');
        const sent = encoding === 'gzip' ? gzipSync(bytes) : bytes;
        const answer: RequestListener = (_, response) =>
          void response.writeHead(200, { 'content-encoding': encoding }).end(sent);
        await withServer(answer, async (url) => {
          const reading = createBoundedFetch(never)(url).then((response) => response.bytes());
          if (isTooMuch) await assert.rejects(reading, { message: `The answer has more than ${MIB} bytes.` });
          else assert.equal((await reading).length, size);
        });
      });
    }
  }

  it('closes the connection when the answer is too large', async () => {
    const left = Promise.withResolvers<void>();
    const answer: RequestListener = (_, response) => {
      response.on('close', left.resolve);
      const write = () => {
        while (response.write(Buffer.alloc(64 * 1024)));
      };
      response.on('drain', write);
      write();
    };
    await withServer(answer, async (url) => {
      await assert.rejects((await createBoundedFetch(never)(url)).text());
      await left.promise;
    });
  });

  for (const [what, begin] of [
    ['before the answer begins', () => {}],
    ['while the answer is read', (_, response) => void response.write('half')],
  ] as [string, RequestListener][]) {
    it(`is ended by its signal and by the caller's own, ${what}`, async () => {
      const arrived = Promise.withResolvers<void>();
      const answer: RequestListener = (request, response) => {
        begin(request, response);
        arrived.resolve();
      };
      await withServer(answer, async (url) => {
        for (const end of ['limit', 'init', 'request'] as const) {
          const limit = new AbortController();
          const own = new AbortController();
          const fetch = createBoundedFetch(limit.signal);
          const { signal } = own;
          const asking = end === 'request' ? fetch(new Request(url, { signal })) : fetch(url, { signal });
          const reading = asking.then((response) => response.text());
          await arrived.promise;
          if (begin.length > 0) await asking;
          (end === 'limit' ? limit : own).abort(new Error(`ended by ${end}`));
          await assert.rejects(reading, { message: `ended by ${end}` });
        }
      });
    });
  }

  it('sends no request when its signal is already aborted', async () => {
    let asked = 0;
    const answer: RequestListener = (_, response) => {
      asked += 1;
      response.end();
    };
    await withServer(answer, async (url) => {
      await assert.rejects(createBoundedFetch(AbortSignal.abort(new Error('over')))(url), { message: 'over' });
      assert.equal(asked, 0);
    });
  });

  it('causes no unhandled rejection when it fails and no caller waits', async (context) => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    context.after(() => process.off('unhandledRejection', note));
    const limit = new AbortController();
    await withServer(
      () => {},
      async (url) => {
        void createBoundedFetch(limit.signal)(url);
        limit.abort();
        for (let turn = 0; turn < 10; turn += 1) await nextTurn();
      },
    );
    assert.deepEqual(unhandled, []);
  });
});
