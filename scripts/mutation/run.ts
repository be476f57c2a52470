// Runs tests against mutants: each worker has a private copy of the server and its own PostgreSQL.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTemplate, dropTestDatabases } from '../../server/test/support/databases.ts';
import { startPostgres } from '../../server/test/support/postgres.ts';
import { applyMutant, type Mutant } from './mutants.ts';

export type Fault = { readonly source: string; readonly mutant: Mutant };

export interface Worker {
  /** Runs a test file, with a mutant if one is given. @returns whether it passes, within `limitMs`: a mutant may never end. */
  passes(test: string, options: { limitMs: number; fault?: Fault }): Promise<boolean>;
  close(): Promise<void>;
}

const flags = ['--import=./server/test/seed.ts', '--test-reporter=dot'];

/** Copies the server, which is mutated, and links the rest. */
function copyCheckout(root: string, folder: string) {
  for (const name of readdirSync(root)) {
    if (name === 'server') cpSync(join(root, name), join(folder, name), { recursive: true });
    else if (name !== '.git') symlinkSync(join(root, name), join(folder, name));
  }
}

/** Kills a child and its children. */
function killGroup({ pid }: ChildProcess) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have already ended.
  }
}

/** Runs a test file until it ends or its first test fails, for which the dot reporter prints an X. */
function runTest(
  test: string,
  { signal, ...options }: { cwd: string; env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, test], {
      ...options,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const stop = () => killGroup(child);
    signal.addEventListener('abort', stop);
    child.stdout.on('data', (chunk) => {
      if (String(chunk).includes('X')) stop();
    });
    child.once('error', reject);
    child.once('close', (code) => {
      signal.removeEventListener('abort', stop);
      resolve(code === 0);
    });
  });
}

/** @param root the checkout, which is only read. @param signal ends the running tests, whose promise then rejects. */
export async function createWorker(root: string, signal: AbortSignal): Promise<Worker> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-mutation-'));
  // Tests with a PostgreSQL of their own keep its data in here, and run it as another user than root.
  chmodSync(folder, 0o755);
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
    async passes(test, { limitMs, fault }) {
      signal.throwIfAborted();
      const path = fault && join(folder, fault.source);
      const text = path && readFileSync(path, 'utf8');
      if (fault && path && text) writeFileSync(path, applyMutant(text, fault.mutant));
      try {
        const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
        return await runTest(test, { cwd: folder, env, signal: limited });
      } finally {
        if (path && text) writeFileSync(path, text);
        await dropTestDatabases(postgres.url);
        signal.throwIfAborted();
      }
    },
    async close() {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
