// The guide on protecting services: nginx and Caddy with its configurations, in front of an application.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { GUIDE, type Guard, type Guarded, type ProxyName, startGuarded } from '../support/guarded.ts';
import { readGuideFile } from '../support/guide.ts';
import { identityHeaderNames } from '../support/introspection.ts';
import type { Received } from '../support/protected-application.ts';
import { USER_PASSWORD } from '../support/service.ts';

const KILOBYTE = 1024;

const combinations: [ProxyName, Guard][] = [
  ['nginx', 'sidecar'],
  ['nginx', 'forward-auth'],
  ['Caddy', 'sidecar'],
  ['Caddy', 'forward-auth'],
];

/** Spellings behind which applications may find `/accounting`, or a page below it, where a proxy sees another path. */
const ambiguousPaths = [
  // Path parameters.
  ...['/;/accounting', '/;x=1/accounting', '/x/..;/accounting', '/x/..;a=b/accounting', '/accounting;x=1'],
  ...['/%3b/accounting', '/%3B/accounting', '/x/..%3b/accounting', '/x/%2e%2e;/accounting'],
  // Backslashes and slashes.
  ...['/\\accounting', '/x\\..\\accounting', '/%5caccounting', '/%5Caccounting', '/x%5c..%5caccounting'],
  ...['/%2faccounting', '/x%2f..%2faccounting', '/x/..%2Faccounting', '/accounting%2F2026', '/accounting/..%2forders'],
  // Segments that are resolved, or are not.
  ...['/./accounting', '/%2e/accounting', '/x/../accounting', '/x/%2E%2e/accounting', '/x/.%2e/accounting'],
  ...['/accounting/../orders', '/accounting/%2e%2e/orders', '/accounting/..', '/accounting/.', '/x/%2e'],
  // Characters that are decoded twice, or cut.
  ...['/%2561ccounting', '/x/%252e%252e/accounting', '/%255caccounting', '/%253b/accounting'],
  ...['/%u005caccounting', '/x%U002f..%u002faccounting'],
  ...['/%00accounting', '/%0aaccounting', '/%09accounting', '/%1faccounting', '/%7faccounting'],
];

/** Headers of a client that claims to be the administrator, in every spelling that an application may take for them. */
const forged = Object.fromEntries(
  identityHeaderNames
    .flatMap((name) => [name, name.replaceAll('-', '_'), name.replace('-', '_')])
    .map((name) => [name.toUpperCase(), 'forged']),
);

/** Returns the headers of the request that an application may take for the caller's identity. Absent ones are empty. */
function identityOf({ headers }: Received): Record<string, string> {
  const named = Object.entries(headers).map(([name, value]) => [name.replaceAll('_', '-'), String(value)]);
  const found = named.filter(([name]) => name?.startsWith('remote-') || name?.startsWith('x-remote-'));
  assert.equal(new Set(found.map(([name]) => name)).size, found.length, 'no header comes twice');
  return { ...Object.fromEntries(identityHeaderNames.map((name) => [name, ''])), ...Object.fromEntries(found) };
}

