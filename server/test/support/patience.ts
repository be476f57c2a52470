// Retries for a service that answers 503 on a busy machine.
import { setTimeout as pause } from 'node:timers/promises';
import { AuthError } from '../../src/foundation/errors.ts';

const PAUSE_MS = 20;

/** Repeats a call while the service is too busy for it, after the time its answer names. */
export async function patiently<Answer extends { status: number }>(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await call();
    if (answer.status !== 503) return answer;
    await pause(PAUSE_MS);
  }
}

/** The same for work that rejects with such an error. */
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
