// The high-water mark beside the embedded database: shows at the next start that an older copy has been put in its place.
import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';

const WIDTH = 16;

/** The highest number that the database is known to have reached, in a file of its own. */
export interface HighWaterMark {
  /** As written before this process started; 0 when there is no file. */
  readonly before: number;
  write(number: number): void;
  /** Writes it unless another process has come further. */
  raise(number: number): void;
  close(): void;
}

/**
 * Opens the mark. It is written after the commit it tells of and not forced to disk: it may lag behind the database
 * after a power cut, but is never ahead of it, unless the database was replaced by an older one.
 */
export function openHighWaterMark(path: string): HighWaterMark {
  const file = openSync(path, 'a+', 0o600);
  closeSync(file);
  const before = Number.parseInt(readFileSync(path, 'utf8'), 10) || 0;
  const descriptor = openSync(path, 'r+');
  const write = (number: number) => void writeSync(descriptor, String(number).padStart(WIDTH, '0'), 0);
  return {
    before,
    write,
    raise(number) {
      const written = Buffer.alloc(WIDTH);
      readSync(descriptor, written, 0, WIDTH, 0);
      if (number > (Number.parseInt(written.toString(), 10) || 0)) write(number);
    },
    close: () => closeSync(descriptor),
  };
}
