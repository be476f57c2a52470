// OpenID: what applications ask of the service, against the service's own refresh, bare Fastify and other OpenID providers.
import { join } from 'node:path';
import { type Application, grantAll, register } from './applications.ts';
import type { Arena } from './arena.ts';
import type { OidcProviderOptions, OidcProviderReady } from './baselines/oidc-provider.ts';
import { type Server, startServer } from './children.ts';
import { type Comparison, type Contestant, throughput } from './contestants.ts';
import { paths } from './latchkey.ts';
import { bearers, CONNECTIONS, forms, get, type Load, post } from './load.ts';
import { startBetterAuthOpenid } from './peers.ts';
import { expectRounds, renderFigure, type Section } from './report.ts';
import { countTurns, describeRounds, type Turn } from './rounds.ts';
import { type Line, runRounds } from './runner.ts';

/** Live tokens in rotation, for the calls that change nothing. */
const LIVE = 1000;

/** The scopes without an ID token, and with one. OpenID providers other than the service give refresh tokens for `offline_access` only. */
const scopes = { access: 'profile', identity: 'openid profile' } as const;

/** The running service, and its tokens, each of which is used once only. */
type Started = {
  readonly arena: Arena;
  readonly server: Server;
  /** Tokens of sessions that no other contestant has. */
  take(count: number): string[];
};

/** How many sessions refresh in the turns of one contestant: each turn begins with others, because requests of the previous one are still under way. */
const countSessions = ({ plan }: Arena) => countTurns(plan.calls) * CONNECTIONS;
const ofTurn = (all: readonly string[], { number }: Turn) =>
  all.slice(number * CONNECTIONS, (number + 1) * CONNECTIONS);

/** Refreshes as an OpenID client does. */
function refreshing({ driver }: Arena, { name, server, path, basic, refreshTokens, compared }: Refreshing): Contestant {
  const load = (turn: Turn): Load => {
    const tokens = ofTurn(refreshTokens, turn);
    const all = tokens.map((token) => ({ grant_type: 'refresh_token', refresh_token: token }));
    return { ...post(server.url + path, forms(basic, all), turn.seconds), follows: 'refresh_token' };
  };
  return throughput(name, { server, driver, load, ...(compared && { compared }) });
}
type Refreshing = {
  readonly name: string;
  readonly server: Server;
  readonly path: string;
  readonly basic: string;
  readonly refreshTokens: readonly string[];
  readonly compared?: Comparison;
};

async function refreshingHere(
  { arena, server, take }: Started,
  application: Application,
  { name, scope, compared }: { name: string; scope: string; compared?: Comparison },
): Promise<Contestant> {
  const granted = await grantAll(server, application, scope, take(countSessions(arena)));
  const refreshTokens = granted.map(({ refreshToken }) => refreshToken);
  const { basic } = application;
  return refreshing(arena, { name, server, path: paths.token, basic, refreshTokens, ...(compared && { compared }) });
}

/** The refresh of the service's own tokens, to compare with. */
function refreshingSessions({ arena, server, take }: Started, atLeast: number): Contestant {
  const tokens = take(countSessions(arena));
  return throughput('RefreshTokenAsync', {
    server,
    driver: arena.driver,
    load: (turn) => ({
      ...post(server.url + paths.refresh, bearers(ofTurn(tokens, turn)), turn.seconds),
      follows: 'result.accessToken',
    }),
    compared: { cpuRatio: { atLeast } },
  });
}

async function refreshingPeers(
  { arena }: Started,
  scope: string,
  bounds: [number, number] | [],
): Promise<Contestant[]> {
  const options: OidcProviderOptions = { grants: countSessions(arena), scope: `${scope} offline_access` };
  const [library, product] = bounds.map((atLeast): Comparison => ({ cpuRatio: { atLeast } }));
  const bare = arena.keep(
    await startServer<OidcProviderReady>(join(import.meta.dirname, 'baselines/oidc-provider.ts'), options),
  );
  const contestants = [
    refreshing(arena, {
      name: 'bare oidc-provider, in memory',
      server: bare,
      path: '/token',
      ...bare.ready,
      compared: library ?? 'shown',
    }),
  ];
  if (!arena.withPeers) return contestants;
  const peer = arena.keep(await startBetterAuthOpenid({ ...options, databaseFile: arena.newFile() }));
  const path = '/api/auth/oauth2/token';
  const name = 'better-auth, its OpenID provider';
  return [...contestants, refreshing(arena, { name, server: peer, path, ...peer.ready, compared: product ?? 'shown' })];
}

