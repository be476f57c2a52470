// The server of a composed service: the origin of requests, their rate limits, and the answers outside the API.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Environment } from '../config/environment.ts';
import { VERSION } from '../config/version.ts';
import type { RequestReader } from '../contract/route.ts';
import { factorSettings } from '../factors/index.ts';
import { type Clock, systemClock } from '../foundation/clock.ts';
import type { Origin } from '../foundation/events.ts';
import { pagesFolder } from '../foundation/package-files.ts';
import { systemRandom } from '../foundation/random.ts';
import { isLoopbackHost } from '../foundation/secure-url.ts';
import { createApp } from '../http/app.ts';
import { type Budgets, type ClientAddress, createClientAddress } from '../http/client-address.ts';
import { createFailureLog } from '../http/failure-log.ts';
import { readBearerToken, readServiceKey } from '../http/guard.ts';
import { type NodeMetrics, registerMetrics } from '../http/metrics.ts';
import { registerPages } from '../http/pages.ts';
import { registerOpenApi, registerStandards } from '../http/standards.ts';
import { type RequestTraces, untracedRequests } from '../http/traces.ts';
import { type Policy, rateLimitActions, rateLimitErrors } from '../rate-limits/index.ts';
import type { Service } from './compose.ts';
import { createGauges } from './gauges.ts';

export type ServerOptions = Pick<Environment, 'publicUrl' | 'trustedProxies' | 'corsOrigins' | 'metrics'> & {
  /** Returns why the service is not ready for callers, while it starts or stops. */
  findUnreadyReason?: () => string | undefined;
  clock?: Clock;
  /** Traces requests. Default: no traces. */
  traces?: RequestTraces | undefined;
  /** The metrics of all workers. Default: this process is the only one. */
  nodeMetrics?: NodeMetrics | undefined;
};

/** Builds the server. It does not listen yet. */
export async function createServer(service: Service, options: ServerOptions, log: Logger): Promise<FastifyInstance> {
  const { publicUrl, trustedProxies, corsOrigins, metrics, findUnreadyReason = () => undefined } = options;
  const { clock = systemClock, traces = untracedRequests(systemRandom), nodeMetrics } = options;
  const failureLog = createFailureLog({ log, clock });
  const resolveAddress = createAddressResolver(trustedProxies, log);

  async function registerStandardsAndPages(app: FastifyInstance) {
    if (metrics !== 'off') {
      registerMetrics(app, {
        events: service.events,
        gauges: createGauges(service, { app, log, failureLog, clock, version: VERSION }),
        isOpenTo: metrics === 'loopback' ? isLocal : () => false,
        requireMaintainer: (request) => service.requireMaintainer(readBearerToken(request.headers.authorization)),
        node: nodeMetrics,
      });
    }
    const { keys, database, passkeyOrigins, settings } = service;
    registerOpenApi(app, { routes: service.routes, issuer: publicUrl, version: VERSION });
    registerStandards(app, {
      issuer: publicUrl,
      publicKeys: keys.publicKeys,
      passkeyOrigins,
      arePasskeysOffered: () => settings.read(factorSettings).passkeys,
      ping: database.ping,
      findUnreadyReason,
    });
    await registerPages(app, pagesFolder(), publicUrl);
  }

  function locate(request: FastifyRequest) {
    const client = resolveAddress(request);
    const { 'user-agent': userAgent = null, 'sha-frontend-application': appKey } = request.headers;
    const frontEnd = service.frontEnds.resolve(typeof appKey === 'string' ? appKey : undefined);
    return { origin: { ipAddress: client.address, userAgent, frontEnd }, budgets: client };
  }

  const reader: RequestReader = {
    readToken: ({ headers }) => readBearerToken(headers.authorization),
    readServiceKey: ({ headers }) => readServiceKey(headers.authorization),
    readOrigin: (request) => locate(request).origin,
    readBudgetKey: (request) => resolveAddress(request).budgetKey,
    async countAuthorization(request) {
      const { origin, budgets } = locate(request);
      const { allowed, retryAfterSeconds } = await takeBudget(service, 'authorization', budgets, origin);
      if (!allowed) throw rateLimitErrors.exceeded({ retryAfterSeconds });
    },
  };
  const endpoints = service.endpoints.map((add) => (app: FastifyInstance) => add(app, reader));

  return createApp({
    routes: service.routes,
    guard: service.guard,
    locate,
    deniedCalls: service.deniedCalls,
    takeBudget: (policy, budgets, origin) => takeBudget(service, policy, budgets, origin),
    plugins: [...endpoints, registerStandardsAndPages],
    corsOrigins,
    applicationOrigins: service.applications.origins,
    publicUrl,
    log,
    failureLog,
    traces,
  });
}

/** Headers that a proxy adds. The proxy may run on this machine. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * Returns whether a process on this machine sent the request, to a loopback name. The `Host` header excludes a proxy,
 * which forwards the public name, and a page with a name that was rebound to 127.0.0.1 (DNS rebinding).
 */
function isLocal({ raw: { socket }, headers }: FastifyRequest): boolean {
  const isLoopback = /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '');
  const hostname = (headers.host ?? '').replace(/:\d*$/, '').toLowerCase();
  return isLoopback && isLoopbackHost(hostname) && PROXY_HEADERS.every((name) => headers[name] === undefined);
}

/** Finds the client of a request. Logs one warning if an untrusted peer sends forwarding headers. */
function createAddressResolver(
  trustedProxies: readonly string[],
  log: Logger,
): (request: FastifyRequest) => ClientAddress {
  const clientAddress = createClientAddress({ trustedProxies });
  /** The addresses of peers that send no forwarding headers: they are the same for all requests of a connection. */
  const peers = new WeakMap<object, ClientAddress>();
  let hasWarned = false;
  return ({ raw: { socket }, headers }) => {
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
    const known = isForwarded ? undefined : peers.get(socket);
    if (known) return known;
    const found = clientAddress.resolve({ socketAddress: socket.remoteAddress, headers });
    if (!isForwarded) peers.set(socket, found);
    if (found.hasUntrustedForwarding && !hasWarned) {
      hasWarned = true;
      const message =
        'an address that is not in LATCHKEY_TRUSTED_PROXIES sends forwarding headers: if it is a proxy, add it, because all of its clients share one rate limit';
      log.warn({ peer: found.address }, message);
    }
    return found;
  };
}

/** Counts one request against these budgets. Only the first refusal gets an audit entry. */
async function takeBudget({ rateLimits, audit }: Service, policy: Policy, budgets: Budgets, origin: Origin) {
  const decision = await rateLimits.take(policy, budgets.budgetKey, budgets.siteKey);
  if (decision.firstRefusal) {
    const { reason } = rateLimitErrors.exceeded;
    const action = rateLimitActions.exceeded;
    await audit.recordAlone({ action, outcome: 'refused', reason, origin, details: { policy } });
  }
  return decision;
}
