// The file that an import reads: checked before the import begins, and read with progress.
import { accessSync, closeSync, constants, openSync, readFileSync, readSync, type Stats, statSync } from 'node:fs';
import { errorCodeOf } from '../foundation/errors.ts';
import { CommandFailure } from './command.ts';
import { type Entry, isUtf16, readEntries } from './entries.ts';
import { printProgress } from './output.ts';
import { fromCaller } from './paths.ts';

/** Entries after which the progress is printed. */
const PROGRESS_EVERY = 10_000;

export interface ImportFile {
  readonly path: string;
  /** Whether it can be read more than once: it is no pipe. */
  readonly isRegular: boolean;
  entries(): AsyncGenerator<Entry>;
  /** Yields the entries, and prints the progress of a long file. */
  entriesWithProgress(): AsyncGenerator<Entry>;
}

/** Returns the file at a path as the person typed it. @throws CommandFailure if it cannot be imported. */
export function openImportFile(given: string): ImportFile {
  const path = fromCaller(given);
  const stats = readStats(path, given);
  if (stats.isDirectory()) throw new CommandFailure(`${given} is a folder: give the path of a file.`);
  if (stats.isFile() && isUtf16(readBeginning(path))) {
    throw new CommandFailure(`${given} is in UTF-16. Convert it: iconv -f UTF-16 -t UTF-8 ${given} > utf8.json`);
  }
  return {
    path,
    isRegular: stats.isFile(),
    entries: () => readEntries(path),
    async *entriesWithProgress() {
      let count = 0;
      for await (const entry of readEntries(path)) {
        yield entry;
        count += 1;
        if (count % PROGRESS_EVERY !== 0) continue;
        const share = stats.isFile() ? ` (${Math.floor((100 * entry.position) / stats.size)} %)` : '';
        printProgress(`${count.toLocaleString('en')} ${entry.kind}s${share}`);
      }
    },
  };
}

/** The size of a file that is read at once. */
const SMALL_BYTES = 65_536;

/** Returns the text of a small file at a path as the person typed it. @throws CommandFailure if it cannot be read. */
export function readSmallFile(given: string): string {
  const path = fromCaller(given);
  const stats = readStats(path, given);
  if (!stats.isFile() || stats.size > SMALL_BYTES) throw new CommandFailure(`${given} is no file of at most 64 KiB.`);
  return readFileSync(path, 'utf8');
}

/** Returns what the path stands for: a file, a folder or a pipe. @throws CommandFailure if it cannot be read. */
export function readStats(path: string, given: string): Stats {
  const stats = tryToReadStats(path, given);
  // A device such as /dev/zero never ends.
  if (stats.isFile() || stats.isDirectory() || stats.isFIFO()) return stats;
  throw new CommandFailure(`${given} is neither a file nor a pipe: give the path of a file.`);
}

function tryToReadStats(path: string, given: string): Stats {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path);
  } catch (error) {
    throw new CommandFailure(`Cannot read ${given} (${errorCodeOf(error)}): check the path and its permissions.`);
  }
}

function readBeginning(path: string): Buffer {
  const beginning = Buffer.alloc(4);
  const file = openSync(path, 'r');
  const length = readSync(file, beginning);
  closeSync(file);
  return beginning.subarray(0, length);
}
