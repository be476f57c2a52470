// Debian's PgBouncer in transaction mode, as it is installed: it hands the transactions of all nodes to a few connections.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { findAddressProblem } from '../../src/storage/addresses.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { createDatabaseUrl, withPort } from '../support/databases.ts';
import { findFreePort } from '../support/ports.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const PLACES = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'];

/** Fewer than one node opens. */
const SERVER_CONNECTIONS = 3;

/** Starts PgBouncer before the server of `url`. @returns the same address through it. */
async function startPgBouncer(url: string) {
  const program = PLACES.find((place) => existsSync(place));
  assert.ok(program, 'There is no PgBouncer on this machine: install the package pgbouncer.');
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-pgbouncer-'));
  chmodSync(folder, 0o755);
  const through = withPort(url);
  const { hostname, port, username } = through;
  through.port = String(await findFreePort());
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${port} user=${username}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1\nlisten_port = ${through.port}\nunix_socket_dir =`,
    `auth_type = any\npool_mode = transaction\ndefault_pool_size = ${SERVER_CONNECTIONS}`,
  ];
  writeFileSync(join(folder, 'pgbouncer.ini'), lines.join('\n'));
  // It does not run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(program, [...user, join(folder, 'pgbouncer.ini')], { stdio: ['ignore', 'ignore', 'pipe'] });
  const output: string[] = [];
  let isUp = false;
  for await (const line of createInterface({ input: child.stderr })) {
    output.push(line);
    isUp = line.includes('process up');
    if (isUp) break;
  }
  assert.ok(isUp, output.join('\n'));
  child.stderr.resume();
  return {
    url: through.href,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

describe('PgBouncer in transaction mode', () => {
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>>;
  const nodes: TestService[] = [];
  before(async () => {
    bouncer = await startPgBouncer(await createDatabaseUrl('postgres'));
    const url = `${bouncer.url}?pgbouncer=true`;
    for (let count = 0; count < 2; count += 1) nodes.push(await startTestService('postgres', { url }));
  });
  after(async () => {
    for (const node of nodes) await node.close();
    await bouncer?.stop();
  });

  it('serves an empty database to two nodes at once, with more callers than connections', async () => {
    const [first, second] = nodes;
    assert.ok(first && second);
    await first.createUser('thandi');
    const people = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? first : second));
    const tokens = await Promise.all(people.map((node) => node.signIn('thandi', USER_PASSWORD)));
    const ended = tokens.slice(0, 6);
    const signOff = (token: string) => second.post('/api/TokenAuth/SignOff', { token });
    for (const { status } of await Promise.all(ended.map(signOff))) assert.equal(status, 200);
    const read = (token: string) => first.get('/api/services/app/Session/GetAll', { token });
    const statuses = (await Promise.all(tokens.map(read))).map(({ status }) => status);
    assert.deepEqual(statuses, [...Array(6).fill(401), ...Array(6).fill(200)]);
  });

  it('refuses what the service does without the parameter, as the guide says', async () => {
    await assert.rejects(openDatabase(bouncer.url));
  });

  it('has a parameter that is true or false', () => {
    const problem = 'has a parameter pgbouncer that is neither true nor false.';
    assert.equal(findAddressProblem('postgres://a@b/c?pgbouncer=yes'), problem);
    for (const value of ['true', 'false'])
      assert.equal(findAddressProblem(`postgres://a@b/c?pgbouncer=${value}`), undefined);
  });
});