/** A document that everyone may read, against bare Fastify with the same bytes. */
async function reading({ arena, server }: Started, name: string, path: string): Promise<Contestant[]> {
  const { driver } = arena;
  const fastify = await arena.startConstant(await (await fetch(server.url + path)).text());
  const calls = Array.from({ length: CONNECTIONS }, () => ({ headers: {} }));
  return [
    throughput(name, { server, driver, load: ({ seconds }) => get(server.url + path, calls, seconds) }),
    throughput('bare Fastify, a constant of the same size', {
      server: fastify,
      driver,
      load: ({ seconds }) => get(`${fastify.url}/constant`, calls, seconds),
      compared: { ratio: { atLeast: 0.8 } },
    }),
  ];
}

/** What is asked about access tokens, against the service's own check of a token. */
async function asking(started: Started, application: Application): Promise<Contestant[]> {
  const { arena, server, take } = started;
  const granted = await grantAll(server, application, scopes.identity, take(LIVE));
  const tokens = granted.map(({ accessToken }) => accessToken);
  const own = take(LIVE);
  const questions = forms(
    application.basic,
    tokens.map((token) => ({ token })),
  );
  const contestant = (name: string, load: (turn: Turn) => Load, compared?: Comparison) =>
    throughput(name, { server, driver: arena.driver, load, ...(compared && { compared }) });
  return [
    contestant('userinfo', ({ seconds }) => get(server.url + paths.userinfo, bearers(tokens), seconds)),
    contestant(
      'introspection by the application',
      ({ seconds }) => post(server.url + paths.introspect, questions, seconds),
      'shown',
    ),
    contestant(
      'GetCurrentLoginInfo',
      ({ seconds }) => get(server.url + paths.currentLogin, bearers(own), seconds),
      'shown',
    ),
  ];
}

/** The groups of the table. The first line of each compares itself with the others. */
async function openGroups(started: Started): Promise<(() => Promise<Contestant[]>)[]> {
  const [rsa, ec] = [
    await register(started.server),
    await register(started.server, { name: 'ES256', idTokenAlgorithm: 'ES256' }),
  ];
  return [
    async () => [
      await refreshingHere(started, rsa, { name: 'refresh, access token only', scope: scopes.access }),
      refreshingSessions(started, 0.7),
      ...(await refreshingPeers(started, scopes.access, [3, 5])),
    ],
    async () => [
      await refreshingHere(started, ec, { name: 'refresh with an ID token, ES256', scope: scopes.identity }),
      refreshingSessions(started, 0.5),
      await refreshingHere(started, rsa, {
        name: 'refresh with an ID token, RS256',
        scope: scopes.identity,
        compared: 'shown',
      }),
      ...(await refreshingPeers(started, scopes.identity, [])),
    ],
    () => reading(started, 'discovery', paths.discovery),
    () => reading(started, 'key set', paths.keys),
    () => asking(started, rsa),
  ];
}

const GROUPED = 4 + 5 + 2 + 2 + 3;

export const openid: Section = {
  name: 'openid',
  title: 'OpenID',
  expect: ({ calls }) => expectRounds(calls, GROUPED, 60),
  async measure(arena) {
    const perContestant = countSessions(arena);
    const { server, tokens } = await arena.startLatchkey(5 * perContestant + 2 * LIVE);
    const unused = [...tokens];
    const take = (count: number) => unused.splice(0, count);
    const lines: Line[] = [];
    for (const open of await openGroups({ arena, server, take })) {
      lines.push(...(await runRounds(await open(), arena.plan.calls)));
    }
    const about = `What applications ask, ${CONNECTIONS} connections; each table line without a ratio is compared with those below it. A refresh at \`/oauth/token\` authenticates by a client secret, rotates the refresh token durably, and signs an access token by ES256 and the ID token by the algorithm named. RefreshTokenAsync refreshes the service's own tokens. oidc-provider signs its ID tokens by RS256 and stores in memory; better-auth signs them by EdDSA and stores in SQLite; both give opaque access tokens. userinfo, introspection and GetCurrentLoginInfo have ${LIVE} live tokens in rotation. ${describeRounds(arena.plan.calls)}`;
    return renderFigure({ title: this.title, unit: 'per second', about }, lines);
  },
};
