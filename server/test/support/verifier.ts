// A service with a verifier that follows it over the network, as in another service.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { createVerifier, TokenRejected, type Verifier, type VerifierOptions } from 'latchkey-sdk/verify';
import { createRunningClock } from './clock.ts';
import type { Engine } from './databases.ts';
import { root } from './guide.ts';
import { findFreePort } from './ports.ts';
import { ownEnvironment } from './process.ts';
import { startTestService, type TestService } from './service.ts';

const COMMAND_LINE = join(root, 'dist/package/server/main.js');
const LOOK_MS = 20;

export interface Verified {
  readonly test: TestService;
  readonly verifier: Verifier;
  /** The options of the verifier. */
  readonly options: VerifierOptions;
  /** Returns `accepted`, or why the verifier rejects the token. */
  judge(token: string): Promise<string>;
  /** Waits until the verifier gives another verdict than this one, and returns it. */
  judgeAfter(verdict: string, token: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts a service whose clock runs, and a verifier that is ready. @param url of its database; absent: a new one. */
export async function startVerified(engine: Engine, url?: string): Promise<Verified> {
  const port = await findFreePort();
  const issuer = `http://127.0.0.1:${port}`;
  const test = await startTestService(engine, { publicUrl: issuer, clock: createRunningClock(), ...(url && { url }) });
  const serviceKey = await test.createServiceKey('shop', ['revocations', 'introspect']);
  await test.app.listen({ port, host: '127.0.0.1' });
  const options = { issuer, audience: 'latchkey', serviceKey };
  const verifier = createVerifier(options);
  await verifier.ready();
  const judge = (token: string) => verdictOf(verifier, token);
  return {
    test,
    verifier,
    options,
    judge,
    async judgeAfter(former, token) {
      for (;;) {
        const verdict = await judge(token);
        if (verdict !== former) return verdict;
        await nextTurn();
      }
    },
    async close() {
      verifier.close();
      await test.close();
    },
  };
}

/** Returns `accepted`, or why the verifier rejects the token. */
export async function verdictOf(verifier: Verifier, token: string): Promise<string> {
  try {
    await verifier.verify(token);
    return 'accepted';
  } catch (error) {
    if (error instanceof TokenRejected) return error.reason;
    throw error;
  }
}

/** `latchkey verifier` as a process of its own. */
export interface VerifierProcess {
  readonly url: string;
  readonly child: ChildProcess;
  output(): string;
  /** Stops it with SIGTERM, unless it has exited. @returns its exit code. */
  stop(): Promise<number | null>;
}

/** Starts `latchkey verifier` with these variables, and waits until it is ready. Rejects with its output if it ends. */
export async function startVerifierProcess(env: Record<string, string>): Promise<VerifierProcess> {
  const port = await findFreePort();
  const { child, ended, output } = runVerifierProcess({ LATCHKEY_PORT: String(port), ...env });
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`The verifier ended at its start: ${output()}`);
    await sleep(LOOK_MS);
  }
  return {
    url,
    child,
    output,
    async stop() {
      child.kill('SIGTERM');
      return (await ended).code;
    },
  };
}

/** Runs `latchkey verifier` with these variables alone. */
export function runVerifierProcess(env: Record<string, string>) {
  const child = spawn(process.execPath, [COMMAND_LINE, 'verifier'], { env: { ...ownEnvironment(), ...env } });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      written += chunk;
    });
  }
  const ended = once(child, 'close').then(([code]: (number | null)[]) => ({ code: code ?? null, output: written }));
  return { child, ended, output: () => written };
}

const isReady = (url: string) =>
  fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
