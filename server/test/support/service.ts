// A whole service for tests: everything is real except the clock, and calls go through its HTTP interface.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { type Channels, outboxChannels } from '../../src/app/channels.ts';
import { composeService, type Service } from '../../src/app/compose.ts';
import { createFirstAdministrator, operator } from '../../src/app/first-start.ts';
import { createLogger } from '../../src/app/log.ts';
import { createServer } from '../../src/app/server.ts';
import type { MetricsAccess } from '../../src/config/environment.ts';
import { isAndroidApp } from '../../src/config/origins.ts';
import { readRelyingParty } from '../../src/config/relying-party.ts';
import { type Additions, noAdditions } from '../../src/extensions/additions.ts';
import { createEgress, type Egress, parseEgressAllowance } from '../../src/foundation/egress.ts';
import { type Random, systemRandom } from '../../src/foundation/random.ts';
import type { HashCost } from '../../src/passwords/index.ts';
import type { ServiceKeyPermission } from '../../src/service-keys/index.ts';
import type { Database } from '../../src/storage/database.ts';
import type { ErrorInfo, Method, ResultOf } from './calls.ts';
import { createManualClock, type ManualClock } from './clock.ts';
import { beside, createMigratedUrl, type Engine, openPatiently } from './databases.ts';
import { inOrder } from './lock-order.ts';
import { findUnrevoked } from './unrevoked.ts';

export const ADMIN_PASSWORD = 'correct horse battery';
export const USER_PASSWORD = 'staple gravel lantern';
export const TEST_SECRET = 'a secret of at least thirty-two characters';
export const ISSUER = 'http://localhost:8080';

/** One call; `ip` is the peer's address, and a token of null is none. */
export type TestCall = {
  body?: unknown;
  query?: Record<string, string | number | boolean>;
  token?: string | null | undefined;
  headers?: Record<string, string>;
  ip?: string;
};

/**
 * The answer to a call, as the OpenAPI document types it. The type omits that the result of a failed call is null, and
 * so is the error of a successful one.
 */
export type TestAnswer<Result = unknown> = {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  result: Result;
  error: ErrorInfo;
  body: { result: Result; error: ErrorInfo; success: boolean; unAuthorizedRequest: boolean; __abp: boolean };
  text: string;
};

export interface TestService {
  readonly app: FastifyInstance;
  readonly service: Service;
  readonly clock: ManualClock;
  readonly logs: string[];
  /** What the development outbox has printed. */
  readonly printed: string[];
  get<Path extends string>(path: Path, call?: TestCall): Promise<TestAnswer<ResultOf<'GET', Path>>>;
  post<Path extends string>(path: Path, call?: TestCall): Promise<TestAnswer<ResultOf<'POST', Path>>>;
  send<M extends Method, Path extends string>(
    method: M,
    path: Path,
    call?: TestCall,
  ): Promise<TestAnswer<ResultOf<M, Path>>>;
  /** Signs in and returns the token; fails the test when it cannot. */
  signIn(userName: string, password?: string): Promise<string>;
  /** A fresh token of the administrator. */
  admin(): Promise<string>;
  /** Creates an account with {@link USER_PASSWORD}; returns its id. */
  createUser(userName: string, more?: Record<string, unknown>): Promise<number>;
  /** Makes a service key; returns it. */
  createServiceKey(name: string, permissions: readonly ServiceKeyPermission[]): Promise<string>;
  /** Changes a setting as administrator. */
  set(name: string, value: unknown, appKey?: string): Promise<void>;
  /** Sends every message that is due, and returns what the outbox received since the last call, oldest first. */
  deliver(): Promise<SentMessage[]>;
  close(): Promise<void>;
}

/** A message in the development outbox. */
export type SentMessage = { id: string; means: 'email' | 'sms'; to: string; subject: string | null; text: string };

export type TestServiceOptions = {
  url?: string;
  clock?: ManualClock;
  publicUrl?: string;
  trustedProxies?: string[];
  /** `LATCHKEY_CORS_ORIGINS`. */
  corsOrigins?: string[];
  /** The domain of passkeys. */
  rpId?: string;
  metrics?: MetricsAccess;
  secret?: string;
  /** Replaces the development outbox. */
  channels?: Partial<Channels>;
  /** Providers as extensions register them. */
  additions?: Partial<Additions>;
  /** For tests of what hashing costs. Otherwise a hash costs next to nothing. */
  hashCost?: HashCost;
  /** `LATCHKEY_EGRESS_ALLOW`. Default: nothing. Plain http to this machine is open, as in development. */
  egressAllow?: string;
  /** Replaces what calls addresses that administrators name. */
  egress?: Egress;
  /** Sits between the service and its database. */
  around?: (database: Database) => Database;
};

/** Hashes that take no time: tests make some ten thousand of them. */
const CHEAP: HashCost = { memoryKib: 64, passes: 1 };

/** Messages on a page of the outbox. */
const PAGE = 100;

let addresses = 0;

/** An address that no other call of this test process uses, so that rate limits do not interfere. */
export function freshAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/** Draws as the service does, but never 000000, the pin that tests guess in vain. */
function createTestRandom(): Random {
  let zeros = 0;
  return {
    ...systemRandom,
    below(limit) {
      const drawn = zeros < 5 ? systemRandom.below(limit) : 1 + systemRandom.below(limit - 1);
      zeros = drawn === 0 ? zeros + 1 : 0;
      return drawn;
    },
  };
}

