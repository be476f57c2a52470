// Stopping: load balancers look away, connections are told to close, requests under way are finished, then all ends.
import { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../foundation/clock.ts';

/** How long a stopping service serves as before, but says that it is not ready. */
const DRAIN_DELAY_MS = 500;

/** How long open connections then have to bring one more request, which tells them to close. */
const KEEPALIVE_CLOSE_MS = 500;

/** After this long, connections that still have not brought their request, or taken their answer, are cut. */
const PATIENCE_MS = 7000;
const IDLE_CHECK_MS = 100;

/** The stages of a stop, one after the other. */
export interface Stop {
  /** Has the stop begun? Then the service is not ready for new callers. */
  hasBegun(): boolean;
  /** Resolves at SIGTERM or SIGINT. */
  readonly signal: Promise<void>;
  /** Ends the server, within 10 s; resolves when every request that arrived was answered. */
  end(app: FastifyInstance): Promise<void>;
}

/** Waits for the signal. Connections that idle are closed last: a request that is on its way to one must not be lost. */
export function createShutdown(clock: Clock): Stop {
  let begun = false;
  const signal = new Promise<void>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve());
  }).then(() => {
    begun = true;
  });
  return {
    hasBegun: () => begun,
    signal,
    async end(app) {
      const { server } = app;
      await clock.sleep(DRAIN_DELAY_MS);
      // Not the HTTP server's own close, which would end idle connections at once.
      Server.prototype.close.call(server);
      server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
      await clock.sleep(KEEPALIVE_CLOSE_MS);
      // Answers that were under way before have kept their connections alive.
      const timers = [
        clock.every(IDLE_CHECK_MS, () => server.closeIdleConnections()),
        clock.every(PATIENCE_MS, () => server.closeAllConnections()),
      ];
      await app.close();
      for (const stopTimer of timers) stopTimer();
    },
  };
}
