// Prepares the checkout for a command: installs the dependencies, and builds the pages and the package.
import { join } from 'node:path';
import { install, isInstalled } from './install.mjs';
import { say, workFolder } from './layout.mjs';
import { withLock } from './lock.mjs';
import { buildPackage, isPackaged } from './package.mjs';
import { arePagesBuilt, buildPages } from './pages.mjs';

/**
 * Installs and builds what is out of date. If all is current, it only reads a few hundred files.
 * @param {string} folder the checkout
 * @param {{ builds: boolean }} needs whether the command runs the package
 */
export async function prepare(folder, { builds }) {
  const isBuilt = () => arePagesBuilt(folder) && isPackaged(folder);
  if (isInstalled(folder) && (!builds || isBuilt())) return;
  const onWait = () => say('Another command is installing or building here: waiting for it …');
  await withLock(join(workFolder(folder), 'lock'), onWait, async () => {
    if (!isInstalled(folder)) await install(folder);
    if (!builds) return;
    if (!arePagesBuilt(folder)) await buildPages(folder);
    if (!isPackaged(folder)) await buildPackage(folder);
  });
}
