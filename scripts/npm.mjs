// The user's own npm. To install, a Node that is new enough for the packages runs it.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { runCaptured } from './child.mjs';
import { pinnedNode, workFolder } from './layout.mjs';

/**
 * npm silently leaves out optional packages that its own Node is too old for, and native code comes in optional packages.
 * From this major version on, npm installs all of them.
 */
const oldestMajor = 24;

// The user's npm configuration may exclude development packages or install scripts. The pinned Node needs both.
const flags = ['--include=dev', '--ignore-scripts=false', '--loglevel=error', '--no-audit', '--no-fund'];

/**
 * Runs `npm ci`.
 * @param {string} folder the checkout
 * @param {string} version the version of the pinned Node
 * @returns {Promise<import('./child.mjs').End & { output: string }>}
 */
export async function installExactly(folder, version) {
  const aside = join(workFolder(folder), 'node');
  try {
    const own = ownNode(folder);
    if (own) return await npm(own, ['ci', ...flags], folder);
    const modern = pinnedNode(aside);
    const fetched = copyPresent(folder, modern) ? undefined : await fetchAside(aside, version);
    return fetched && fetched.code !== 0 ? fetched : await npm(modern, ['ci', ...flags], folder);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/**
 * Returns the user's Node if it is new enough. Never returns the one in node_modules, which the install replaces.
 * @param {string} folder
 */
function ownNode(folder) {
  const candidates = [process.env.npm_node_execpath, process.execPath];
  return candidates.find(
    (node) => node && !node.startsWith(join(folder, 'node_modules')) && majorOf(node) >= oldestMajor,
  );
}

/** @param {string} node */
function majorOf(node) {
  if (node === process.execPath) return Number.parseInt(process.versions.node, 10);
  const answer = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return answer.status === 0 ? Number.parseInt(answer.stdout.slice(1), 10) : 0;
}

/**
 * Copies the pinned Node of an earlier install, if there is one.
 * @param {string} folder
 * @param {string} target
 */
function copyPresent(folder, target) {
  const present = pinnedNode(folder);
  if (majorOf(present) < oldestMajor) return false;
  mkdirSync(dirname(target), { recursive: true });
  cpSync(present, target);
  return true;
}

/**
 * Installs only the pinned Node, with any Node that is present.
 * @param {string} aside
 * @param {string} version
 */
function fetchAside(aside, version) {
  const manifest = { private: true, dependencies: { node: version }, allowScripts: { node: true } };
  mkdirSync(aside, { recursive: true });
  writeFileSync(join(aside, 'package.json'), JSON.stringify(manifest));
  return npm(process.env.npm_node_execpath ?? process.execPath, ['install', '--no-package-lock', ...flags], aside);
}

/**
 * Runs the user's npm.
 * @param {string} node the Node that runs it
 * @param {string[]} args
 * @param {string} cwd
 */
export function npm(node, args, cwd) {
  const script = process.env.npm_execpath;
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  if (script && /\.c?js$/.test(script)) return runCaptured(node, [script, ...args], { cwd, env });
  return runCaptured(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { cwd, env });
}
