// The browser of the tests: the system's Chromium, installed where there is none and the system allows it.
import { existsSync } from 'node:fs';
import { runAttached } from './child.mjs';
import { say } from './layout.mjs';

/** Where packages of Debian and others put it; the tests look at the same places. */
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium'];
const aptGet = '/usr/bin/apt-get';

/** Says what to do where it cannot be installed: the tests that need it fail then. */
export async function installBrowser() {
  if (places.some((place) => existsSync(place))) return;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !existsSync(aptGet)) {
    say('There is no Chromium for the tests of the pages: install the package chromium.');
    return;
  }
  say('Installing Chromium for the tests of the pages …');
  const options = { cwd: '/', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  await runAttached(aptGet, ['update', '-qq'], options);
  await runAttached(aptGet, ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], options);
}
