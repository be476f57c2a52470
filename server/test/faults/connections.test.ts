// Clients that are slow, gone, half open, or far too many: other callers are served, and only with their own answers.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { often } from '../support/scale.ts';
import { findViolations } from './checks.ts';
import { startLoad } from './load.ts';
import { callApi, type Person, paths } from './person.ts';
import { report } from './report.ts';
import { takeSession } from './single-use.ts';
import { startWorld, type World } from './world.ts';

/** Descriptors that both processes need for everything else. */
const SPARE = 500;
const BATCH = 100;

/** How many files a process may have open, unless there is no limit. */
function openFiles(): number {
  const { soft } = (process.report.getReport() as unknown as { userLimits: { open_files: { soft: number | string } } })
    .userLimits.open_files;
  return typeof soft === 'number' ? soft : Number.MAX_SAFE_INTEGER;
}

describe('clients that behave badly', () => {
  let world: World;
  let people: Person[];
  before(async () => {
    world = await startWorld('sqlite');
    people = await world.createPeople(6);
  });
  after(() => world.close());

  async function open(count: number): Promise<Socket[]> {
    const { port } = world.process();
    const sockets: Socket[] = [];
    while (sockets.length < count) {
      const batch = Array.from({ length: Math.min(BATCH, count - sockets.length) }, () => connect(port, '127.0.0.1'));
      for (const socket of batch) socket.on('error', () => {});
      await Promise.all(batch.map((socket) => once(socket, 'connect')));
      sockets.push(...batch);
    }
    return sockets;
  }
  const close = (sockets: Socket[]) => {
    for (const socket of sockets) socket.destroy();
  };

  /** Runs other callers while `disturb` runs, and asserts that all of them are served. */
  async function assertUndisturbed(fault: string, disturb: () => Promise<number>) {
    const start = world.ledger.entries.length;
    const load = await startLoad(world, people.slice(1));
    const injections = await disturb();
    await sleep(often(500, 5000));
    const last = await load.end();
    for (const [index, held] of last.entries()) {
      assert.equal((await people[index + 1]?.use(held))?.status, 200);
    }
    const entries = world.ledger.entries.slice(start);
    assert.deepEqual(
      entries.filter(({ outcome }) => outcome !== 'done'),
      [],
    );
    report(fault, { entries }, injections, findViolations(entries));
  }

  const head = (path: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

  it('take nothing from others when they idle, on as many connections as are allowed', async () => {
    const count = Math.min(often(500, 10_000), openFiles() - SPARE);
    let sockets: Socket[] = [];
    await assertUndisturbed(`${count} idle connections`, async () => {
      sockets = await open(count);
      return count;
    });
    close(sockets);
  });

  it('take nothing from others when they send one byte at a time', async () => {
    const count = often(50, 400);
    const sockets: Socket[] = [];
    await assertUndisturbed('slow senders', async () => {
      sockets.push(...(await open(count)));
      for (const [index, socket] of sockets.entries()) {
        socket.write(index % 2 ? head(paths.signIn, 60) : 'GET /health/live HTTP/1.1\r\n');
      }
      for (let turn = 0; turn < often(5, 50); turn += 1) {
        for (const [index, socket] of sockets.entries()) if (socket.writable) socket.write(index % 2 ? '{' : 'x');
        await sleep(100);
      }
      return count;
    });
    close(sockets);
  });

  it('take nothing from others when they leave in the middle of a request, or before its answer', async () => {
    const [victim] = people as [Person];
    const held = await takeSession(victim);
    await assertUndisturbed('aborted requests', async () => {
      const count = often(60, 1000);
      for (let turn = 0; turn < count; turn += 1) {
        const abort = new AbortController();
        const token = held.token;
        const call = callApi(world.url(), 'GET', paths.sessions, { token, caller: 'gone', signal: abort.signal });
        if (turn % 3 === 0) await sleep(1);
        abort.abort();
        await call.catch(() => {});
        const [half] = (await open(1)) as [Socket];
        half.write(`${head(paths.signIn, 100)}{"userNameOr`);
        half.destroy();
      }
      return count;
    });
    assert.equal((await victim.use(held))?.status, 200);
  });

  it('take nothing from others when they have closed their side, or never read', async () => {
    const sockets: Socket[] = [];
    await assertUndisturbed('half-open clients', async () => {
      const count = often(50, 400);
      sockets.push(...(await open(count)));
      for (const [index, socket] of sockets.entries()) {
        if (index % 2) {
          socket.end(`${head(paths.signIn, 100)}{"userNameOr`);
          continue;
        }
        socket.pause();
        for (let turn = 0; turn < 20; turn += 1) socket.write('GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n');
      }
      return count;
    });
    close(sockets);
  });
});
