// The server: turns the routes into Fastify handlers. Each request passes rate limit, guard, input, handler and envelope.
import { Readable } from 'node:stream';
import cors, { type FastifyCorsOptions } from '@fastify/cors';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import type { DeniedCalls } from '../authorization/index.ts';
import { createInputReader, MAX_BODY_BYTES, parseBody } from '../contract/input.ts';
import type { Call, Download, Route } from '../contract/route.ts';
import type { Permitted, SignedIn } from '../foundation/authority.ts';
import { basePathOf, withoutBasePath } from '../foundation/base-path.ts';
import { type AuthError, requestErrors, serviceErrors } from '../foundation/errors.ts';
import type { Origin } from '../foundation/events.ts';
import type { Decision, Policy } from '../rate-limits/index.ts';
import { rateLimitErrors, rateLimitHeaders } from '../rate-limits/index.ts';
import { EXPOSED_HEADERS, openToApplications, PREFLIGHT_SECONDS } from './application-origins.ts';
import { answerHeaders, registerArrival } from './arrival.ts';
import type { Budgets } from './client-address.ts';
import { refuseCrossSite } from './cross-site.ts';
import { successSchema, wrapPieces, wrapResult } from './envelope.ts';
import type { FailureLog } from './failure-log.ts';
import { createBrokenRequestHandler, registerFailures, sendError } from './failures.ts';
import { type Guard, readBearerToken } from './guard.ts';
import { toRoutableUrl } from './pages.ts';
import { createPaths } from './paths.ts';
import { schemaCompilers } from './schema-compilers.ts';
import type { RequestTraces } from './traces.ts';

/** A request must arrive completely within this time, so that slow senders hold no connection. */
const REQUEST_TIMEOUT_MS = 30_000;
const CONNECTION_CHECK_MS = 2000;

/** The paths below this match in any case. */
const API_ROOT = '/api/';

/** Addresses of public standards, for programs. */
const STANDARDS = /^\/(?:\.well-known|health)\//;

export type AppDeps = {
  readonly routes: readonly Route[];
  readonly guard: Guard;
  /** Returns a request's origin, and the rate-limit budgets that it uses. */
  readonly locate: (request: FastifyRequest) => { origin: Origin; budgets: Budgets };
  /** Counts one request against these budgets. */
  readonly takeBudget: (policy: Policy, budgets: Budgets, origin: Origin) => Promise<Decision>;
  readonly deniedCalls: DeniedCalls;
  /** They add what answers outside the API: standards, pages, metrics. */
  readonly plugins: readonly ((app: FastifyInstance) => void | Promise<void>)[];
  readonly corsOrigins: readonly string[];
  /** Returns the origins of pages of applications. */
  readonly applicationOrigins: () => readonly string[];
  /** Its scheme is that of browsers' requests, and below its path all addresses answer. */
  readonly publicUrl: string;
  readonly log: Logger;
  readonly failureLog: FailureLog;
  readonly traces: RequestTraces;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** What the hooks have established before the handler runs. */
    caller:
      | { origin: Origin; budgets: Budgets; token: string | undefined; signedIn: SignedIn | Permitted | undefined }
      | undefined;
  }
}

/** Builds the server. It does not listen yet. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const { routes, corsOrigins, applicationOrigins, publicUrl, plugins, log, failureLog, traces } = deps;
  const paths = createPaths(routes);
  const headers = answerHeaders(publicUrl.startsWith('https:'));
  const basePath = basePathOf(publicUrl);
  const loggerInstance: FastifyBaseLogger = log;
  const app = Fastify({
    loggerInstance,
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => traces.newId(request),
    requestIdHeader: false,
    schemaController: schemaCompilers,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { connectionsCheckingInterval: CONNECTION_CHECK_MS, headersTimeout: REQUEST_TIMEOUT_MS },
    clientErrorHandler: createBrokenRequestHandler(traces, headers),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    rewriteUrl: (request) => paths.canonicalUrl(toRoutableUrl(request, withoutBasePath(request.url ?? '/', basePath))),
    frameworkErrors(error, request, reply: FastifyReply) {
      reply.headers(headers);
      sendError(request, reply, error, failureLog);
    },
  });
  traces.follow(app);
  registerArrival(app, headers);
  refuseCrossSite(app, corsOrigins, openToApplications(app, applicationOrigins));
  app.decorateRequest('caller', undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) =>
    parseBody(body),
  );
  // Many clients name some other type on a POST without a body.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) => {
    if (body.length > 0) throw requestErrors.unsupportedMediaType();
    return undefined;
  });
  if (corsOrigins.length > 0) await app.register(cors, { delegator: corsOptions(corsOrigins) });
  registerFailures(app, paths, failureLog, (refusal, request) => noteDenied(deps, refusal, request));
  // What answers without the envelope is below this path, too.
  app.addHook('onRoute', ({ method, url }) => {
    const isApi = url.startsWith(API_ROOT);
    if (!isApi && !STANDARDS.test(url)) return;
    const add = isApi ? paths.add : paths.addExact;
    // Fastify adds HEAD to each GET.
    for (const one of [method].flat()) if (one !== 'HEAD') add({ method: one, path: url });
  });
  for (const plugin of plugins) await plugin(app);
  for (const route of routes) addRoute(app, route, deps);
  return app;
}

/** Calls of sign-in pages, which need the cookie of an application's request. No other answer to another origin allows cookies. */
const WITH_COOKIE: readonly string[] = ['Get', 'Continue'].map(
  (name) => `${API_ROOT}services/app/Authorization/${name}`,
);

