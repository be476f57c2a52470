// Traces of requests: the ids that errors and logs name, and whoever follows a request under its own.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Random } from '../foundation/random.ts';

export type RequestTraces = {
  /** The id of a request, or of what is none; asked for once. */
  newId(request?: IncomingMessage): string;
  /** Follows every request of a server that is being built. */
  follow(app: FastifyInstance): void;
};

/** An id of its own for each request, and nobody who follows it. */
export function untracedRequests(random: Random): RequestTraces {
  return { newId: () => random.uuid(), follow() {} };
}
