// The programs that some tests need: installed if they are missing and the system allows it.
import { existsSync } from 'node:fs';
import { runAttached } from './child.mjs';
import { say } from './layout.mjs';

const isRoot = process.getuid?.() === 0;

const nginx = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx'];

/** By package: where Debian's and others' packages install the program. The tests look for it at the same paths. */
const programs = {
  browser: {
    'chromium-headless-shell': [
      '/usr/bin/chromium-headless-shell',
      '/usr/bin/chromium',
      '/usr/bin/chromium-browser',
      '/usr/bin/google-chrome',
      '/snap/bin/chromium',
    ],
    nginx,
  },
  deploy: {
    caddy: ['/usr/bin/caddy', '/usr/local/bin/caddy'],
    nginx,
    systemd: ['/usr/bin/systemd-analyze'],
  },
  container: {
    umoci: ['/usr/bin/umoci'],
    runc: ['/usr/sbin/runc', '/usr/bin/runc'],
    // Other users than root run containers in a user namespace with further user ids.
    ...(!isRoot && { uidmap: ['/usr/bin/newuidmap'] }),
  },
};
const aptGet = '/usr/bin/apt-get';

/**
 * Installs what is missing. If that is not possible, prints what to do: the tests that need it then fail.
 * @param {(keyof typeof programs)[]} kinds
 */
export async function installPrograms(...kinds) {
  const wanted = kinds.flatMap((kind) => Object.entries(programs[kind]));
  const absent = wanted.filter(([, places]) => !places.some((place) => existsSync(place))).map(([name]) => name);
  const missing = [...new Set(absent)];
  if (missing.length === 0) return;
  if (!isRoot || !existsSync(aptGet)) {
    say(`Some tests need programs that are not here. Install: ${missing.join(', ')}.`);
    return;
  }
  say(`Installing ${missing.join(', ')} for the tests …`);
  const options = { cwd: '/', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  await runAttached(aptGet, ['update', '-qq'], options);
  await runAttached(aptGet, ['install', '-y', '-qq', '--no-install-recommends', ...missing], options);
}
