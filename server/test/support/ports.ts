// Ports for the servers that tests start.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to connections: a connection of another test would take it meanwhile. */
const FIRST = 11_000;
const END = 30_000;

/** Returns a port on which no process listens. */
export async function findFreePort(): Promise<number> {
  const port = randomInt(FIRST, END);
  const probe = createServer().listen(port, '127.0.0.1');
  const isFree = await once(probe, 'listening').then(
    () => true,
    () => false,
  );
  if (!isFree) return findFreePort();
  probe.close();
  await once(probe, 'close');
  return port;
}
