// The outage of a host with several addresses: one does not answer, and the other refuses connections.
import dns from 'node:dns';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';

/** Listens on 127.0.0.1 and accepts no connection: its thread stands still. */
const SILENT = `
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('node:worker_threads').parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

/** A queue of one has room for a few connections. The system answers no further ones. */
const FILLING = 16;

/** Until the end of the test, all host names have these addresses. @returns a URL of such a host. */
export async function arrangeOutage(t: TestContext): Promise<URL> {
  const worker = new Worker(SILENT, { eval: true });
  t.after(() => worker.terminate());
  const [port] = (await once(worker, 'message')) as [number];
  const filling = Array.from({ length: FILLING }, () => connect(port, '127.0.0.1').on('error', () => {}));
  t.after(() => {
    for (const socket of filling) socket.destroy();
  });
  await Promise.all(filling.slice(0, 2).map((socket) => once(socket, 'connect')));
  const addresses = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
  const lookup = (_name: string, _options: unknown, done: (error: null, found: typeof addresses) => void) =>
    done(null, addresses);
  t.mock.method(dns, 'lookup', lookup as never);
  return new URL(`http://sms.example:${port}/send?key=topsecret`);
}

/** Until the end of the test, `fetch` throws why it cannot connect as that of Node 24 does: with the failures of all addresses. */
export function fetchAsNode24(t: TestContext, { hostname, port }: URL): void {
  t.mock.method(globalThis, 'fetch', async () => {
    const [cause] = await once(connect(Number(port), hostname), 'error');
    throw new TypeError('fetch failed', { cause });
  });
}
