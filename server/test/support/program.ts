// A program of another kind as a process: started with its variables, and stopped.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const LOOK_MS = 20;

export interface Program {
  /** Its output so far, on both streams. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts a program, and waits until it answers at an address. Fails with its output if it ends. */
export async function startProgram(
  [file = '', ...args]: readonly string[],
  { url, env = {}, cwd }: { url: string; env?: Record<string, string>; cwd?: string },
): Promise<Program> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(file, args, { env: { PATH, HOME, ...env }, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
  }
  while (!(await answers(url))) {
    assert.equal(child.exitCode, null, output);
    await pause(LOOK_MS);
  }
  return {
    output: () => output,
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const answers = (url: string) =>
  fetch(url, { redirect: 'manual' }).then(
    () => true,
    () => false,
  );

/** Fails with the packages of Debian to install if a command that needs them fails. */
export async function requireTools(
  [file = '', ...args]: readonly string[],
  { packages, env = {} }: { packages: string; env?: Record<string, string> },
): Promise<void> {
  await promisify(execFile)(file, args, { env: { ...process.env, ...env } }).catch((error) =>
    assert.fail(`Programs of this test are missing. Install them: apt-get install ${packages}\n${error.message}`),
  );
}
