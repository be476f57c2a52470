// Ports for the servers that tests start.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below the ports that systems give to connections: a connection of another test would take it meanwhile. */
const FIRST = 11_000;
const END = 30_000;

/**
 * Returns a port on which no process listens, and which no other caller gets as long as this process lives. It may be free for
 * seconds, until a server has started or between two starts. So this process also listens on the port after it, which is odd.
 */
export async function findFreePort(): Promise<number> {
  const port = 2 * randomInt(FIRST / 2, END / 2);
  const claim = await listen(port + 1);
  if (!claim) return findFreePort();
  claim.unref();
  const probe = await listen(port);
  if (!probe) {
    claim.close();
    return findFreePort();
  }
  probe.close();
  await once(probe, 'close');
  return port;
}

/** @returns nothing if the port is taken. */
async function listen(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}
