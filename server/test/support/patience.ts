// Patience with a service that is too busy on a busy machine.
import { setTimeout as pause } from 'node:timers/promises';
import type { TestAnswer } from './service.ts';

const PAUSE_MS = 20;

/** Repeats a call while the service is too busy for it, as its answer asks to. */
export async function patiently(call: () => Promise<TestAnswer>): Promise<TestAnswer> {
  for (;;) {
    const answer = await call();
    if (answer.status !== 503) return answer;
    await pause(PAUSE_MS);
  }
}
