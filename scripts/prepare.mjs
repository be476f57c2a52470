// What has to be there before a command can run: the dependencies and the built pages.
import { join } from 'node:path';
import { install, isInstalled } from './install.mjs';
import { say, workFolder } from './layout.mjs';
import { withLock } from './lock.mjs';
import { buildPages, isBuilt } from './pages.mjs';

/**
 * Installs and builds what is not up to date; reads a few files and does nothing else when all is.
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
