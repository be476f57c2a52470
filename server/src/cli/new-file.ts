// A new file that a command writes: its owner alone can read it, and a failure leaves no part of it.
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorCodeOf } from '../foundation/errors.ts';
import { CommandFailure } from './command.ts';
import { fromCaller } from './paths.ts';

/** Writes a file at a path as the person typed it. @throws CommandFailure if it exists or cannot be written. */
export async function writeNewFile(given: string, pieces: Readable): Promise<void> {
  const path = fromCaller(given);
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  try {
    await pipeline(pieces, file);
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === 'EEXIST') throw new CommandFailure(`${given} exists already: give the path of a new file.`);
    await rm(path, { force: true });
    if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOSPC' || code === 'ENOTDIR')
      throw new CommandFailure(`Cannot write ${given} (${code}): check the path, its permissions and the disk.`);
    throw error;
  }
}
