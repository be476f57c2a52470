// The high-water mark beside the embedded database: the next start detects that an older copy has replaced the database.
import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';

const WIDTH = 16;

/**
 * Returns the path of the mark of an embedded database. The name differs from the database's files (`latchkey.db*`), which people
 * copy and remove together.
 */
export const markPathOf = (databaseUrl: string): string =>
  `${databaseUrl.replace(/^sqlite:/, '').replace(/\.db$/, '')}.mark`;

/** The highest number that the database has reached, in a separate file. */
export interface HighWaterMark {
  /** The number in the file when this process opened it; 0 if there was no file. */
  readonly before: number;
  write(number: number): void;
  /** Writes the number unless another process has written a higher one. */
  raise(number: number): void;
  close(): void;
}

/**
 * Opens the mark. It is written after the commit and not flushed to disk. So after a power cut it may lag behind the
 * database, but it is ahead only if an older copy has replaced the database.
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
