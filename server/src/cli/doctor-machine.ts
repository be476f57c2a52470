// The doctor's checks of this machine: the data directory, and the clock compared with that of its disk.
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../config/environment.ts';
import { systemClock } from '../foundation/clock.ts';
import { errorCodeOf } from '../foundation/errors.ts';
import { systemRandom } from '../foundation/random.ts';
import type { Finding } from './output.ts';

/** File systems round times, some to two seconds. */
const MAX_DISK_DRIFT_MS = 5_000;

export function* checkMachine(environment: Environment): Generator<Finding> {
  const { dataDir } = environment;
  const about = 'data directory';
  if (!existsSync(dataDir)) {
    yield { verdict: 'ok', about, message: `${dataDir} is not there yet: the first start creates it` };
    return;
  }
  const { mode } = statSync(dataDir);
  if (!statSync(dataDir).isDirectory()) {
    yield { verdict: 'fail', about, message: `${dataDir} is not a directory: correct LATCHKEY_DATA_DIR.` };
    return;
  }
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    const message = `${dataDir} is open to other users of this machine. Run: chmod 700 "${dataDir}"`;
    yield { verdict: 'fail', about, message };
  } else yield { verdict: 'ok', about, message: `${dataDir}, open to its owner only` };
  yield* checkSecretFile(environment);
  yield checkDiskClock(environment);
}

function* checkSecretFile({ secret, dataDir }: Environment): Generator<Finding> {
  const path = join(dataDir, 'secret');
  if (secret !== undefined || !existsSync(path)) return;
  const about = 'secret';
  const isOpen = process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
  if (isOpen) yield { verdict: 'fail', about, message: `${path} can be read by other users. Run: chmod 600 "${path}"` };
  try {
    if (readFileSync(path, 'utf8').trim().length >= 32) return;
    yield { verdict: 'fail', about, message: `${path} is too short: restore it from a backup.` };
  } catch (error) {
    const message = `${path} cannot be read (${errorCodeOf(error)}): run this command as the user of the service.`;
    yield { verdict: 'fail', about, message };
  }
}

/** Creates and removes an empty file, to check that the disk is writable, and its clock. */
function checkDiskClock({ dataDir, secret, databaseUrl }: Environment): Finding {
  const path = join(dataDir, `doctor.${systemRandom.uuid()}`);
  try {
    closeSync(openSync(path, 'wx', 0o600));
    const drift = Math.abs(statSync(path).mtimeMs - systemClock.now());
    if (drift <= MAX_DISK_DRIFT_MS)
      return { verdict: 'ok', about: 'clock', message: 'agrees with the disk of the data directory' };
    const message = `differs by ${Math.round(drift / 1000)} s from the disk of the data directory: synchronize both machines' clocks (NTP).`;
    return { verdict: 'warn', about: 'clock', message };
  } catch (error) {
    if (secret !== undefined && !databaseUrl.startsWith('sqlite:')) {
      const message = `${dataDir} is not writable, and need not be: secret and database are elsewhere`;
      return { verdict: 'ok', about: 'data directory', message };
    }
    const message = `${dataDir} cannot be written (${errorCodeOf(error)}): run this command as the user of the service, or make that user its owner.`;
    return { verdict: 'fail', about: 'data directory', message };
  } finally {
    rmSync(path, { force: true });
  }
}
