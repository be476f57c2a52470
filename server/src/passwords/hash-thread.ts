// The thread that runs one hash loop: it posts the digest, and ends.
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { runLoop } from './hash-loops.ts';

try {
  setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), workerData.priority);
} catch {
  // Not Linux, or a sandbox that refuses: then the loop and requests share the cores evenly.
}
parentPort?.postMessage(runLoop(workerData.loop));
