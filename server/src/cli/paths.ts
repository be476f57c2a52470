// Paths as the person means them: npm runs commands in the folder of the package, and says where it was called.
import { resolve } from 'node:path';

/** Returns the path, relative to where the person is. */
export function fromCaller(path: string): string {
  return resolve(process.env.INIT_CWD ?? '', path);
}
