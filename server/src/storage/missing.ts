// A database that is not there: an address that nothing was ever stored at is most likely the wrong one.
import { existsSync } from 'node:fs';

const SQLITE = 'sqlite:';

/** Returns what to tell the operator if the address is that of a SQLite file that does not exist. */
export function findMissing(url: string): string | undefined {
  if (!url.startsWith(SQLITE)) return undefined;
  const path = url.slice(SQLITE.length);
  if (path === ':memory:' || existsSync(path)) return undefined;
  return `There is no database at ${path}: check LATCHKEY_DATABASE_URL and LATCHKEY_DATA_DIR.`;
}
