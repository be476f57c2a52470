// Signals: a command ends at them, even as the first process of a container.
import { constants } from 'node:os';
import { systemClock } from '../foundation/clock.ts';

const PARENT_LOOK_MS = 250;

/**
 * Sends this process SIGTERM when its parent has ended, if npm or npx has started it. They run a command in a shell, which ends
 * at SIGTERM without forwarding it.
 */
export function endWithShellOfNpm(): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const stopLooking = systemClock.every(PARENT_LOOK_MS, () => {
    if (process.ppid === parent) return;
    stopLooking();
    process.kill(process.pid, 'SIGTERM');
  });
}

/**
 * Ends the process at SIGTERM, SIGINT and SIGHUP while nothing else listens for them, as the system does for all processes
 * but the first. To process 1, the kernel delivers only signals that it listens for (pid_namespaces(7)).
 */
export function endAtSignals(): void {
  if (process.pid !== 1) return;
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (process.listenerCount(name) === 1) process.exit(128 + constants.signals[name]);
    });
  }
}
