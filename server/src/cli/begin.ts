// The begin of a process that serves: reads its environment, and tells the operator what is odd in it.
import type { Logger } from 'pino';
import type { WorkerLink } from '../app/worker-link.ts';
import { findNotices, type Variables } from '../config/variables.ts';
import { printError } from './output.ts';

/**
 * Returns the environment, and a logger with its level, to which the notices went. A wrong environment is often explained
 * by one of them, such as a mistyped name, so they precede the error.
 * @param worker the link of a worker. Only the first worker tells.
 * @throws EnvironmentError as `read` does.
 */
export async function beginProcess<Environment extends { readonly logLevel: string }>(
  read: (variables: Variables) => Environment,
  worker?: WorkerLink,
): Promise<{ environment: Environment; log: Logger }> {
  const { createLogger, openTerminalStream } = await import('../app/log.ts');
  const notices = worker?.hasDuties === false ? [] : findNotices(process.env);
  try {
    const environment = read(process.env);
    const log = createLogger(environment.logLevel, await openTerminalStream(), worker && { worker: worker.number });
    for (const notice of notices) log.warn(notice);
    return { environment, log };
  } catch (error) {
    notices.forEach(printError);
    throw error;
  }
}
