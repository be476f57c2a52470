// Patience with a service that is too busy on a busy machine.
import { setTimeout as pause } from 'node:timers/promises';
import { AuthError } from '../../src/foundation/errors.ts';

const PAUSE_MS = 20;

/** Repeats a call while the service is too busy for it, as its answer asks to. */
export async function patiently<Answer extends { status: number }>(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await call();
    if (answer.status !== 503) return answer;
    await pause(PAUSE_MS);
  }
}

/** The same of work that ends in such an error. */
export async function untilServed<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AuthError && error.status === 503)) throw error;
    }
    await pause(PAUSE_MS);
  }
}