for (const [proxy, guard] of combinations) {
  describe(`${proxy} that asks ${guard === 'sidecar' ? 'the sidecar' : 'Latchkey'}`, () => {
    let guarded: Guarded;
    let thandiId: number;
    before(async () => {
      guarded = await startGuarded(proxy, guard);
      thandiId = await guarded.test.createUser('thandi', { name: 'Thandi', surname: 'Nkosi', roleNames: ['Clerk'] });
    });
    after(() => guarded?.close());
    afterEach(() => void guarded.application.received.splice(0));

    const signIn = () => guarded.test.signIn('thandi');
    const thandi = () => ({
      'remote-user': 'thandi',
      'remote-user-id': String(thandiId),
      'remote-name': 'Thandi Nkosi',
      'remote-email': '',
      'remote-groups': 'Clerk',
      'remote-auth-level': 'aal1',
    });

    async function assertRefused(statuses: readonly number[], ...[path, token, request]: Parameters<Guarded['call']>) {
      const answer = await guarded.call(path, token, request);
      assert.ok(statuses.includes(answer.status), `${path}: ${answer.status} ${answer.text}`);
      assert.deepEqual(guarded.application.received, []);
      return answer;
    }

    it('passes a valid token, and tells the application who calls', async () => {
      const answer = await guarded.call('/orders?page=2', await signIn());
      assert.deepEqual([answer.status, answer.text], [200, 'the application']);
      const [received] = guarded.application.received;
      assert.ok(received);
      assert.equal(received.url, '/orders?page=2');
      assert.deepEqual(identityOf(received), thandi());
    });

    it('takes no query of a client for a demand', async () => {
      for (const query of ['roles=Accountant', 'acr=strange', 'audience=other']) {
        assert.equal((await guarded.call(`/orders?${query}`, await signIn())).status, 200, query);
      }
    });

    it('refuses a request without a token, with the challenge', async () => {
      const { headers } = await assertRefused([401], '/orders');
      assert.match(String(headers['www-authenticate']), /^Bearer/);
      await assertRefused([401], '/orders', 'nonsense');
    });

    it('refuses a token that was signed off', async () => {
      const [token, other] = [await signIn(), await signIn()];
      assert.equal((await guarded.call('/orders', token)).status, 200);
      await guarded.test.post('/api/TokenAuth/SignOff', { token });
      const refused = await guarded.callWhile(200, '/orders', token);
      assert.equal(refused.status, 401);
      assert.match(String(refused.headers['www-authenticate']), /invalid_token/);
      assert.equal((await guarded.call('/orders', other)).status, 200);
    });

    it('refuses a token that was exchanged, and passes the new one', async () => {
      const token = await signIn();
      assert.equal((await guarded.call('/orders', token)).status, 200);
      const { result } = await guarded.test.post('/api/TokenAuth/RefreshTokenAsync', { token });
      assert.equal((await guarded.callWhile(200, '/orders', token)).status, 401);
      assert.equal((await guarded.call('/orders', result.accessToken)).status, 200);
    });

    it('refuses a restricted session until the password is changed', async () => {
      await guarded.test.createUser('novice', { requireChangePassword: true });
      const token = await guarded.test.signIn('novice');
      const answer = await guarded.callWhile(200, '/orders', token);
      assert.ok([401, 403].includes(answer.status), String(answer.status));
      const body = { currentPassword: USER_PASSWORD, newPassword: 'gravel lantern staple' };
      await guarded.test.post('/api/services/app/User/ChangePassword', { token, body });
      const { result } = await guarded.test.post('/api/TokenAuth/RefreshTokenAsync', { token });
      assert.equal((await guarded.call('/orders', result.accessToken)).status, 200);
    });

    it('demands a role where the configuration says so', async () => {
      await guarded.test.createUser('accountant', { roleNames: ['Accountant'] });
      const [clerk, accountant] = [await signIn(), await guarded.test.signIn('accountant')];
      const spellings = ['/%61ccounting', '/%41%43counting', '//accounting', '/accounting.json', '/accounting%202026'];
      for (const path of ['/accounting', '/accounting/2026', '/Accounting/', ...spellings]) {
        await assertRefused([403], path, clerk);
        await assertRefused([403], `${path}?roles=Clerk`, clerk);
        await assertRefused([401], path);
        assert.equal((await guarded.call(path, accountant)).status, 200, path);
        guarded.application.received.splice(0);
      }
      assert.equal((await guarded.call('/orders', clerk)).status, 200);
    });

    it('refuses every spelling of a path that the application may read in another way', async () => {
      await guarded.test.createUser('auditor', { roleNames: ['Accountant'] });
      const tokens = [await signIn(), await guarded.test.signIn('auditor')];
      for (const path of ambiguousPaths) {
        for (const token of tokens) await assertRefused([400], path, token);
        await assertRefused([400], `${path}?page=2`);
      }
      for (const path of [
        '/orders?next=/;/..%2f%5c\\..%2e/../accounting',
        '/.well-known/orders..txt',
        '/caf%c3%a9%20(1)',
      ]) {
        assert.equal((await guarded.call(path, tokens[0])).status, 200, path);
        assert.equal(guarded.application.received.pop()?.url.toLowerCase(), path, path);
      }
    });

    it('keeps the token from the application', async () => {
      const token = await signIn();
      for (const path of ['/orders', '/']) {
        for (const name of ['Authorization', 'authorization', 'AUTHORIZATION']) {
          const headers = { [name]: `Bearer ${token}` };
          assert.equal((await guarded.call(path, undefined, { headers })).status, 200);
          const received = JSON.stringify(guarded.application.received.splice(0));
          assert.ok(received.includes('thandi') && !received.includes(token), path);
        }
      }
    });

    it('lets no header of the client pass for an identity', async () => {
      const token = await signIn();
      for (const headers of [forged, { ...forged, connection: 'close, Remote-User-Id, Remote-Groups' }]) {
        for (const path of ['/orders', '/']) {
          assert.equal((await guarded.call(path, token, { headers })).status, 200);
          const received = guarded.application.received.splice(0)[0];
          assert.ok(received);
          for (const [name, value] of Object.entries(identityOf(received))) {
            // A header that `Connection` names may be gone.
            const expected = [thandi()[name as 'remote-user'], ...('connection' in headers ? [''] : [])];
            assert.ok(expected.includes(value), `${name}: ${value}`);
          }
        }
        await assertRefused([401], '/orders', undefined, { headers });
      }
    });

    it('refuses two tokens in one request', async () => {
      const [token, other] = [await signIn(), await guarded.test.admin()];
      for (const authorization of [[`Bearer ${token}`, `Bearer ${other}`], [`Bearer ${token}, Bearer ${other}`]])
        await assertRefused([400, 401], '/orders', undefined, { headers: { authorization } });
    });

    it('passes a large body to the application alone', async () => {
      const token = await signIn();
      const part = Buffer.alloc(300 * KILOBYTE, 'x');
      for (const body of [[Buffer.concat([part, part, part])], [part, part, part]]) {
        const before = guarded.door.received();
        const answer = await guarded.call('/orders', token, { method: 'POST', body });
        assert.equal(answer.status, 200);
        assert.equal(guarded.application.received.pop()?.bodyBytes, 3 * part.length);
        assert.ok(guarded.door.received() - before < 8 * KILOBYTE);
        await assertRefused([401], '/orders', undefined, { method: 'POST', body });
      }
    });

    if (guard === 'sidecar') {
      it('refuses every token while the sidecar does not hear from Latchkey, and none afterwards', async () => {
        const token = await signIn();
        guarded.line.swallow();
        const refused = await guarded.callWhile(200, '/orders', token);
        assert.ok(refused.status >= 500, String(refused.status));
        guarded.application.received.splice(0);
        await assertRefused([500, 502, 503, 504], '/orders', token);
        guarded.line.pass();
        assert.equal((await guarded.callWhile(refused.status, '/orders', token)).status, 200);
      });
    }

    it('refuses every token while it gets no answer, and without a connection', async () => {
      const token = await signIn();
      guarded.door.swallow();
      await assertRefused([500, 502, 503, 504], '/orders', token);
      guarded.door.pass();
      assert.equal((await guarded.call('/orders', token)).status, 200);
      guarded.application.received.splice(0);
      await guarded.door.close();
      await assertRefused([500, 502, 503, 504], '/orders', token);
    });
  });
}

