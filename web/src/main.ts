// The page's state line: asks the service whether it is ready, and again from time to time.
import { askReadiness, describe } from './readiness.ts';

const askAgainAfterMs = 10_000;

const line = document.querySelector<HTMLElement>('#state');
if (line) void watch(line);

async function watch(target: HTMLElement): Promise<void> {
  for (;;) {
    show(target, await askReadiness());
    await new Promise((resolve) => setTimeout(resolve, askAgainAfterMs));
  }
}

/** Writes only what changed: the line is a live region, and every write is read aloud. */
function show(target: HTMLElement, readiness: Awaited<ReturnType<typeof askReadiness>>): void {
  if (target.dataset.state === readiness) return;
  target.dataset.state = readiness;
  target.textContent = describe(readiness);
}
