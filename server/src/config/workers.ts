// Workers: how many processes of a node serve, and what part of the machine each of them may use.
import { availableParallelism } from 'node:os';
import { EnvironmentError } from './environment-error.ts';
import { readVariable, type Variables } from './variables.ts';

const MAX_WORKERS = 64;

/** Connections to PostgreSQL that the workers of a node divide among themselves. Shares are rounded up. */
const CONNECTIONS = 10;

/** Even a worker of many has a second connection, so that a slow transaction does not stop its token checks. */
const MIN_CONNECTIONS = 2;

/**
 * Returns how many processes serve: the number in `LATCHKEY_WORKERS`, or with `auto` one for each core. Default: 1. The
 * embedded database has one writer, so `auto` is 1 there.
 * @throws EnvironmentError if it is not a number from 1 to 64, or above 1 without PostgreSQL.
 */
export function readWorkers(variables: Variables, cores = availableParallelism()): number {
  const text = variables.LATCHKEY_WORKERS?.trim() || '1';
  const isShared = readVariable(variables, 'LATCHKEY_DATABASE_URL')?.trim().startsWith('postgres') === true;
  if (text === 'auto') return isShared ? Math.min(cores, MAX_WORKERS) : 1;
  const workers = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (workers < 1 || workers > MAX_WORKERS) {
    throw new EnvironmentError('LATCHKEY_WORKERS', `is "${text}", but must be auto, or a number from 1 to 64.`);
  }
  if (workers === 1 || isShared) return workers;
  const problem = `is ${workers}, but only one process can write to the embedded database: set LATCHKEY_WORKERS to 1 or auto, or use PostgreSQL.`;
  throw new EnvironmentError('LATCHKEY_WORKERS', problem);
}

/** Keeps every core at work while the main thread handles the results of hashes, and starts no others. */
const SPARE_HASH_THREADS = 1;

/** What one process may use of the machine: hashes that run at once, and connections to PostgreSQL. */
export type Share = { readonly hashThreads: number; readonly connections: number };

/** Returns the share of each of so many workers. Rounds up, so that no core is left without hashes. */
export function shareOf(workers: number, cores = availableParallelism()): Share {
  return {
    hashThreads: Math.ceil(cores / workers) + SPARE_HASH_THREADS,
    connections: Math.max(MIN_CONNECTIONS, Math.ceil(CONNECTIONS / workers)),
  };
}
