// The data directory: what the service keeps on its own machine, readable by its owner alone.
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Random } from '../foundation/random.ts';

/**
 * Makes the directory if it is not there, mode 0700; one that is there is left as it is. Whatever this process makes in it
 * from now on is readable by its owner alone.
 */
export function openDataDirectory(path: string): void {
  process.umask(0o077);
  makeDirectory(path);
}

/** Node's own recursive form never ends where the system answers that a new directory's parent is not there (`/proc`). */
function makeDirectory(path: string): void {
  if (tryToMake(path) !== 'ENOENT') return;
  makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

function tryToMake(path: string): string | undefined {
  try {
    mkdirSync(path, { mode: 0o700 });
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isThere = code === 'EEXIST' && statSync(path).isDirectory();
    if (code !== 'ENOENT' && !isThere) throw error;
    return code;
  }
}

/** The generated secret: made whole or not at all, and by one process only, however many start at once. */
export function readOrCreateSecret(dataDir: string, random: Random): string {
  const path = join(dataDir, 'secret');
  const draft = `${path}.${random.uuid()}`;
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    writeFileSync(draft, `${random.bytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true });
    try {
      linkSync(draft, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft);
    }
    return readFileSync(path, 'utf8').trim();
  }
}
