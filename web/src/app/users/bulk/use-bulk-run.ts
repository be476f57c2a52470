// A run over several accounts: a few calls at a time, with progress, a way to stop, and what became of each account.
import { useRef, useState } from 'react';
import { describeProblem } from '../../../ui/problem.ts';
import type { User } from '../user.ts';

/** Calls at the same time. */
const AT_ONCE = 4;

/** What became of an account. `problem`: why the service refused. */
export type BulkResult = {
  readonly user: User;
  readonly state: 'done' | 'unchanged' | 'refused';
  readonly problem?: string;
};

/** What a run does with each account. */
export type Work = {
  /** Whether the account needs no call. */
  readonly isDone: (user: User) => boolean | Promise<boolean>;
  readonly act: (user: User) => Promise<unknown>;
};

type Run = { readonly total: number; readonly results: readonly BulkResult[]; readonly isRunning: boolean };

const idle: Run = { total: 0, results: [], isRunning: false };

/** Returns the run, a function that starts one, and a function that lets it make no further calls. */
export function useBulkRun() {
  const [run, setRun] = useState(idle);
  const isStopped = useRef(false);

  /**
   * @param last the account to change after all others: the signed-in user's own.
   * @returns the results, in the order of the accounts.
   */
  async function start(
    users: readonly User[],
    { last, ...work }: { last: number } & Work,
  ): Promise<readonly BulkResult[]> {
    isStopped.current = false;
    const found = new Map<number, BulkResult>();
    const sorted = () => users.flatMap(({ id }) => found.get(id) ?? []);
    setRun({ total: users.length, results: [], isRunning: true });

    async function handle(user: User) {
      const result = await attempt(user, work);
      found.set(user.id, result);
      setRun((before) => ({ ...before, results: sorted() }));
    }
    const waiting = users.filter(({ id }) => id !== last);
    const handleNext = async () => {
      for (let user = waiting.shift(); user && !isStopped.current; user = waiting.shift()) await handle(user);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, handleNext));
    const own = users.find(({ id }) => id === last);
    if (own && !isStopped.current) await handle(own);
    setRun((before) => ({ ...before, isRunning: false }));
    return sorted();
  }

  return {
    ...run,
    start,
    stop: () => {
      isStopped.current = true;
    },
    reset: () => setRun(idle),
  };
}

async function attempt(user: User, { isDone, act }: Work): Promise<BulkResult> {
  try {
    if (await isDone(user)) return { user, state: 'unchanged' };
    await act(user);
    return { user, state: 'done' };
  } catch (error) {
    return { user, state: 'refused', problem: describeProblem(error).message };
  }
}
