// Contestants: what takes part in a figure, the result of one round, and the target of its median.
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds, type Driver, type HashingProgram, residentMemory, type Server } from './children.ts';
import type { Load } from './load.ts';
import type { Turn } from './rounds.ts';

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
  /** Requests that were not answered with 2xx: the service refuses sign-ins that would wait too long. */
  readonly failures?: number;
};

export type Bound = { readonly atLeast: number } | { readonly atMost: number };

/** How the first contestant compares with this one: only shown, or with a bound for one of the two ratios. */
export type Comparison = 'shown' | { readonly ratio: Bound } | { readonly cpuRatio: Bound };

export type Contestant = {
  readonly name: string;
  run(turn: Turn): Promise<Outcome>;
  /** The target of this contestant's own median. */
  readonly target?: Bound;
  readonly compared?: Comparison;
};

/** Time for a background load to reach its full strength. */
const SETTLING_MS = 500;

/** Requests per second that a server answers, with the load of each turn. */
export function throughput(
  name: string,
  {
    server,
    driver,
    load,
    compared,
    cpu = () => cpuSeconds(server.pid),
  }: {
    server: Server;
    driver: Driver;
    load: (turn: Turn) => Load;
    compared?: Comparison;
    cpu?: () => number;
  },
): Contestant {
  return {
    name,
    ...(compared && { compared }),
    async run(turn) {
      const before = cpu();
      const { requests, seconds, p50, p99, failures } = await driver.drive(load(turn));
      return { value: requests / seconds, cpu: cpu() - before, requests, p50, p99, failures };
    },
  };
}

/** Requests per CPU second of several servers that share the load. */
export function efficiency(
  name: string,
  {
    servers,
    driver,
    load,
    compared,
  }: {
    servers: readonly Server[];
    driver: Driver;
    load: (server: Server, turn: Turn, index: number) => Load;
    compared?: Comparison;
  },
): Contestant {
  const cpu = () => servers.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
  return {
    name,
    ...(compared && { compared }),
    async run(turn) {
      const before = cpu();
      const seen = await Promise.all(servers.map((server, index) => driver.drive(load(server, turn, index))));
      const used = cpu() - before;
      const requests = seen.reduce((sum, part) => sum + part.requests, 0);
      const failures = seen.reduce((sum, part) => sum + part.failures, 0);
      return { value: requests / used, cpu: used, requests, failures };
    },
  };
}

/** Verifications per second of a process that does nothing else. */
export function hashing(name: string, program: HashingProgram, compared: Comparison): Contestant {
  return {
    name,
    compared,
    async run({ seconds }) {
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
    compared,
    target,
  }: {
    server: Server;
    driver: Driver;
    load: (seconds: number) => Load;
    background: (seconds: number) => Load;
    compared?: Comparison;
    target?: Bound;
  },
): Contestant {
  return {
    name,
    ...(compared && { compared }),
    ...(target && { target }),
    async run({ seconds }) {
      const before = cpuSeconds(server.pid);
      const busy = driver.drive(background(seconds + (2 * SETTLING_MS) / 1000));
      const [{ p50, p99, failures }, { failures: behind }] = await Promise.all([
        sleep(SETTLING_MS).then(() => driver.drive(load(seconds))),
        busy,
      ]);
      return { value: p99, cpu: cpuSeconds(server.pid) - before, p50, p99, failures: failures + behind };
    },
  };
}

/** Resident memory in MB of a server just started: the maximum during `work`. */
export function memory<Started extends Server>(
  name: string,
  {
    start,
    work,
    target,
  }: {
    start: () => Promise<Started>;
    work: (server: Started, seconds: number) => Promise<Pick<Outcome, 'failures'>>;
    target?: Bound;
  },
): Contestant {
  return {
    name,
    ...(target && { target }),
    async run({ seconds }) {
      const server = await start();
      let most = 0;
      const look = () => {
        most = Math.max(most, residentMemory(server.pid));
      };
      const timer = setInterval(look, 50);
      try {
        const { failures = 0 } = await work(server, seconds);
        look();
        return { value: most, failures };
      } finally {
        clearInterval(timer);
        await server.stop();
      }
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
    async run() {
      const startedAt = performance.now();
      const server = await start();
      const { seconds = (performance.now() - startedAt) / 1000 } = server;
      await server.stop();
      return { value: seconds };
    },
  };
}
