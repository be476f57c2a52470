// The data directory: the service's files on its own machine. Only the service's user can read them.
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCodeOf } from '../foundation/errors.ts';
import type { Random } from '../foundation/random.ts';

/**
 * Creates the directory with mode 0700. An existing directory stays unchanged. From now on, only the service's user can
 * read the files that this process creates.
 */
export function openDataDirectory(path: string): void {
  process.umask(0o077);
  makeDirectory(path);
}

/** Creates parents first. Node's own `recursive` never ends where a new directory's parent stays missing (`/proc`). */
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
    const code = errorCodeOf(error);
    const exists = code === 'EEXIST' && statSync(path).isDirectory();
    if (code !== 'ENOENT' && !exists) throw error;
    return code;
  }
}

/** Returns the generated secret. Creates it atomically, so that several processes that start together use one secret. */
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
      if (errorCodeOf(error) !== 'EEXIST') throw error;
    } finally {
      rmSync(draft);
    }
    return readFileSync(path, 'utf8').trim();
  }
}
