// Traces of requests: the ids that errors and logs name.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Random } from '../foundation/random.ts';

export type RequestTraces = {
  /** Creates the id of a request, or of data that is no request. Call it once for each. */
  newId(request?: IncomingMessage): string;
  /** Adds tracing to all requests of a server. */
  follow(app: FastifyInstance): void;
};

/** Gives each request an id, and traces none. */
export function untracedRequests(random: Random): RequestTraces {
  return { newId: () => random.uuid(), follow() {} };
}
