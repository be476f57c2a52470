// The guide on protecting services: what it says to programs that no test can run, Traefik and Envoy.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { createRunningClock } from '../support/clock.ts';
import { GUIDE } from '../support/guarded.ts';
import { readGuideFile } from '../support/guide.ts';
import { identityHeaderNames } from '../support/introspection.ts';
import { findFreePort } from '../support/ports.ts';
import { type ProxyAnswer, sendTo } from '../support/protected-application.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { type Sidecar, startSidecar } from '../support/sidecar.ts';

/** Go's and Traefik's flag for a pattern that ignores case is not JavaScript's. */
const toPattern = (text: string) => new RegExp(text.replace('(?i)', ''), text.startsWith('(?i)') ? 'i' : '');

describe('the configuration of Traefik', () => {
  const { http } = parse(readGuideFile(GUIDE, 'latchkey.yaml'));

  it('asks the sidecar, and takes no forwarded header of the client', () => {
    const demands = ['', '?roles=Accountant'];
    assert.deepEqual(
      Object.values(http.middlewares).map((middleware) => (middleware as { forwardAuth: object }).forwardAuth),
      demands.map((demand) => ({
        address: `http://127.0.0.1:8081/verify${demand}`,
        trustForwardHeader: false,
        authResponseHeadersRegex: '(?i)^(remote[-_]|authorization)',
      })),
    );
  });

  it('replaces each identity header, in every spelling, and removes the token', () => {
    const pattern = toPattern(http.middlewares.latchkey.forwardAuth.authResponseHeadersRegex);
    for (const name of identityHeaderNames) {
      for (const spelling of [name, name.toUpperCase(), name.replaceAll('-', '_')]) assert.match(spelling, pattern);
    }
    for (const spelling of ['Authorization', 'authorization']) assert.match(spelling, pattern);
    assert.doesNotMatch('X-Remote', pattern);
  });

  it('has no router without a middleware that exists, and a service that exists', () => {
    const routers = Object.values(http.routers) as { middlewares: string[]; service: string; rule: string }[];
    assert.equal(routers.length, 2);
    for (const { middlewares, service } of routers) {
      assert.equal(middlewares.length, 1);
      for (const name of middlewares) assert.ok(name in http.middlewares, name);
      assert.ok(service in http.services);
    }
    const [, accounting] = routers;
    const rule = / PathRegexp\(`(.*?)`\)/.exec(accounting?.rule ?? '')?.[1] ?? '';
    for (const path of ['/accounting', '/Accounting/2026', '/accounting.json']) assert.match(path, toPattern(rule));
    assert.doesNotMatch('/orders', toPattern(rule));
  });

  it('has no router for a path that the application may read in another way', () => {
    const routers = Object.values(http.routers) as { rule: string }[];
    for (const { rule } of routers) {
      const refused = / !PathRegexp\(`(.*?)`\)$/.exec(rule)?.[1] ?? assert.fail(rule);
      // A class of Go's that JavaScript has not. Traefik has resolved dots, and decoded what need not be encoded.
      const pattern = toPattern(refused.replace('[:cntrl:]', '\\x00-\\x1f\\x7f'));
      for (const part of [';', '\\', '\n', '%3B', '%5C', '%2F', '%25', '%00', '%7F'])
        assert.match(`/x${part}/`, pattern);
      for (const path of ['/orders', '/caf%C3%A9%20(1)', '/.well-known/x..txt']) assert.doesNotMatch(path, pattern);
    }
  });

  it('says the same as labels', () => {
    const { labels } = parse(readGuideFile(GUIDE, 'compose.yaml')).services.orders;
    const prefix = 'traefik.http.middlewares.latchkey.forwardauth.';
    const { forwardAuth } = http.middlewares.latchkey;
    assert.equal(labels['traefik.http.routers.orders.middlewares'], 'latchkey');
    assert.equal(labels['traefik.http.routers.orders.rule'], http.routers.orders.rule);
    // Compose would take it for a variable.
    assert.doesNotMatch(JSON.stringify(labels), /\$/);
    assert.equal(labels[`${prefix}authResponseHeadersRegex`], forwardAuth.authResponseHeadersRegex);
    assert.equal(labels[`${prefix}trustForwardHeader`], String(forwardAuth.trustForwardHeader));
    assert.equal(labels[`${prefix}address`].replace('verifier', '127.0.0.1'), forwardAuth.address);
  });
});

