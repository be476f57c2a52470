// Prepares the checkout for a command: installs the dependencies and builds the pages.
import { join } from 'node:path';
import { install, isInstalled } from './install.mjs';
import { say, workFolder } from './layout.mjs';
import { withLock } from './lock.mjs';
import { buildPages, isBuilt } from './pages.mjs';

/**
 * Installs and builds what is out of date. If all is current, it only reads a few files.
 * @param {string} folder the checkout
 * @param {{ pages: boolean }} needs whether the command serves the pages
 */
export async function prepare(folder, { pages }) {
  const isReady = () => isInstalled(folder) && (!pages || isBuilt(folder));
  if (isReady()) return;
  const onWait = () => say('Another command is installing or building here: waiting for it …');
  await withLock(join(workFolder(folder), 'lock'), onWait, async () => {
    if (!isInstalled(folder)) await install(folder);
    if (pages && !isBuilt(folder)) await buildPages(folder);
  });
}
