// The programs that tests in a browser need: Chromium and nginx, installed if they are missing and the system allows it.
import { existsSync } from 'node:fs';
import { runAttached } from './child.mjs';
import { say } from './layout.mjs';

/** By package: where Debian's and others' packages install the program. The tests look for it at the same paths. */
const programs = {
  chromium: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium'],
  nginx: ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx'],
};
const aptGet = '/usr/bin/apt-get';

/** Installs what is missing. If that is not possible, prints what to do: the tests that need it then fail. */
export async function installBrowser() {
  const wanted = Object.entries(programs);
  const missing = wanted.filter(([, places]) => !places.some((place) => existsSync(place))).map(([name]) => name);
  if (missing.length === 0) return;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !existsSync(aptGet)) {
    say(`The tests in a browser need programs that are not here. Install: ${missing.join(', ')}.`);
    return;
  }
  say(`Installing ${missing.join(' and ')} for the tests in a browser …`);
  const options = { cwd: '/', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  await runAttached(aptGet, ['update', '-qq'], options);
  await runAttached(aptGet, ['install', '-y', '-qq', '--no-install-recommends', ...missing], options);
}
