// The clock of another process, which a test sets while the process runs.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 10;

export interface SettableClock {
  /** The variables with which the process starts. */
  readonly env: Record<string, string>;
  /** Sets the clock this many seconds ahead of the machine's; negative: behind. Resolves when the process has seen it. */
  set(seconds: number): Promise<void>;
  close(): void;
}

/** Starts with the machine's time. */
export function createSettableClock(): SettableClock {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-clock-'));
  const file = join(folder, 'clock');
  const seen = `${file}.seen`;
  const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  writeFileSync(file, '0');
  return {
    env: {
      NODE_OPTIONS: `--import=${join(import.meta.dirname, 'moved-clock.ts')}`,
      LATCHKEY_TEST_CLOCK: file,
    },
    async set(seconds) {
      if (read(file) === String(seconds)) return;
      writeFileSync(file, String(seconds));
      while (read(seen) !== String(seconds)) await sleep(LOOK_MS);
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