for (const guard of ['sidecar', 'forward-auth'] as const) {
  it(`nginx with a cache for everything refuses revoked tokens (${guard})`, async () => {
    const guarded = await startGuarded('nginx', guard, (configuration) => {
      const cache = 'proxy_cache all;\nproxy_cache_valid any 10m;\nproxy_cache_methods GET HEAD POST;';
      const [http, server] = configuration.split('auth_request /_latchkey;\n');
      return `proxy_cache_path cache keys_zone=all:1m;\n${http}${cache}\nauth_request /_latchkey;\n${server}`;
    });
    try {
      await guarded.test.createUser('thandi');
      const token = await guarded.test.signIn('thandi');
      assert.equal((await guarded.call('/orders', token)).status, 200);
      assert.equal((await guarded.call('/orders', token)).status, 200);
      assert.equal(guarded.application.received.length, 1, 'the cache works');
      assert.equal((await guarded.call('/orders')).status, 401);
      await guarded.test.post('/api/TokenAuth/SignOff', { token });
      assert.equal((await guarded.callWhile(200, '/orders', token)).status, 401);
      assert.equal((await guarded.call('/orders', await guarded.test.signIn('thandi'))).status, 200);
    } finally {
      await guarded.close();
    }
  });
}

describe('front ends of other origins', () => {
  const places: [ProxyName, block: string, before: string][] = [
    ['nginx', 'cors.conf', 'location / {'],
    ['Caddy', 'cors.caddyfile', 'request_header -Remote-*'],
  ];
  const origin = 'https://app.example.com';

  for (const [proxy, block, place] of places) {
    it(`get preflights from ${proxy}, and can read every answer`, async () => {
      const guarded = await startGuarded(proxy, 'forward-auth', (text) =>
        text.replace(place, () => `${readGuideFile(GUIDE, block)}${place}`),
      );
      try {
        const headers = { origin, 'access-control-request-method': 'PUT', 'remote-user': 'forged' };
        for (const path of ['/orders', '/accounting']) {
          const preflight = await guarded.call(path, undefined, { method: 'OPTIONS', headers });
          assert.deepEqual([preflight.status, preflight.headers['access-control-allow-origin']], [204, origin]);
          assert.match(String(preflight.headers['access-control-allow-headers']), /Authorization/);
          const refused = await guarded.call(path, undefined, { headers: { origin } });
          assert.deepEqual([refused.status, refused.headers['access-control-allow-origin']], [401, origin]);
        }
        assert.deepEqual(guarded.application.received, []);
        const passed = await guarded.call('/orders', await guarded.test.admin(), { headers: { origin } });
        assert.deepEqual([passed.status, passed.headers['access-control-allow-origin']], [200, origin]);
      } finally {
        await guarded.close();
      }
    });
  }
});

