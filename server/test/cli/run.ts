// The command line as operators run it: in a separate process, with its output and exit code.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMigratedUrl, type Engine } from '../support/databases.ts';
import { ownEnvironment, startProcess, type TestProcess } from '../support/process.ts';
import type { Command, Ended } from './host.ts';

const COMMAND_LINE = join(import.meta.dirname, '../../../dist/package/server/main.js');

export const SECRET = 'F4xkRk2Qm0tVbEwqzPpGJh8sNnYd1aLu';

/** A folder and a database for the commands of one test, and the service on it when needed. */
export interface Site {
  readonly folder: string;
  readonly env: Record<string, string>;
  /**
   * Runs a command. The commands of a test process share a process, one after the other, which saves most of their time.
   * Commands at the same time, and `serve` and `verifier`, have a process each.
   */
  run(words: readonly string[], more?: { env?: Record<string, string>; input?: string | Buffer }): Promise<Ended>;
  /** Starts the service that runs beside the commands; `close` stops it. */
  serve(): Promise<TestProcess>;
  close(): Promise<void>;
}

/** On SQLite the database is a file in the data directory. */
export async function createSite(engine: Engine): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-cli-'));
  const env: Record<string, string> = {
    LATCHKEY_DATA_DIR: join(folder, 'data'),
    LATCHKEY_ADMIN_PASSWORD: 'correct horse battery',
    LATCHKEY_ADMIN_PASSWORD_FINAL: 'true',
    ...(engine === 'postgres' && {
      LATCHKEY_DATABASE_URL: await createMigratedUrl('postgres'),
      LATCHKEY_SECRET: SECRET,
    }),
  };
  let service: TestProcess | undefined;
  return {
    folder,
    env,
    run(words, { env: more = {}, input } = {}) {
      const run = isHostBusy || SERVING.includes(words[0] ?? '') ? runCommandLine : runInHost;
      return run(words, { ...env, ...more }, folder, input);
    },
    async serve() {
      service = await startProcess({ env, dataDir: join(folder, 'data') });
      return service;
    },
    async close() {
      await service?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The commands that run until a signal ends them. */
const SERVING = ['serve', 'verifier'];

let host: ChildProcess | undefined;
let isHostBusy = false;

async function runInHost(
  words: readonly string[],
  env: Record<string, string>,
  cwd: string,
  input: string | Buffer = '',
): Promise<Ended> {
  host ??= startHost();
  const command: Command = { words, env: { ...ownEnvironment(), ...env }, cwd, input };
  isHostBusy = true;
  host.ref();
  const isOver = new AbortController();
  try {
    host.send(command);
    const nothing = () => [];
    const crash = once(host, 'exit', isOver).then(nothing, nothing);
    const [ended] = await Promise.race([once(host, 'message', isOver), crash]);
    if (ended === undefined) throw new Error(`The process of commands ended in: latchkey ${words.join(' ')}`);
    return ended;
  } finally {
    isOver.abort();
    isHostBusy = false;
    host.unref();
  }
}

/** It ends with this process. */
function startHost(): ChildProcess {
  const child = fork(join(import.meta.dirname, 'host.ts'), {
    env: ownEnvironment(),
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.channel?.unref();
  return child;
}

/** Runs the command with only this environment, and the paths of programs and home folder. */
export function runCommandLine(
  words: readonly string[],
  env: Record<string, string>,
  cwd: string,
  input: string | Buffer = '',
): Promise<Ended> {
  return startCommandLine(words, env, { cwd, input }).ended;
}

/** Starts the command as `runCommandLine` does. @param options `flags` of Node.js, and `output`, a file that takes what it writes. */
export function startCommandLine(
  words: readonly string[],
  env: Record<string, string>,
  options: { cwd: string; input?: string | Buffer; flags?: readonly string[]; output?: number },
): { child: ChildProcess; ended: Promise<Ended> } {
  const { cwd, input = '', flags = [], output = 'pipe' } = options;
  const child: ChildProcess = spawn(process.execPath, [...flags, COMMAND_LINE, ...words], {
    env: { ...ownEnvironment(), ...env },
    cwd,
    stdio: ['pipe', output, 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    out += chunk;
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    err += chunk;
  });
  // A command that does not read its input may exit before the test has written it.
  child.stdin?.on('error', () => {}).end(input);
  const ended = once(child, 'close').then(([code]) => ({ code, out, err }));
  return { child, ended };
}
