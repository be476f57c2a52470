// The sidecar as a process of its own, which follows a service over the network.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './guide.ts';
import { findFreePort } from './ports.ts';
import { isReady, ownEnvironment } from './process.ts';
import type { TestService } from './service.ts';

const COMMAND_LINE = join(root, 'dist/package/server/main.js');
const LOOK_MS = 20;

export interface Sidecar {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Starts `latchkey verifier`, and waits until it is ready. Fails with its output if it ends.
 * @param issuer the public URL of the service.
 */
export async function startSidecar(test: TestService, issuer: string): Promise<Sidecar> {
  const port = await findFreePort();
  const env = {
    ...ownEnvironment(),
    LATCHKEY_ISSUER: issuer,
    LATCHKEY_AUDIENCE: 'latchkey',
    LATCHKEY_SERVICE_KEY: await test.createServiceKey('orders', ['revocations']),
    LATCHKEY_HOST: '127.0.0.1',
    LATCHKEY_PORT: String(port),
    LATCHKEY_MAX_STALE_SECONDS: '3',
  };
  const child = spawn(process.execPath, [COMMAND_LINE, 'verifier'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
  }
  while (!(await isReady(`http://127.0.0.1:${port}`))) {
    if (child.exitCode !== null) throw new Error(`The sidecar ended at its start: ${output}`);
    await sleep(LOOK_MS);
  }
  return {
    port,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
