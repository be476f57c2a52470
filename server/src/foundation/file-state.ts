// The state of a file that an operator has named.
import { type Stats, statSync } from 'node:fs';

/** Returns the state of a file. `undefined`: it does not exist. `hidden`: this user may not see it, such as in a folder of another user. */
export function readFileState(path: string): Stats | 'hidden' | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return 'hidden';
  }
}
