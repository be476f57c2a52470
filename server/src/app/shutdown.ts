// Shutdown: load balancers stop sending requests, clients close their connections, and open requests finish.
import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import type { Clock } from '../foundation/clock.ts';

/** How long a stopping service serves requests as before, but reports that it is not ready. */
const DRAIN_DELAY_MS = 500;

/** How long open connections may then send one more request. Its answer tells the client to close the connection. */
const KEEPALIVE_CLOSE_MS = 500;

/** After this time the service closes connections whose request is incomplete, or whose client does not read the answer. */
const FORCED_CLOSE_MS = 7000;
const IDLE_CHECK_MS = 100;

/** What a shutdown stops. `close` resolves when the server has no connection any more. */
export type Stoppable = { readonly server: HttpServer; close(): Promise<unknown> };

/** The stages of a shutdown, in order. */
export interface Shutdown {
  /** Whether the shutdown has begun. Then the service is not ready for new callers. */
  hasBegun(): boolean;
  /** Resolves at SIGTERM or SIGINT, or with the promise that `createShutdown` was given. */
  readonly signal: Promise<void>;
  /** Stops the server within 10 s. Resolves when every request that arrived has its answer. */
  end(app: Stoppable): Promise<void>;
}

/**
 * Waits for the signal. Idle connections are closed last, so that no request on its way is lost.
 * @param stop another reason to stop, if there is one.
 */
export function createShutdown(clock: Clock, stop?: Promise<void>): Shutdown {
  let begun = false;
  const signal = new Promise<void>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve());
    void stop?.then(resolve);
  }).then(() => {
    begun = true;
  });
  return {
    hasBegun: () => begun,
    signal,
    async end(app) {
      const { server } = app;
      await clock.sleep(DRAIN_DELAY_MS);
      // The HTTP server's own `close` would close idle connections at once.
      Server.prototype.close.call(server);
      server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
      await clock.sleep(KEEPALIVE_CLOSE_MS);
      // Answers that began before have left their connections open.
      const timers = [
        clock.every(IDLE_CHECK_MS, () => server.closeIdleConnections()),
        clock.every(FORCED_CLOSE_MS, () => server.closeAllConnections()),
      ];
      await app.close();
      for (const stopTimer of timers) stopTimer();
    },
  };
}