describe('the traps that the guide names', () => {
  const forgedUser = { 'Remote-User': 'forged', Remote_User: 'forged' };

  /** Returns the headers of a request with forged ones that reached the application behind a changed configuration. */
  async function findPassed(proxy: ProxyName, printed: string | RegExp, own: string) {
    const guarded = await startGuarded(proxy, 'forward-auth', (text) => {
      const changed = text.replaceAll(printed, own);
      assert.notEqual(changed, text);
      return changed;
    });
    try {
      await guarded.test.createUser('thandi');
      const token = await guarded.test.signIn('thandi');
      assert.equal((await guarded.call('/orders', token, { headers: forgedUser })).status, 200);
      return guarded.application.received[0]?.headers ?? {};
    } finally {
      await guarded.close();
    }
  }

  it('Caddy passes what it does not remove', async () => {
    const headers = await findPassed('Caddy', /request_header -Remote.\*/g, '');
    assert.deepEqual([headers['remote-user'], headers.remote_user], ['thandi', 'forged']);
  });

  it('Caddy without route removes what it has copied', async () => {
    const headers = await findPassed('Caddy', 'route {', 'handle {');
    assert.deepEqual([headers['remote-user'], headers.remote_user], [undefined, undefined]);
  });

  it('nginx inherits no header into a location that sets one', async () => {
    const headers = await findPassed('nginx', 'location / {', 'location / {\n proxy_set_header X-Other 1;');
    assert.equal(headers['remote-user'], 'forged');
    assert.match(String(headers.authorization), /^Bearer /);
  });

  it('nginx passes names with underscores if it is told to', async () => {
    const headers = await findPassed('nginx', 'location / {', 'underscores_in_headers on;\n location / {');
    assert.deepEqual([headers['remote-user'], headers.remote_user], ['thandi', 'forged']);
  });
});
