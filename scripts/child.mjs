// Child processes: they share this process's terminal, receive its signals, and decide its exit code.
import { spawn } from 'node:child_process';

/**
 * How a program ended. `isStopped`: this process was told to stop meanwhile, whatever the program made of it.
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null, isStopped?: boolean }} End
 */

/** @type {NodeJS.Signals[]} */
const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** npm and the process group both forward a signal: a second one within this time is the same signal. */
const echoMs = 1_000;
const parentWatchMs = 250;

/**
 * Runs a program on this terminal until it ends.
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
 * Runs a program and returns its output, both streams in the order of arrival.
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
 * Ends this process with the exit code or signal of the child.
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
  let isStopped = false;
  const stopForwarding = forwardSignals(child, () => {
    isStopped = true;
  });
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      stopForwarding();
      reject(error);
    });
    child.once('close', (code, signal) => {
      stopForwarding();
      resolve({ code, signal, isStopped });
    });
  });
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {() => void} onSignal
 */
function forwardSignals(child, onSignal) {
  const handlers = forwarded.map((signal) => {
    let lastAt = 0;
    const forward = () => {
      onSignal();
      // Ctrl-C reaches the whole foreground group, so the child already has it.
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      if (Date.now() - lastAt < echoMs) return;
      lastAt = Date.now();
      child.kill(signal);
    };
    process.on(signal, forward);
    return () => process.off(signal, forward);
  });
  const watch = watchParent(() => {
    onSignal();
    child.kill('SIGTERM');
  });
  return () => {
    clearInterval(watch);
    for (const off of handlers) off();
  };
}

/**
 * npm runs this process in a shell that ends on a signal without forwarding it. So the end of the parent counts as a signal.
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
