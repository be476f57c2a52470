// The browser of the tests: the system's Chromium, which is installed if it is missing and the system allows it.
import { existsSync } from 'node:fs';
import { runAttached } from './child.mjs';
import { say } from './layout.mjs';

/** The paths of Chromium in the packages of Debian and others. The tests look for it at the same paths. */
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium'];
const aptGet = '/usr/bin/apt-get';

/** Installs Chromium. If that is not possible, prints what to do: the tests that need it then fail. */
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
