// A lock between processes: of several that prepare the same checkout, one works and the others wait.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from './layout.mjs';

const pollMs = 200;
const settleMs = 50;
const heartbeatMs = 2_000;
/** A holder that has not been heard of for this long is gone, whatever its process id says. */
const silenceMs = 60_000;

/**
 * Runs `work` while holding the lock `file`; waits while a living process holds it, and takes it over from a dead one.
 * @template T
 * @param {string} file its folder is made if need be
 * @param {() => void} onWait called once if there is somebody to wait for
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, onWait, work) {
  const claim = JSON.stringify({ pid: process.pid, host: hostname(), token: randomUUID() });
  for (let waited = false; !(await take(file, claim)); waited = true) {
    if (!waited) onWait();
    await sleep(pollMs);
  }
  const heartbeat = setInterval(() => touch(file), heartbeatMs);
  const release = () => {
    clearInterval(heartbeat);
    if (read(file) === claim) rmSync(file, { force: true });
  };
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/**
 * @param {string} file
 * @param {string} claim
 */
async function take(file, claim) {
  const held = read(file);
  if (held !== undefined && isAbandoned(file, held)) removeAbandoned(file, held);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, claim, { flag: 'wx' });
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'EEXIST') return false;
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error;
    throw new Refusal(
      `There is something to install or build, and you may not write to ${dirname(file)}: run this as its owner.`,
    );
  }
  // Somebody who judged the same dead holder a moment ago may still be moving the file: only what settles is held.
  await sleep(settleMs);
  return read(file) === claim;
}

/**
 * Moving is atomic, removing what was read a moment ago is not: a fresh claim caught by the move is put back.
 * @param {string} file
 * @param {string} held
 */
function removeAbandoned(file, held) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (read(aside) === held) rmSync(aside, { force: true });
  else renameSync(aside, file);
}

/**
 * @param {string} file
 * @param {string} held
 */
function isAbandoned(file, held) {
  const heardAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (Date.now() - heardAt > silenceMs) return true;
  const holder = parse(held);
  return holder !== undefined && holder.host === hostname() && !isAlive(holder.pid);
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * @param {string} held
 * @returns {{ pid: number, host: string } | undefined} nothing while the holder is still writing
 */
function parse(held) {
  try {
    return JSON.parse(held);
  } catch {
    return undefined;
  }
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** @param {string} file */
function touch(file) {
  try {
    const now = new Date();
    utimesSync(file, now, now);
  } catch {
    // Gone: the release that follows finds that out for itself.
  }
}
