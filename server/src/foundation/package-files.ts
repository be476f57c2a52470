// Files of the package that are no modules: pages and word lists. In a checkout they stand where their sources are.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const folder = import.meta.dirname;

/** Returns the folder of the built pages. It need not exist. */
export function pagesFolder(): string {
  const packaged = join(folder, '../pages');
  return existsSync(packaged) ? packaged : join(folder, '../../../web/dist');
}

/** Returns the path of the list of common passwords: one JSON array. */
export function commonPasswordsFile(): string {
  const packaged = join(folder, '../words/common-passwords.json');
  if (existsSync(packaged)) return packaged;
  return createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common/src/passwords.json');
}
