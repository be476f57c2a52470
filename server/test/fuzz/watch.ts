// The watch: a thread that ends the process when an input takes endless time, and says which input.
import { writeSync } from 'node:fs';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { formatLine } from './corpus.ts';

/** Where a run notes what it does: the number of the run, the length of its input, and the input. */
const [NUMBER, LENGTH, INPUT] = [0, 4, 8];
const LARGEST_INPUT = 1_000_000;
const LIMIT_MS = 30_000;

export interface Watch {
  /** Call it at the start of each run. */
  begin(input: Buffer): void;
  stop(): Promise<number>;
}

/** Watches the runs of a target from now on. */
export function startWatch(target: string, limitMs = LIMIT_MS): Watch {
  const shared = new SharedArrayBuffer(INPUT + LARGEST_INPUT);
  const notes = Buffer.from(shared);
  const worker = new Worker(import.meta.filename, { execArgv: [], workerData: { shared, target, limitMs } });
  worker.unref();
  let number = 0;
  return {
    begin(input) {
      number += 1;
      notes.writeInt32LE(number % 2 ** 31, NUMBER);
      notes.writeInt32LE(input.copy(notes, INPUT), LENGTH);
    },
    stop: () => worker.terminate(),
  };
}

function watch({ shared, target, limitMs }: { shared: SharedArrayBuffer; target: string; limitMs: number }) {
  const notes = Buffer.from(shared);
  let last = 0;
  setInterval(() => {
    const number = notes.readInt32LE(NUMBER);
    if (number === 0 || number !== last) {
      last = number;
      return;
    }
    const input = Buffer.from(notes.subarray(INPUT, INPUT + notes.readInt32LE(LENGTH)));
    // The main thread prints nothing any more, and would not end by itself.
    writeSync(
      1,
      `${target}: an input takes more than ${limitMs / 1000} s. Add it to the corpus.\n    ${formatLine(input)}\n`,
    );
    process.kill(process.pid, 'SIGKILL');
  }, limitMs);
}

if (!isMainThread) watch(workerData);
