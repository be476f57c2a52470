// A program that the benchmark does not trust, with its driver: both run in a network namespace of their own, which `startProgram`
// made. Sends one message when the program answers, and stops it with itself.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** The program, and the address at which it answers 200 when it is ready. */
export type IsolatedOptions = { readonly command: string; readonly args: readonly string[]; readonly readyUrl: string };

/** Its process, and the seconds from its start to its first answer. */
export type IsolatedReady = { readonly pid: number; readonly seconds: number };

const LOOK_MS = 5;

const [{ command, args, readyUrl }] = (await once(process, 'message')) as [IsolatedOptions];
// `--map-root-user` allows this in the namespace only.
if (spawnSync('ip', ['link', 'set', 'lo', 'up'], { stdio: 'inherit' }).status !== 0) process.exit(1);

const startedAt = performance.now();
const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
process.on('exit', () => child.kill('SIGKILL'));
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (code) => process.exit(code ?? 0));
while (!(await answers(readyUrl))) await sleep(LOOK_MS);
const seconds = (performance.now() - startedAt) / 1000;
process.send?.({ pid: child.pid as number, seconds } satisfies IsolatedReady);

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    (answer) => answer.ok,
    () => false,
  );
}
