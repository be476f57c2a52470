// The process of a test server: found, started, and ended with the process that has started it.
import { type Child, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { cwd, env, execPath, stderr } from 'node:process';
import type { TestServerAddress, TestServerOptions } from './interface.ts';

/** How long an ended test server may take, in milliseconds. */
const END_MS = 5000;

export type TestServerProcess = { readonly address: TestServerAddress; stop(): Promise<void> };

/** Returns the command line of the installed service. @throws Error that says how to install it. */
function findProgram(): string {
  for (const from of [join(cwd(), 'package.json'), import.meta.url]) {
    try {
      return join(dirname(createRequire(from).resolve('latchkey/package.json')), 'latchkey.mjs');
    } catch {
      // The other place may have it.
    }
  }
  throw new Error(
    'The package latchkey is not installed here. Run: npm install --save-dev latchkey. Or name its file latchkey.mjs in the option program.',
  );
}

/** Starts a test server, and waits until it is ready. @throws Error with what it printed, if it ends before. */
export async function startProcess(options: TestServerOptions): Promise<TestServerProcess> {
  const { program = findProgram(), config, ...others } = options;
  const given = {
    ...others,
    ...(config !== undefined && { config: typeof config === 'string' ? resolve(config) : config }),
  };
  // Options of Node.js for the tests, such as those of a debugger, are not for the service.
  const variables = { ...env, NODE_OPTIONS: undefined };
  const child = spawn(execPath, [resolve(program), 'test-server', '-'], { env: variables, stdio: 'pipe' });
  const ended = new Promise<void>((end) => child.once('close', end));
  // The end of its input ends the server, also when this process is killed.
  child.stdin.on('error', () => {}).write(`${JSON.stringify(given)}\n`);
  const address = await readAddress(child);
  // It does not keep a process alive whose tests are over.
  for (const part of [child, child.stdin, child.stdout, child.stderr]) part.unref?.();
  return {
    address,
    async stop() {
      child.ref();
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Waits for the line that a test server prints when it is ready. */
function readAddress(child: Child): Promise<TestServerAddress> {
  return new Promise((found, fail) => {
    let line = '';
    let problems: string | undefined = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      if (problems === undefined) stderr.write(text);
      else problems += text;
    });
    child.stdout.setEncoding('utf8').on('data', (text) => {
      if (problems === undefined) return;
      line += text;
      if (!line.includes('\n')) return;
      problems = undefined;
      const { local, key } = JSON.parse(line);
      found({ url: local, key });
    });
    child.once('error', fail);
    child.once('close', () => fail(new Error(`The test server did not start. ${problems}`.trim())));
  });
}
