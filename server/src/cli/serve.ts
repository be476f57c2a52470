// latchkey serve: runs the service in this process, or in several workers.
import { openWorkerLink, type WorkerLink } from '../app/worker-link.ts';
import { VERSION } from '../config/version.ts';
import { readWorkers } from '../config/workers.ts';
import { systemClock } from '../foundation/clock.ts';
import { beginProcess } from './begin.ts';
import { CommandFailure, defineCommand } from './command.ts';
import { endWithShellOfNpm } from './signals.ts';

export const serveCommand = defineCommand({
  name: 'serve',
  about: 'Run the service until SIGTERM or Ctrl-C.',
  takes: [],
  options: {},
  async run() {
    const worker = findWorkerLink();
    if (worker === undefined) {
      endWithShellOfNpm();
      const workers = readWorkers(process.env);
      if (workers > 1) return (await import('../app/workers.ts')).runWorkers(workers);
    }
    await runService(worker);
    return undefined;
  },
});

async function runService(worker?: WorkerLink) {
  const [{ readEnvironment }, { serve }] = await Promise.all([
    import('../config/environment.ts'),
    import('../app/main.ts'),
  ]);
  const { environment, log } = await beginProcess(readEnvironment, worker);
  await serve(environment, log, worker);
}

/**
 * Returns the link to the supervisor that has started this process, if one has.
 * @throws CommandFailure if the supervisor is of another version: its other workers expect the database of that version.
 */
function findWorkerLink(): WorkerLink | undefined {
  const { LATCHKEY_WORKER: number, LATCHKEY_WORKER_VERSION: version } = process.env;
  if (number === undefined || process.send === undefined) return undefined;
  if (version !== VERSION) {
    throw new CommandFailure(`Latchkey ${VERSION} was installed while ${version} runs: restart the service.`);
  }
  return openWorkerLink(Number(number), process, systemClock);
}
