#!/usr/bin/env node
// The command `latchkey`. It runs the service in a Node that is new enough, with settings that must be made before Node starts.
// It uses only what Node 14 has, so that an old Node can say what is wrong.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const OLDEST = { major: 24, minor: 12 };

/**
 * Returns whether this version of Node is new enough for the service.
 * @param {string} version
 */
function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor);
}

/** Returns the path of the npm package `node` beside this package, or undefined if it is missing or too old. */
function findInstalledNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json');
    const program = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
    return isNewEnough(version) && existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

const node = isNewEnough(process.versions.node) ? process.execPath : findInstalledNode();
if (node === undefined) {
  const isForTests = process.argv[2] === 'test-server';
  const way = isForTests ? 'npm install --save-dev node@26' : 'npx -p node@26 -p latchkey latchkey serve';
  process.stderr.write(
    `latchkey needs Node ${OLDEST.major}.${OLDEST.minor} or later, and this is Node ${process.versions.node}. Run: ${way}\n`,
  );
  process.exit(1);
}

/** Returns how many threads can run at once: the cores, or the container's share of them. Does not need /proc/cpuinfo. */
const countCores = () => (os.availableParallelism ? os.availableParallelism() : os.cpus().length);

/**
 * Returns the folder for compiled modules, or undefined: of systemd, else of the user. A cache is code, so the folder must belong
 * to this user, and no other user may write to it.
 */
function findCacheFolder() {
  const { CACHE_DIRECTORY, XDG_CACHE_HOME } = process.env;
  try {
    const ofUser = () => (XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(os.homedir(), '.cache'));
    const folder = CACHE_DIRECTORY ? CACHE_DIRECTORY.split(':', 1)[0] : join(ofUser(), 'latchkey');
    // A relative path is one of the working directory, to which other users may write.
    if (folder === undefined || !isAbsolute(folder)) return undefined;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(folder);
    const isPrivate = !process.getuid || (uid === process.getuid() && (mode & 0o022) === 0);
    return isPrivate ? folder : undefined;
  } catch {
    // A user of a container may have neither HOME nor an entry in /etc/passwd, and no folder that can be written.
    return undefined;
  }
}

const cacheFolder = findCacheFolder();
const environment = {
  // One thread per core and a spare one for password hashing, and one for the disk, so that commits do not wait for a password.
  UV_THREADPOOL_SIZE: String(countCores() + 2),
  // One memory arena for all threads saves about ten megabytes (glibc, mallopt(3)).
  MALLOC_ARENA_MAX: '1',
  // Compiled modules make the next start faster. Node goes on without them if it cannot write to the folder.
  ...(cacheFolder && { NODE_COMPILE_CACHE: cacheFolder }),
  ...process.env,
};
const main = fileURLToPath(new URL('./server/main.js', import.meta.url));
// A small nursery costs a service with many small requests nothing measurable, and saves some forty megabytes.
const args = ['--max-semi-space-size=4', main, ...process.argv.slice(2)];

if (process.execve && process.platform !== 'win32') {
  process.execve(node, [node, ...args], environment);
} else {
  const child = spawn(node, args, { env: environment, stdio: 'inherit' });
  /** @type {NodeJS.Signals[]} */
  const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of forwarded) {
    process.on(signal, () => {
      // Ctrl+C reaches all processes of the terminal. A second signal would end the service at once.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on('exit', (code, signal) => process.exit(signal === null ? code : 128 + os.constants.signals[signal]));
}
