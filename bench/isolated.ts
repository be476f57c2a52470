// A program that the benchmark does not trust, and its driver: both run in a network namespace of their own, which `startProgram`
// made. Sends one message when the program answers, then drives it, and stops it with itself.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** The program. */
export type IsolatedOptions = {
  readonly command: string;
  readonly args: readonly string[];
  /** The address at which it answers 200 when it is ready. */
  readonly readyUrl: string;
  /** Requests that prepare it, sent in this order. The answers are JSON. */
  readonly posts: readonly { readonly url: string; readonly body: object }[];
};

/** Its process, the seconds from its start to its first answer, and the answers to the requests. */
export type IsolatedReady = { readonly pid: number; readonly seconds: number; readonly answers: readonly unknown[] };

const LOOK_MS = 5;

const [{ command, args, readyUrl, posts }] = (await once(process, 'message')) as [IsolatedOptions];
// `--map-root-user` allows this in the namespace only.
if (spawnSync('ip', ['link', 'set', 'lo', 'up'], { stdio: 'inherit' }).status !== 0) process.exit(1);

const startedAt = performance.now();
const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
process.on('exit', () => child.kill('SIGKILL'));
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (code) => process.exit(code ?? 0));
while (!(await isReady(readyUrl))) await sleep(LOOK_MS);
const seconds = (performance.now() - startedAt) / 1000;
const answers: unknown[] = [];
for (const { url, body } of posts) answers.push(await post(url, body));
await import('./driver.ts');
process.send?.({ pid: child.pid as number, seconds, answers } satisfies IsolatedReady);

function isReady(url: string): Promise<boolean> {
  return fetch(url).then(
    (answer) => answer.ok,
    () => false,
  );
}

async function post(url: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
