// Waiting for a service on a busy machine.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { AuthError } from '../../src/foundation/errors.ts';

const PAUSE_MS = 20;

/** Then the answer counts: a service that is never free again would hold the run for ever. */
const MOST_TRIES = 2000;

/** Waits until this is so, as another node knows a change within two seconds. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 1; !(await isSo()); tries += 1) {
    assert.ok(tries < MOST_TRIES, `in vain: ${isSo}`);
    await pause(PAUSE_MS);
  }
}

/** Repeats a call while the service is too busy for it. */
export async function patiently<Answer extends { status: number }>(call: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await call();
    if (answer.status !== 503 || tries === MOST_TRIES) return answer;
    await pause(PAUSE_MS);
  }
}

/** The same for work that rejects with such an error. */
export async function untilServed<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AuthError && error.status === 503) || tries === MOST_TRIES) throw error;
    }
    await pause(PAUSE_MS);
  }
}
