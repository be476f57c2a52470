// The service as a separate process: started by its command line, called over the network, stopped or killed.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from './ports.ts';

const COMMAND_LINE = join(import.meta.dirname, '../../../dist/package/server/main.js');

/** How long a process may take to answer that it is ready. */
const START_PATIENCE_MS = 120_000;
const LOOK_MS = 20;

export type ProcessOptions = {
  /** Variables besides the port and the data directory. */
  env?: Record<string, string>;
  /** Kept when the process ends; absent: a new one, removed by `stop`. */
  dataDir?: string;
  /** Absent: a free one. A restarted service needs its former port, which is part of its tokens' issuer. */
  port?: number;
  /** The command line that it runs. Absent: this version's. */
  program?: string;
  /** Called with its output so far, each time that it writes something. */
  onOutput?: (output: string, child: ChildProcess) => unknown;
};

export interface TestProcess {
  readonly url: string;
  readonly port: number;
  readonly child: ChildProcess;
  /** Its output so far, on both streams. */
  output(): string;
  /** Stops it with SIGTERM, unless it has exited. @returns its exit code. */
  stop(): Promise<number | null>;
  /** Kills it with SIGKILL: no more output, no clean close of connections. */
  kill(): Promise<void>;
}

/** The variables that a process of the service has of the tests: paths, and the compiled modules that `npm start` keeps too. */
export function ownEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };
}

type Spawned = Pick<ProcessOptions, 'env' | 'program' | 'onOutput'> & { dataDir: string; port: number };

function spawnService({ env = {}, program = COMMAND_LINE, onOutput, dataDir, port }: Spawned) {
  const variables = { ...ownEnvironment(), LATCHKEY_PORT: String(port), LATCHKEY_DATA_DIR: dataDir, ...env };
  const child = spawn(process.execPath, [program, 'serve'], { env: variables, stdio: ['ignore', 'pipe', 'pipe'] });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      written += chunk;
      onOutput?.(written, child);
    });
  }
  return { child, output: () => written };
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/** Starts the service and waits until it is ready. Rejects with its output when it exits before that. */
export async function startProcess(options: ProcessOptions = {}): Promise<TestProcess> {
  const port = options.port ?? (await findFreePort());
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'latchkey-process-'));
  const { child, output } = spawnService({ ...options, port, dataDir });
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (hasEnded(child)) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + START_PATIENCE_MS;
  while (!(await isReady(url))) {
    if (hasEnded(child)) throw new Error(`The service ended at its start: ${output()}`);
    if (Date.now() > deadline) {
      await end('SIGKILL');
      throw new Error(`The service did not become ready: ${output()}`);
    }
    await sleep(LOOK_MS);
  }
  return {
    url,
    port,
    child,
    output,
    kill: () => end('SIGKILL'),
    async stop() {
      await end('SIGTERM');
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
      return child.exitCode;
    },
  };
}

/** Starts a service that is expected to fail. @returns its exit code and its output. */
export async function startInVain(options: ProcessOptions & { dataDir: string }) {
  const { child, output } = spawnService({ ...options, port: options.port ?? (await findFreePort()) });
  const timer = setTimeout(() => child.kill('SIGKILL'), START_PATIENCE_MS);
  await once(child, 'close');
  clearTimeout(timer);
  return { code: child.exitCode, output: output() };
}

/** Returns the processes that this one has started and that have not ended: their ids, the oldest first. */
export function findChildren(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,lstart='], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  const lines = stdout.trim().split('\n');
  const processes = lines.map((line) => line.trim().split(/\s+/));
  // A process that has ended is a zombie until its parent has read its exit code.
  const living = processes.filter(([, parent, state]) => Number(parent) === pid && !state?.startsWith('Z'));
  // Ids begin again at the lowest when the highest is used, so a later process can have a lower one.
  const startOf = ([, , , ...start]: string[]) => Date.parse(start.join(' '));
  const byAge = living.toSorted((a, b) => startOf(a) - startOf(b) || Number(a[0]) - Number(b[0]));
  return byAge.map(([child]) => Number(child));
}

/** Returns whether the process with this id has not ended. */
export function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^\s*[^Z\s]/.test(stdout);
}

/** Returns whether the service at this address accepts calls. */
export async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/health/ready`);
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape.
export type ProcessAnswer = { status: number; result: any; error: any };

/** Calls the API of a process: POST with a body or without, GET for calls that only read. */
export async function callProcess(
  url: string,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  { token, body }: { token?: string | undefined; body?: unknown } = {},
): Promise<ProcessAnswer> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { result, error } = (await answer.json()) as ProcessAnswer;
  return { status: answer.status, result, error };
}
