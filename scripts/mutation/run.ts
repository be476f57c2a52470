// Runs tests against mutants: each worker has a private copy of the server and its own PostgreSQL.
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTemplate, dropTestDatabases } from '../../server/test/support/databases.ts';
import { startPostgres } from '../../server/test/support/postgres.ts';
import { applyMutant, type Mutant } from './mutants.ts';

/** The result of the tests: `late` if they did not end in time, as in an endless loop. */
export type Verdict = 'passed' | 'failed' | 'late';

export interface Worker {
  /** Runs the tests, with a mutant if one is given, and stops at the first failure. */
  run(tests: readonly string[], fault?: { source: string; mutant: Mutant }): Promise<Verdict>;
  close(): Promise<void>;
}

/** Time limits for the tests of a slice, and for one suite: many times what they usually take. */
const LIMIT_MS = 180_000;
const SUITE_LIMIT_MS = 90_000;

const runner = [
  '--test',
  '--test-concurrency=1',
  `--test-timeout=${SUITE_LIMIT_MS}`,
  '--import=./server/test/seed.ts',
  '--test-reporter=dot',
];

/** Copies the server, which is mutated, and links the rest. */
function copyCheckout(root: string, folder: string) {
  for (const name of readdirSync(root)) {
    if (name === 'server') cpSync(join(root, name), join(folder, name), { recursive: true });
    else if (name !== '.git') symlinkSync(join(root, name), join(folder, name));
  }
}

/** Kills a child and its children: each test file has its own process. */
function killGroup({ pid }: ChildProcess) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have already ended.
  }
}

/** Runs tests. The dot reporter prints an X as soon as a test fails, and the others are then skipped. */
function runTests(
  tests: readonly string[],
  { signal, ...options }: { cwd: string; env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn(process.execPath, [...runner, ...tests], {
      ...options,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let verdict: Verdict | undefined;
    const stop = (why: Verdict) => {
      verdict ??= why;
      killGroup(child);
    };
    const abort = () => stop('late');
    signal.addEventListener('abort', abort);
    const timer = setTimeout(() => stop('late'), LIMIT_MS);
    child.stdout.on('data', (chunk) => {
      if (String(chunk).includes('X')) stop('failed');
    });
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      if (signal.aborted) return reject(new Error('The check was stopped.'));
      resolve(verdict ?? (code === 0 ? 'passed' : 'failed'));
    });
  });
}

/** @param root the checkout, which is only read. @param signal ends the running tests, whose promise then rejects. */
export async function createWorker(root: string, signal: AbortSignal): Promise<Worker> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-mutation-'));
  copyCheckout(root, folder);
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const postgres = await startPostgres();
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const env = {
    ...inherited,
    LATCHKEY_TEST_POSTGRES: postgres.socketUrl,
    LATCHKEY_TEST_TEMPLATE: await createTemplate(postgres.socketUrl),
    LATCHKEY_TEST_SIMPLIFY: '0',
    TMPDIR: temporary,
  };
  return {
    async run(tests, fault) {
      const path = fault && join(folder, fault.source);
      const text = path && readFileSync(path, 'utf8');
      if (fault && path && text) writeFileSync(path, applyMutant(text, fault.mutant));
      try {
        return await runTests(tests, { cwd: folder, env, signal });
      } finally {
        if (path && text) writeFileSync(path, text);
        await dropTestDatabases(postgres.url);
      }
    },
    async close() {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
