// A new file that a command writes: its owner alone can read it, and it appears when it is complete.
import { existsSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorCodeOf } from '../foundation/errors.ts';
import { CommandFailure } from './command.ts';
import { fromCaller } from './paths.ts';

/**
 * Writes a file at a path as the person typed it. Until it is complete, it has another name beside that path: a command that is
 * killed leaves no file that looks complete.
 * @throws CommandFailure if it exists or cannot be written.
 */
export async function writeNewFile(given: string, pieces: Readable): Promise<void> {
  const path = fromCaller(given);
  if (existsSync(path)) throw existing(given);
  const part = `${path}.${process.pid}.part`;
  try {
    await rm(part, { force: true });
    const file = await open(part, 'wx', 0o600);
    await pipeline(pieces, file.createWriteStream({ flush: true }));
    await link(part, path).catch((error) => {
      // Such as on memory sticks.
      if (!WITHOUT_LINKS.includes(errorCodeOf(error) ?? '')) throw error;
      return rename(part, path);
    });
  } catch (error) {
    throw toFailure(error, given);
  } finally {
    // The failure that ended it is the one to report.
    await rm(part, { force: true }).catch(() => {});
  }
}

/** How file systems without links refuse one. */
const WITHOUT_LINKS: readonly string[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** What the system does for the file. Other errors are those of the database. */
const ON_FILE: readonly unknown[] = ['lstat', 'open', 'write', 'fsync', 'link', 'rename'];

const existing = (given: string) => new CommandFailure(`${given} exists already: give the path of a new file.`);

function toFailure(error: unknown, given: string): unknown {
  const code = errorCodeOf(error);
  if (code === 'EEXIST') return existing(given);
  const isOfFile = error instanceof Error && 'syscall' in error && ON_FILE.includes(error.syscall);
  return isOfFile
    ? new CommandFailure(`Cannot write ${given} (${code}): check the path, its permissions and the disk.`)
    : error;
}
