// Contestants: what takes part in a figure, the result of one round, and the target of its median.
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds, type Driver, type HashingProgram, residentMemory, type Server } from './children.ts';
import type { Load, Seen } from './load.ts';

/** The result of one round of a contestant. `value` is in the figure's unit. */
export type Outcome = {
  readonly value: number;
  /** CPU time of the contestant's process, all threads, in seconds. */
  readonly cpu?: number;
  /** Requests answered in that time. */
  readonly requests?: number;
  /** Latency in milliseconds. */
  readonly p50?: number;
  readonly p99?: number;
};

export type Bound = { readonly atLeast: number } | { readonly atMost: number };

export type Contestant = {
  readonly name: string;
  /** @param number counts the rounds from 0, the warm-up, which is not measured. */
  round(number: number): Promise<Outcome>;
  /** The target of this contestant's own median. */
  readonly target?: Bound;
  /** The first contestant's median divided by this one's: shown, and compared with the bound if there is one. */
  readonly ratio?: Bound | 'shown';
};

/** Time for a background load to reach its full strength. */
const SETTLING_MS = 500;

/** Requests per second that a server answers, with the load of each round. @throws Error when any request fails. */
export function throughput(
  name: string,
  {
    server,
    driver,
    load,
    ratio,
    cpu = () => cpuSeconds(server.pid),
  }: {
    server: Server;
    driver: Driver;
    load: (round: number) => Load;
    ratio?: Contestant['ratio'];
    cpu?: () => number;
  },
): Contestant {
  return {
    name,
    ...(ratio && { ratio }),
    async round(number) {
      const before = cpu();
      const { requests, seconds, p50, p99 } = expectSuccess(name, await driver.drive(load(number)));
      return { value: requests / seconds, cpu: cpu() - before, requests, p50, p99 };
    },
  };
}

/** Requests per CPU second of several servers that share the load. @throws Error when any request fails. */
export function efficiency(
  name: string,
  {
    servers,
    driver,
    load,
    ratio,
  }: {
    servers: readonly Server[];
    driver: Driver;
    load: (server: Server, round: number, index: number) => Load;
    ratio?: Bound;
  },
): Contestant {
  const cpu = () => servers.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
  return {
    name,
    ...(ratio && { ratio }),
    async round(number) {
      const before = cpu();
      const seen = await Promise.all(servers.map((server, index) => driver.drive(load(server, number, index))));
      const used = cpu() - before;
      const requests = seen.reduce((sum, part) => sum + expectSuccess(name, part).requests, 0);
      return { value: requests / used, cpu: used, requests };
    },
  };
}

/** Verifications per second of a process that does nothing else. */
export function hashing(name: string, program: HashingProgram, seconds: number, ratio: Bound | 'shown'): Contestant {
  return {
    name,
    ratio,
    async round() {
      const before = cpuSeconds(program.pid);
      const seen = await program.run(seconds);
      const { requests, p50, p99 } = seen;
      return { value: requests / seen.seconds, cpu: cpuSeconds(program.pid) - before, requests, p50, p99 };
    },
  };
}

/** The 99th percentile of `load`'s latencies in milliseconds, while the same server is busy with `background`. */
export function latencyBeside(
  name: string,
  {
    server,
    driver,
    load,
    background,
    ratio,
  }: { server: Server; driver: Driver; load: Load; background: Load; ratio?: Bound },
): Contestant {
  return {
    name,
    ...(ratio && { ratio }),
    async round() {
      const before = cpuSeconds(server.pid);
      const busy = driver.drive(background);
      const [seen] = await Promise.all([sleep(SETTLING_MS).then(() => driver.drive(load)), busy]);
      const { p50, p99 } = expectSuccess(name, seen);
      expectSuccess(`${name}, background`, await busy);
      return { value: p99, cpu: cpuSeconds(server.pid) - before, p50, p99 };
    },
  };
}

/** Resident memory in MB of a server just started: the maximum during `work`. */
export function memory(
  name: string,
  { start, work, target }: { start: () => Promise<Server>; work: (server: Server) => Promise<unknown>; target?: Bound },
): Contestant {
  return {
    name,
    ...(target && { target }),
    async round() {
      const server = await start();
      let most = 0;
      const look = () => {
        most = Math.max(most, residentMemory(server.pid));
      };
      const timer = setInterval(look, 50);
      await work(server).finally(() => clearInterval(timer));
      look();
      await server.stop();
      return { value: most };
    },
  };
}

/** Seconds until a started server answers: those that it says, if its driver is not here. */
export function readiness(
  name: string,
  start: () => Promise<Server & { seconds?: number }>,
  target?: Bound,
): Contestant {
  return {
    name,
    ...(target && { target }),
    async round() {
      const startedAt = performance.now();
      const server = await start();
      const { seconds = (performance.now() - startedAt) / 1000 } = server;
      await server.stop();
      return { value: seconds };
    },
  };
}

function expectSuccess(name: string, seen: Seen): Seen {
  const { requests, failures } = seen;
  if (failures > 0) throw new Error(`${name}: ${failures} requests failed, ${requests} were answered.`);
  return seen;
}
