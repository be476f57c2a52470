// The programs that some tests need: installed if they are missing and the system allows it.
import { existsSync } from 'node:fs';
import { runAttached } from './child.mjs';
import { say } from './layout.mjs';

const isRoot = process.getuid?.() === 0;

/** @param {string} name a package whose files have no fixed places @returns where Debian records that it is installed */
const recordOf = (name) => [`/var/lib/dpkg/info/${name}.list`];

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
    pgbouncer: ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'],
    systemd: ['/usr/bin/systemd-analyze'],
  },
  container: {
    umoci: ['/usr/bin/umoci'],
    runc: ['/usr/sbin/runc', '/usr/bin/runc'],
    // Other users than root run containers in a user namespace with further user ids.
    ...(!isRoot && { uidmap: ['/usr/bin/newuidmap'] }),
  },
  clients: {
    apache2: ['/usr/sbin/apache2'],
    'libapache2-mod-auth-openidc': ['/usr/lib/apache2/modules/mod_auth_openidc.so'],
    'python3-authlib': ['/usr/lib/python3/dist-packages/authlib'],
    'python3-requests': ['/usr/lib/python3/dist-packages/requests'],
    'ruby-omniauth-openid-connect': recordOf('ruby-omniauth-openid-connect'),
    'ruby-webrick': recordOf('ruby-webrick'),
    'golang-go': ['/usr/bin/go'],
    'golang-github-coreos-go-oidc-dev': ['/usr/share/gocode/src/github.com/coreos/go-oidc'],
    'oidc-agent-cli': ['/usr/bin/oidc-agent'],
  },
  examples: {
    'golang-go': ['/usr/bin/go'],
    'python3-authlib': ['/usr/lib/python3/dist-packages/authlib'],
    'python3-flask': ['/usr/lib/python3/dist-packages/flask'],
    'python3-requests': ['/usr/lib/python3/dist-packages/requests'],
    'python3-venv': recordOf('python3-venv'),
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
