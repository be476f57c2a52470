// Child processes: they share our terminal, hear our signals, and their end becomes ours.
import { spawn } from 'node:child_process';

/** @typedef {{ code: number | null, signal: NodeJS.Signals | null }} End */

/** @type {NodeJS.Signals[]} */
const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** npm and a process group both pass a signal on: what arrives again within this time is the same one. */
const echoMs = 1_000;
const parentWatchMs = 250;

/**
 * Runs a program on our terminal until it ends.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<End>}
 */
export function runAttached(program, args, options) {
  const child = spawn(program, args, { ...options, stdio: 'inherit' });
  return ended(child);
}

/**
 * Runs a program and keeps what it prints, both streams in the order of arrival.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<End & { output: string }>}
 */
export async function runCaptured(program, args, options) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  /** @type {Buffer[]} */
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  child.stderr.on('data', (chunk) => chunks.push(chunk));
  const end = await ended(child);
  return { ...end, output: Buffer.concat(chunks).toString('utf8') };
}

/**
 * Ends this process as the child did, by the same signal if it was one.
 * @param {End} end
 */
export function endLike({ code, signal }) {
  if (signal) process.kill(process.pid, signal);
  else process.exitCode = code ?? 1;
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<End>}
 */
function ended(child) {
  const stopForwarding = forwardSignals(child);
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      stopForwarding();
      reject(error);
    });
    child.once('close', (code, signal) => {
      stopForwarding();
      resolve({ code, signal });
    });
  });
}

/** @param {import('node:child_process').ChildProcess} child */
function forwardSignals(child) {
  const handlers = forwarded.map((signal) => {
    let lastAt = 0;
    const pass = () => {
      // Ctrl-C reaches the whole foreground group: the child has it already.
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      if (Date.now() - lastAt < echoMs) return;
      lastAt = Date.now();
      child.kill(signal);
    };
    process.on(signal, pass);
    return () => process.off(signal, pass);
  });
  const watch = watchParent(() => child.kill('SIGTERM'));
  return () => {
    clearInterval(watch);
    for (const off of handlers) off();
  };
}

/**
 * npm runs us in a shell that dies of a signal without passing it on: when our parent is gone, nobody wants us either.
 * @param {() => void} onGone
 */
function watchParent(onGone) {
  if (!process.env.npm_lifecycle_event) return undefined;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    onGone();
  }, parentWatchMs);
  return watch.unref();
}
