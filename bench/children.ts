// Processes that the benchmark starts: the driver and the contestants, with their CPU time and memory.
import { type ChildProcess, fork, type Serializable, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Order, Report } from './driver.ts';
import type { Load, Seen } from './load.ts';

/** A server under load. */
export type Server = { readonly url: string; readonly pid: number; stop(): Promise<void> };

/** Kernel ticks per second in /proc: 100 on every Linux. */
const TICKS = 100;

/** How often to look at the memory of a command. */
const LOOK_MS = 50;

const running = new Set<ChildProcess>();

// No process outlives the benchmark, however it ends.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

function track(child: ChildProcess): ChildProcess {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** A program that sends one message when it is ready, with an IPC channel. */
export async function startProgram<Ready>(
  program: string,
  options: Serializable,
  { isIsolated = false }: { isIsolated?: boolean } = {},
): Promise<{ child: ChildProcess; ready: Ready }> {
  // A network namespace of its own has only a loopback interface, which no other process reaches.
  const isolated = { execPath: 'unshare', execArgv: ['--map-root-user', '--net', process.execPath] };
  const stdio: StdioOptions = ['ignore', 'inherit', 'inherit', 'ipc'];
  const child = track(fork(program, { serialization: 'advanced', stdio, ...(isIsolated && isolated) }));
  child.send(options);
  const ready = await Promise.race([once(child, 'message'), failure(child, program)]);
  return { child, ready: ready[0] as Ready };
}

async function failure(child: ChildProcess, name: string): Promise<never> {
  const [code, signal] = await once(child, 'exit');
  throw new Error(`${name} ended before it was ready (${signal ?? code}).`);
}

/** A program that sends `{ port }` when it listens; `ready` is its whole message. */
export async function startServer<Ready extends { port: number }>(
  program: string,
  options: Serializable,
): Promise<Server & { ready: Ready }> {
  const { child, ready } = await startProgram<Ready>(program, options);
  return { url: `http://127.0.0.1:${ready.port}`, pid: child.pid as number, ready, stop: () => stop(child) };
}

/** A command that listens on the given port, and is ready when `path` answers 200. */
export async function startCommand(
  args: readonly string[],
  { cwd, env, port, path }: { cwd: string; env: NodeJS.ProcessEnv; port: number; path: string },
): Promise<Server> {
  const child = track(spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] }));
  const url = `http://127.0.0.1:${port}`;
  await Promise.race([untilAnswers(`${url}${path}`), failure(child, args.join(' '))]);
  return { url, pid: child.pid as number, stop: () => stop(child) };
}

/** A command that runs to its end. @returns the most memory that it had resident, in MB. @throws Error when it fails. */
export async function runCommand(
  args: readonly string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<number> {
  const child = track(spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] }));
  let most = 0;
  const look = () => {
    if (child.pid && child.exitCode === null) most = readMemory(child.pid, 'VmHWM') || most;
  };
  const timer = setInterval(look, LOOK_MS);
  const [code, signal] = await once(child, 'exit');
  clearInterval(timer);
  if (code !== 0) throw new Error(`${args.join(' ')} failed (${signal ?? code}).`);
  return most;
}

async function untilAnswers(url: string) {
  while (
    !(await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    ))
  )
    await sleep(5);
}

export async function stop(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Returns a port on which no process listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Fields of /proc/PID/stat from the third on: `[0]` is the state. */
function readStat(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** CPU time of a process so far, all threads, in seconds. */
export function cpuSeconds(pid: number): number {
  const fields = readStat(pid);
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** The same for a process and all its children, ended ones included: PostgreSQL has one for each connection. */
export function familyCpuSeconds(pid: number): number {
  const ended = readStat(pid).slice(13, 15).map(Number);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  const living = children.map(cpuSeconds);
  return cpuSeconds(pid) + ended.reduce((a, b) => a + b, 0) / TICKS + living.reduce((a, b) => a + b, 0);
}

/** Resident memory of a process now, in MB of 1,000,000 bytes. */
export const residentMemory = (pid: number): number => readMemory(pid, 'VmRSS');

/** @param field `VmHWM` for the most so far. @returns NaN for a process that has ended. */
function readMemory(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kilobytes) * 1024) / 1_000_000;
}

/** Sends loads from another process. */
export type Driver = { drive(load: Load): Promise<Seen>; stop(): Promise<void> };

export const startDriver = (): Driver =>
  driverIn(track(fork(new URL('./driver.ts', import.meta.url), { serialization: 'advanced' })));

/** The driver that runs in this process: `driver.ts` itself, or a program that has imported it. */
export function driverIn(child: ChildProcess): Driver {
  const waiting = new Map<number, PromiseWithResolvers<Seen>>();
  let orders = 0;
  child.on('message', ({ id, seen, error }: Report) => {
    if (seen) waiting.get(id)?.resolve(seen);
    else waiting.get(id)?.reject(new Error(error));
    waiting.delete(id);
  });
  child.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('The driver ended.'));
  });
  return {
    drive(load) {
      const answer = Promise.withResolvers<Seen>();
      const order: Order = { id: ++orders, load };
      waiting.set(order.id, answer);
      child.send(order);
      return answer.promise;
    },
    stop: () => stop(child),
  };
}

/** A process that hashes: verifies one password repeatedly. */
export type HashingProgram = { readonly pid: number; run(seconds: number): Promise<Seen>; stop(): Promise<void> };

export async function startHashing(program: string, options: Serializable): Promise<HashingProgram> {
  const { child } = await startProgram(program, options);
  return {
    pid: child.pid as number,
    async run(seconds) {
      const answer = once(child, 'message');
      child.send(seconds);
      return (await answer)[0] as Seen;
    },
    stop: () => stop(child),
  };
}
