// The dependencies: installed if node_modules differs from the lock file.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pinnedNode, Refusal, say } from './layout.mjs';
import { installExactly } from './npm.mjs';

const shownLines = 15;

/**
 * Returns whether the last install finished, and used the present lock file and manifests.
 * @param {string} folder the checkout
 */
export function isInstalled(folder) {
  return read(stampOf(folder)) === fingerprint(folder);
}

/**
 * Installs the packages of the lock file. It removes the stamp first and writes it last, so that a killed install is
 * repeated. Packages that were installed by hand from the same lock file are accepted.
 * @param {string} folder the checkout
 */
export async function install(folder) {
  const stamp = stampOf(folder);
  const made = fingerprint(folder);
  const wasStamped = read(stamp) !== undefined;
  rmSync(stamp, { force: true });
  if (!matchesLock(folder) || !pinnedNodeRuns(folder)) {
    say(wasStamped ? 'The dependencies changed: installing …' : 'Installing the dependencies, half a minute or so …');
    await runNpm(folder);
    if (!pinnedNodeRuns(folder)) {
      throw new Refusal(
        'The packages are installed, but the pinned Node does not run on this system (node_modules/node).',
      );
    }
  }
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  writeFileSync(`${stamp}.${process.pid}`, made);
  renameSync(`${stamp}.${process.pid}`, stamp);
}

/** @param {string} folder */
function stampOf(folder) {
  return join(folder, 'node_modules', '.latchkey-installed');
}

/** @param {string} folder */
function fingerprint(folder) {
  const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`).update(manifest);
  for (const workspace of JSON.parse(manifest).workspaces) {
    hash.update(readFileSync(join(folder, workspace, 'package.json')));
  }
  return hash.update(readFileSync(join(folder, 'package-lock.json'))).digest('hex');
}

/**
 * Returns whether node_modules has the packages of the lock file, by the record that npm writes at the end of an install.
 * @param {string} folder
 */
function matchesLock(folder) {
  const recorded = read(join(folder, 'node_modules', '.package-lock.json'));
  if (recorded === undefined) return false;
  const present = JSON.parse(recorded).packages;
  const wanted = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.link) return true;
    const there = present[path];
    if (there) return there.version === entry.version && there.integrity === entry.integrity;
    return entry.optional === true && !isMeantForThisMachine(entry);
  });
}

/**
 * Returns whether an optional package names this platform. A package that names none belongs to one that was left out.
 * @param {{ os?: string[], cpu?: string[], libc?: string[] }} entry
 */
function isMeantForThisMachine({ os = [], cpu = [], libc = [] }) {
  if (!os.includes(process.platform) || !cpu.includes(process.arch)) return false;
  if (libc.length === 0) return true;
  const { header } = /** @type {{ header: object }} */ (process.report.getReport());
  return libc.includes('glibcVersionRuntime' in header ? 'glibc' : 'musl');
}

/** @param {string} folder */
function pinnedNodeRuns(folder) {
  const answer = spawnSync(pinnedNode(folder), ['--version'], { encoding: 'utf8' });
  return answer.status === 0 && answer.stdout.trim() === `v${pinnedVersion(folder)}`;
}

/** @param {string} folder */
async function runNpm(folder) {
  const end = await installExactly(folder, pinnedVersion(folder));
  if (end.signal) throw new Refusal('Installing was interrupted. Run the command again.');
  if (end.code !== 0) throw new Refusal(`${beginning(end.output)}\n\n${adviceFor(end.output, folder)}`);
}

/** @param {string} folder */
function pinnedVersion(folder) {
  return JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages['node_modules/node'].version;
}

/** @param {string} output npm prints first what is wrong, and then the names of all its options */
function beginning(output) {
  const lines = output.trimEnd().split('\n');
  return lines.length > shownLines ? [...lines.slice(0, shownLines), '…'].join('\n') : lines.join('\n');
}

/**
 * @param {string} output what npm printed
 * @param {string} folder
 */
function adviceFor(output, folder) {
  if (/\bENOSPC\b/.test(output))
    return 'Installing failed: the disk is full. Free some space and run the command again.';
  if (/\b(EACCES|EPERM)\b/.test(output)) {
    return `Installing failed: ${folder} is not writable. Run the command as its owner.`;
  }
  if (/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|E50\d)\b/.test(output)) {
    return 'Installing failed: npm does not reach its registry. Check network and proxy, then run the command again.';
  }
  if (/\bEUSAGE\b/.test(output)) {
    return 'Installing failed: package.json and package-lock.json disagree. Run `npm install`, then the command again.';
  }
  return 'Installing failed: npm says why above. Fix that, then run the command again.';
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