const corsOptions =
  (origins: readonly string[]) =>
  ({ url }: FastifyRequest, done: (error: Error | null, options: FastifyCorsOptions) => void) =>
    done(null, {
      origin: [...origins],
      methods: ['GET', 'POST', 'PUT', 'DELETE'],
      // Any header: the tokens of this API are no ambient credentials, so a header opens nothing.
      exposedHeaders: [...EXPOSED_HEADERS],
      maxAge: PREFLIGHT_SECONDS,
      strictPreflight: false,
      credentials: WITH_COOKIE.includes(url.split('?', 1)[0] ?? ''),
    });

/** Records a call that its caller may not make. */
function noteDenied({ deniedCalls, locate, failureLog }: AppDeps, refusal: AuthError, request: FastifyRequest) {
  const { method, routeOptions, caller, id } = request;
  const permitted = caller?.signedIn && 'actor' in caller.signedIn ? caller.signedIn.actor : undefined;
  const call = { call: `${method} ${routeOptions.url}`, origin: () => locate(request).origin };
  deniedCalls.note(refusal, refusal.by ?? permitted, call, (cause) =>
    failureLog.note(serviceErrors.unavailable({ cause }), id),
  );
}

function addRoute(app: FastifyInstance, route: Route, { guard, locate, takeBudget }: AppDeps) {
  const { method, path, limit, maxBodyBytes } = route;
  const readInput = createInputReader(route);
  app.route({
    method,
    url: path,
    ...(maxBodyBytes !== undefined && { bodyLimit: maxBodyBytes }),
    // HEAD would make the whole file, for no client.
    ...(route.files || route.isLong
      ? { exposeHeadRoute: false }
      : { schema: { response: { 200: successSchema(route.result) } } }),
    // This hook runs before the body is read, so every request counts against its budget.
    async onRequest(request, reply) {
      reply.header('cache-control', 'no-store');
      const { origin, budgets } = locate(request);
      if (limit) {
        const decision = await takeBudget(limit, budgets, origin);
        reply.headers(rateLimitHeaders(limit, decision));
        if (!decision.allowed) throw rateLimitErrors.exceeded({ retryAfterSeconds: decision.retryAfterSeconds });
      }
      const token = readBearerToken(request.headers.authorization);
      request.caller = { origin, budgets, token, signedIn: await guard.authorize(route, token) };
    },
    async handler(request, reply) {
      if (!request.caller) throw new Error('The onRequest hook has not run.');
      const { origin, budgets, token, signedIn } = request.caller;
      const { budgetKey, siteKey } = budgets;
      // The sender may take long to send the body: the caller's right may have ended meanwhile.
      const caller = method === 'GET' ? signedIn : await guard.authorize(route, token);
      const input = readInput(request.body, request.query);
      const header = (name: string) => request.headers[name]?.toString();
      const setCookie = (cookie: string) => void reply.header('set-cookie', cookie);
      const call = { input, caller, token, origin, header, budgetKey, siteKey, setCookie };
      // `defineRoute` has typed the handler by the same schema and access that were checked here.
      const answer = await route.handle(call as Call<never, never>);
      // `defineLongResult` has typed the answer of a long route.
      if (route.isLong) return sendPieces(reply.type(JSON_TYPE), wrapPieces(answer as AsyncIterable<string>));
      // `defineDownload` has typed the answer of a route with files.
      return route.files ? sendDownload(reply, answer as Download) : wrapResult(answer);
    },
  });
}

const JSON_TYPE = 'application/json; charset=utf-8';

function sendDownload(reply: FastifyReply, { type, fileName, pieces }: Download) {
  reply.type(`${type}; charset=utf-8`).header('content-disposition', `attachment; filename="${fileName}"`);
  return sendPieces(reply, pieces);
}

/** Holds one piece at a time. If a piece fails, the connection is cut, so that no client takes a part for the whole. */
const sendPieces = (reply: FastifyReply, pieces: AsyncIterable<string>) =>
  reply.send(Readable.from(pieces, { highWaterMark: 1 }));
