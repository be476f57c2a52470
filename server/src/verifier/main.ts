// The verifier as a process: follows the service, listens, and stops without failing a request.
import { once } from 'node:events';
import type { Server } from 'node:http';
import { flushCompileCache } from 'node:module';
import { createVerifier } from 'latchkey-sdk/verify';
import type { Logger } from 'pino';
import { createShutdown } from '../app/shutdown.ts';
import { EnvironmentError } from '../config/environment-error.ts';
import { VERSION } from '../config/version.ts';
import { systemClock } from '../foundation/clock.ts';
import { errorCodeOf, errorMessageOf } from '../foundation/errors.ts';
import type { VerifierEnvironment } from './environment.ts';
import { createVerifierServer } from './server.ts';

/**
 * Runs the verifier until SIGTERM or SIGINT. Resolves when it has stopped.
 * @throws EnvironmentError if the service refuses the service key.
 */
export async function runVerifier({ host, port, options }: VerifierEnvironment, log: Logger): Promise<void> {
  const shutdown = createShutdown(systemClock);
  const onError = (error: Error) => log.warn({ problem: describe(error) }, 'the verifier cannot follow the service');
  const verifier = createVerifier({ ...options, onError });
  const findUnreadyReason = () => (shutdown.hasBegun() ? 'The verifier is stopping.' : undefined);
  const server = createVerifierServer({ verifier, findUnreadyReason });
  const closed = new Promise<void>((resolve) => server.once('close', resolve));
  try {
    await listen(server, { host, port });
    const ready = verifier.ready().then(() => {
      log.info({ issuer: options.issuer, version: VERSION }, 'the verifier is ready');
      // Node would write the compiled modules only at the end of the process, which may be killed.
      flushCompileCache();
    });
    await Promise.race([Promise.all([ready, shutdown.signal]).catch(refuse), shutdown.signal]);
    log.info('stopping: the verifier finishes open requests first');
    await shutdown.end({ server, close: () => closed });
  } finally {
    verifier.close();
  }
}

/** `fetch` tells only in the cause what failed. */
function describe({ message, cause }: Error): string {
  return cause === undefined ? message : `${message}: ${errorMessageOf(cause) || errorCodeOf(cause)}`;
}

/** The verifier is not closed yet, so only a refused key can end it. */
function refuse(error: unknown): never {
  throw new EnvironmentError('LATCHKEY_SERVICE_KEY', `is refused. ${errorMessageOf(error)}`);
}

async function listen(server: Server, address: { host: string; port: number }) {
  server.listen(address);
  await once(server, 'listening');
}