describe('the configuration of Envoy', () => {
  const { common_http_protocol_options, http_filters, clusters, ...manager } = parse(
    readGuideFile(GUIDE, 'envoy.yaml'),
  );
  const [mutation, authorization, removal, router] = http_filters;

  it('removes each identity header of the client before it asks', () => {
    assert.equal(mutation.name, 'envoy.filters.http.header_mutation');
    assert.deepEqual(
      mutation.typed_config.mutations.request_mutations,
      identityHeaderNames.map((name) => ({ remove: name })),
    );
    assert.equal(common_http_protocol_options.headers_with_underscores_action, 'DROP_HEADER');
  });

  it('keeps the token from the application', () => {
    assert.equal(removal.name, 'envoy.filters.http.header_mutation');
    assert.deepEqual(removal.typed_config.mutations.request_mutations, [{ remove: 'authorization' }]);
  });

  it('refuses paths that the application may read in another way', () => {
    const { route_config, ...normalization } = manager;
    const path_with_escaped_slashes_action = 'REJECT_REQUEST';
    assert.deepEqual(normalization, { normalize_path: true, merge_slashes: true, path_with_escaped_slashes_action });
    const [refused, passed] = route_config.virtual_hosts[0].routes;
    assert.deepEqual([refused.direct_response, passed.match], [{ status: 400 }, { prefix: '/' }]);
    // Envoy compares the pattern with the whole path, without the query.
    const pattern = toPattern(refused.match.safe_regex.regex);
    const matches = (path: string) => pattern.exec(path)?.[0] === path;
    for (const part of [';', '\\', '%3b', '%5C', '%2f', '%2e', '%25', '%00', '%0a', '%7f', '%u002f'])
      assert.ok(matches(`/x${part}/y`));
    for (const path of ['/orders', '/caf%c3%a9%20(1)', '/.well-known/x..txt']) assert.ok(!matches(path));
    assert.ok(clusters.some(({ name }: { name: string }) => name === passed.route.cluster));
  });

  it('asks the sidecar before the router, and refuses if that fails', () => {
    assert.equal(authorization.name, 'envoy.filters.http.ext_authz');
    const { failure_mode_allow, http_service } = authorization.typed_config;
    assert.equal(failure_mode_allow, false);
    assert.equal(http_service.path_prefix, '/verify');
    assert.deepEqual(http_service.authorization_response.allowed_upstream_headers, {
      patterns: [{ prefix: 'remote-', ignore_case: true }],
    });
    assert.equal(router.name, 'envoy.filters.http.router');
    const [{ name, load_assignment }] = clusters;
    assert.equal(http_service.server_uri.cluster, name);
    const { address, port_value } = load_assignment.endpoints[0].lb_endpoints[0].endpoint.address.socket_address;
    assert.equal(http_service.server_uri.uri, `http://${address}:${port_value}`);
  });
});

describe('a question as Envoy asks it', () => {
  let test: TestService;
  let sidecar: Sidecar;
  let port: number;
  before(async () => {
    port = await findFreePort();
    const issuer = `http://127.0.0.1:${port}`;
    test = await startTestService('sqlite', { publicUrl: issuer, clock: createRunningClock() });
    await test.app.listen({ port, host: '127.0.0.1' });
    await test.createUser('clerk', { roleNames: ['Clerk'] });
    await test.createUser('accountant', { roleNames: ['Accountant'] });
    sidecar = await startSidecar(test, issuer);
  });
  after(async () => {
    await sidecar?.stop();
    await test?.close();
  });

  for (const guard of ['sidecar', 'forward-auth']) {
    it(`gets 200 with the identity for any method and path (${guard})`, async () => {
      const [clerk, accountant] = [await test.signIn('clerk'), await test.signIn('accountant')];
      const prefix = guard === 'sidecar' ? '/verify' : '/api/forward-auth';
      const ask = (path: string, token: string, method = 'GET'): Promise<ProxyAnswer> => {
        const headers = { authorization: `Bearer ${token}`, 'content-length': '0' };
        return sendTo(guard === 'sidecar' ? sidecar.port : port, `${prefix}${path}`, { method, headers });
      };
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const answer = await ask('/orders/7?page=2', clerk, method);
        assert.deepEqual([answer.status, answer.headers['remote-user']], [200, 'clerk'], method);
        assert.equal((await ask('/orders/7', 'nonsense', method)).status, 401, method);
      }
      // As the guide says: a path_prefix with a demand, before the path and the query of the client.
      const demand = '/?roles=Accountant&path=';
      assert.equal((await ask(`${demand}/orders/7?roles=Clerk`, clerk)).status, 403);
      assert.equal((await ask(`${demand}/orders/7`, clerk)).status, 403);
      assert.equal((await ask(`${demand}/orders/7?page=2`, accountant)).status, 200);
    });
  }
});
