// A lock between processes: if several processes prepare the same checkout, one works and the others wait.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from './layout.mjs';

const pollMs = 200;
const settleMs = 50;
const heartbeatMs = 2_000;
/** A holder without a heartbeat for this long counts as dead, even if its process id exists. */
const silenceMs = 60_000;

/**
 * Runs `work` while this process holds the lock `file`. Waits for a living holder, and takes the lock over from a dead one.
 * @template T
 * @param {string} file its folder is created if it is missing
 * @param {() => void} onWait called once if another process holds the lock
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
      `The checkout must be installed or built, but ${dirname(file)} is not writable: run this command as its owner.`,
    );
  }
  // Another process that found the same dead holder may still move the file. So the claim counts only if it stays.
  await sleep(settleMs);
  return read(file) === claim;
}

/**
 * Moves the file before it removes it, because only a move is atomic. If the move caught a fresh claim, it is put back.
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
 * @returns {{ pid: number, host: string } | undefined} `undefined` while the holder is still writing
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
    // The file is gone, which the release will notice.
  }
}