/** Starts a service on an empty database of this engine, or on the one at `url`: a second node. */
export async function startTestService(engine: Engine, options: TestServiceOptions = {}): Promise<TestService> {
  const clock = options.clock ?? createManualClock();
  const logs: string[] = [];
  const printed: string[] = [];
  const stream = new PassThrough().on('data', (line) => logs.push(String(line)));
  const log = createLogger('debug', stream);
  const url = options.url ?? (await createMigratedUrl(engine));
  const corsOrigins = options.corsOrigins?.filter((origin) => !isAndroidApp(origin)) ?? [];
  const opened = await openPatiently(url);
  const database = inOrder(options.around?.(opened) ?? opened);
  const service = await composeService({
    additions: { ...noAdditions, ...options.additions },
    database,
    secret: options.secret ?? TEST_SECRET,
    issuer: options.publicUrl ?? ISSUER,
    corsOrigins,
    relyingParty: readRelyingParty(options.publicUrl ?? ISSUER, options.corsOrigins ?? [], options.rpId),
    hashThreads: 2,
    hashCost: options.hashCost ?? CHEAP,
    egress:
      options.egress ??
      createEgress({ allowance: parseEgressAllowance(options.egressAllow ?? ''), isDevelopment: true }),
    channels: { ...outboxChannels((text) => void printed.push(text)), ...options.channels },
    clock,
    random: createTestRandom(),
    log,
  });
  const administrator = { userName: 'admin', password: ADMIN_PASSWORD, isFinal: true, mustMeetPolicy: false };
  await createFirstAdministrator(service, administrator, systemRandom);
  await service.keys.applyHeaderType();
  const { publicUrl = ISSUER, trustedProxies = [], metrics = 'loopback' } = options;
  const app = await createServer(service, { publicUrl, trustedProxies, corsOrigins, metrics, clock }, log);
  await app.ready();

  const seen = new Set<string>();
  const inject = async (injected: InjectOptions) => await app.inject(injected);
  const send: TestService['send'] = async (method, path, call = {}) => {
    const injected: InjectOptions = {
      method,
      url: path,
      remoteAddress: call.ip ?? freshAddress(),
      headers: { ...(call.token != null && { authorization: `Bearer ${call.token}` }), ...call.headers },
      ...(call.query && {
        query: Object.fromEntries(Object.entries(call.query).map(([name, value]) => [name, String(value)])),
      }),
      ...(call.body !== undefined && { payload: call.body as object }),
    };
    // A call is no part of the transaction in which a test makes it.
    const response = await beside(() => inject(injected));
    const body = /\bjson\b/.test(String(response.headers['content-type'])) ? response.json() : undefined;
    return {
      status: response.statusCode,
      headers: response.headers,
      result: body?.result,
      error: body?.error,
      body,
      text: response.body,
    };
  };
  const test: TestService = {
    app,
    service,
    clock,
    logs,
    printed,
    send,
    get: (path, call) => send('GET', path, call),
    post: (path, call) => send('POST', path, call),
    async signIn(userName, password = USER_PASSWORD) {
      const body = { userNameOrEmailAddress: userName, password };
      const answer = await send('POST', '/api/TokenAuth/Authenticate', { body });
      if (answer.status !== 200) throw new Error(`sign-in of ${userName}: ${answer.text}`);
      return answer.result.accessToken;
    },
    admin: () => test.signIn('admin', ADMIN_PASSWORD),
    async createUser(userName, more = {}) {
      const body = { userName, password: USER_PASSWORD, ...more };
      const answer = await send('POST', '/api/services/app/User/Create', { token: await test.admin(), body });
      if (answer.status !== 200) throw new Error(`creating ${userName}: ${answer.text}`);
      return answer.result.id;
    },
    createServiceKey: (name, permissions) => service.serviceKeys.create({ name, permissions }, operator('test')),
    async set(name, value, appKey) {
      const body = { name, value, ...(appKey !== undefined && { appKey }) };
      const answer = await send('POST', '/api/services/app/Settings/UpdateValue', { token: await test.admin(), body });
      if (answer.status !== 200) throw new Error(`setting ${name}: ${answer.text}`);
    },
    async deliver() {
      await service.messageDispatcher.deliverDue('sms');
      await service.messageDispatcher.deliverDue('email');
      const token = await test.admin();
      const fresh: SentMessage[] = [];
      // All pages: the clock stands still, and messages of one moment come in any order.
      for (let skipCount = 0, total = 1; skipCount < total; skipCount += PAGE) {
        const query = { skipCount, maxResultCount: PAGE };
        const { result } = await send('GET', '/api/services/app/Outbox/GetAll', { token, query });
        fresh.unshift(...result.items.filter(({ id }) => !seen.has(id)).reverse());
        total = result.totalCount;
      }
      for (const { id } of fresh) seen.add(id);
      return fresh;
    },
    async close() {
      await app.close();
      const unrevoked = await findUnrevoked(opened, clock.now()).catch(() => []);
      await database.close();
      assert.deepEqual(unrevoked, [], 'the feed revokes what the service refuses');
      stream.end();
      await once(stream, 'close').catch(() => {});
    },
  };
  return test;
}
