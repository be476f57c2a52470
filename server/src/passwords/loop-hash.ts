// Hash loops off the main thread.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { HashLoop } from './hash-loops.ts';
import { hashPriority } from './priority.ts';

/** The file of the thread: beside this one in a checkout, and beside the chunks in a package. */
const thread = new URL(`./hash-thread${extname(import.meta.filename)}`, import.meta.url);

/**
 * Runs the loop in a thread of its own, and returns the last digest. Such hashes are rare: each account has one until its owner has
 * signed in. So no thread waits for the next one.
 */
export function runInThread(loop: HashLoop): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const worker = new Worker(thread, { workerData: { loop, priority: hashPriority() }, execArgv: [] });
  worker.once('message', (digest: Uint8Array) => resolve(Buffer.from(digest)));
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('The thread of a password hash ended without a result.')));
  return promise;
}
