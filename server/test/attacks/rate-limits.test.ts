// Attacks on the rate limits: other addresses, other spellings, other bodies, other nodes.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createManualClock } from '../support/clock.ts';
import { createMigratedUrl, engines } from '../support/databases.ts';
import { freshAddress, startTestService, type TestAnswer, type TestService } from '../support/service.ts';

const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const REFRESH = '/api/TokenAuth/RefreshTokenAsync';
const PROXY = '192.0.2.1';
const LIMIT = 10;

function assertExceeded(answer: TestAnswer, retryAfter?: number) {
  assert.deepEqual([answer.status, answer.error?.reason], [429, 'rateLimit.exceeded']);
  const { code, details, traceId } = answer.error;
  assert.deepEqual([code, answer.body.success, answer.body.__abp], [429, false, true]);
  assert.ok(details && traceId);
  assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/);
  if (retryAfter !== undefined) assert.equal(answer.headers['retry-after'], String(retryAfter));
}

for (const engine of engines) {
  describe(`rate limits on ${engine}`, () => {
    let test: TestService;
    let ip: string;

    before(async () => {
      test = await startTestService(engine, { trustedProxies: [PROXY, '198.51.100.0/24', '2001:db8:ffff::/48'] });
    });
    beforeEach(() => {
      ip = freshAddress();
    });
    after(() => test.close());

    const attempt = (headers: Record<string, string> = {}, from = ip) =>
      test.post(AUTHENTICATE, { ip: from, headers, body: {} });
    async function exhaust(headers: Record<string, string> = {}, from = ip) {
      for (let turn = 0; turn < LIMIT; turn += 1) assert.equal((await attempt(headers, from)).status, 400);
    }
    const forwardedFor = (value: string, from = PROXY) => attempt({ 'x-forwarded-for': value }, from);

    it('refuse the eleventh sign-in of a minute, right or wrong, with `Retry-After`', async () => {
      const body = { userNameOrEmailAddress: 'admin', password: 'a wrong guess at it' };
      for (let turn = 1; turn <= LIMIT; turn += 1) {
        const answer = await test.post(AUTHENTICATE, { ip, body: { ...body, userNameOrEmailAddress: `no${turn}` } });
        assert.equal(answer.status, 401);
        assert.equal(answer.headers['ratelimit-policy'], '"login";q=10;w=60');
        assert.equal(answer.headers.ratelimit, `"login";r=${LIMIT - turn};t=60`);
      }
      test.clock.advance(17.5);
      const answer = await test.post(AUTHENTICATE, { ip, body });
      assertExceeded(answer, 43);
      assert.equal(answer.headers.ratelimit, '"login";r=0;t=43');
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.equal((await attempt({}, freshAddress())).status, 400);
      test.clock.advance(42.4);
      assertExceeded(await attempt(), 1);
      test.clock.advance(0.1);
      assert.equal((await attempt()).status, 400);
    });

    it('allow exactly the budget for concurrent requests', async () => {
      const answers = await Promise.all(Array.from({ length: 60 }, () => attempt()));
      assert.equal(answers.filter(({ status }) => status === 400).length, LIMIT);
      for (const answer of answers.filter(({ status }) => status !== 400)) assertExceeded(answer, 60);
    });

    it('add one audit entry for the first refusal', async () => {
      await exhaust();
      await Promise.all(Array.from({ length: 20 }, () => attempt()));
      const query = { action: 'rateLimit.exceeded', ipAddress: ip };
      const { result } = await test.get('/api/services/app/Audit/GetAll', { token: await test.admin(), query });
      assert.equal(result.totalCount, 1);
      const { outcome, reason, details } = result.items[0] ?? assert.fail();
      assert.deepEqual([outcome, reason, details], ['refused', 'rateLimit.exceeded', { policy: 'login' }]);
    });

    it('count an IPv6 network of 64 bits as one address, and IPv4-mapped addresses as IPv4', async () => {
      await exhaust({}, '2001:db8:1:2::1');
      assertExceeded(await attempt({}, '2001:db8:1:2:ffff:ffff:ffff:ffff'));
      assertExceeded(await attempt({}, '2001:0DB8:0001:0002::abcd'));
      assert.equal((await attempt({}, '2001:db8:1:3::1')).status, 400);
      await exhaust();
      assertExceeded(await attempt({}, `::ffff:${ip}`));
      const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number);
      const hex = (high: number, low: number) => (high * 256 + low).toString(16);
      assertExceeded(await attempt({}, `::ffff:${hex(a, b)}:${hex(c, d)}`));
    });

    it('ignore forwarding headers of an untrusted client, and log one warning', async () => {
      await exhaust();
      for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'true-client-ip', 'cf-connecting-ip']) {
        const value = header === 'forwarded' ? 'for=203.0.113.9' : '203.0.113.9';
        assertExceeded(await attempt({ [header]: value }));
      }
      assert.equal(test.logs.filter((line) => line.includes('LATCHKEY_TRUSTED_PROXIES')).length, 1);
    });

    it('use the right-most untrusted hop of a trusted proxy', async () => {
      await exhaust({ 'x-forwarded-for': `10.9.9.9, ${ip}` }, PROXY);
      for (const spoofed of ['10.1.1.1', `${PROXY}, 10.1.1.2`, '10.1.1.3,,', 'unknown', '%$§', '"', 'for=10.1.1.4']) {
        assertExceeded(await forwardedFor(`${spoofed}, ${ip}`));
      }
      assertExceeded(await forwardedFor(`10.1.1.5, ${ip}, 198.51.100.7`));
      assertExceeded(await forwardedFor(`${ip}:4711`));
      assertExceeded(await forwardedFor(`[::ffff:${ip}]:80`));
      assertExceeded(await attempt({ forwarded: `for=10.1.1.6, for="${ip}:80";proto=https` }, '198.51.100.200'));
      assertExceeded(await attempt({}, ip));
      assert.equal((await forwardedFor(`${ip}, 10.77.1.1`)).status, 400);
    });

    it('charge a request with a malformed header to the proxy', async () => {
      const from = '198.51.100.99';
      await exhaust({ 'x-forwarded-for': '10.1.1.1, nonsense' }, from);
      const malformed = [
        '',
        ',',
        'unknown',
        '10.1.1',
        '10.1.1.1.1',
        '0x0a.1.1.1',
        '010.1.1.1',
        '1::2::3',
        '10.1.1.1;',
        '\t',
      ];
      for (const value of malformed) assertExceeded(await forwardedFor(`10.1.1.1, ${value}`, from));
      assertExceeded(await attempt({ 'x-forwarded-for': 'x'.repeat(8000) }, from));
      assertExceeded(await attempt({ 'x-forwarded-for': '10.5.5.5', forwarded: 'for=10.6.6.6' }, from));
      assertExceeded(await attempt({}, from));
    });

    it('apply to every spelling of a path that is answered', async () => {
      await exhaust();
      const spellings = [
        '/api/TokenAuth/AuthenticateAsync',
        '/API/tokenauth/AUTHENTICATE',
        '/api/TokenAuth/Authenticate/',
        '/api/TokenAuth/Authenticate?x=1',
        '/api/TokenAuth/Authenticate/?',
        '/api/TokenAuth/%41uthenticate',
        '/api%2FTokenAuth%2fAuthenticate',
        '/%61%70%69/TokenAuth/authenticateasync//',
        '/api/TokenAuth/Authenticate%2F?a=/api',
      ];
      for (const path of spellings) assertExceeded(await test.post(path, { ip, body: {} }));
      const unknown = [
        '//api/TokenAuth/Authenticate',
        '/api//TokenAuth/Authenticate',
        '/api/./TokenAuth/Authenticate',
        '/api/x/../TokenAuth/Authenticate',
        '/api/TokenAuth/Authenticate;x=1',
        '/api/TokenAuth/Authenticate%00',
        '/api/TokenAuth/Authenticate%20',
        '/api/TokenAuth/%2541uthenticate',
        '/api/TokenAuth/AuthenticateAsyncAsync',
        '/api/TokenAuth/Authent\u0131cate',
        '/api/TokenAuth/Authenticate%23',
        '/api\\TokenAuth\\Authenticate',
      ];
      for (const path of unknown) {
        const answer = await test.post(path, { ip, body: {} });
        assert.ok([404, 429].includes(answer.status), `${path}: ${answer.status}`);
      }
    });

    it('charge every request, with any body', async () => {
      const bodies: [string, string | Buffer][] = [
        ['application/json', '{'],
        ['application/json', ''],
        ['application/json', Buffer.from([0xff, 0xfe])],
        ['application/json', `{"a":"${'x'.repeat(70_000)}"}`],
        ['application/json', '[]'],
        ['text/plain', 'hello'],
        ['application/x-www-form-urlencoded', 'a=b'],
        ['multipart/form-data; boundary=x', '--x--'],
        ['nonsense', 'x'],
        ['application/json', '{"userNameOrEmailAddress":"nobody","password":"nothing"}'],
      ];
      for (const [type, body] of bodies) {
        const { status } = await test.post(AUTHENTICATE, { ip, body, headers: { 'content-type': type } });
        assert.ok([400, 401, 413, 415].includes(status), `${type}: ${status}`);
      }
      for (const [type, body] of bodies) {
        assertExceeded(await test.post(AUTHENTICATE, { ip, body, headers: { 'content-type': type } }));
      }
    });

    it('apply changed limits to the next request', async () => {
      await test.set('Latchkey.RateLimiting', { loginPermitLimit: 3 });
      for (let turn = 0; turn < 3; turn += 1) assert.equal((await attempt()).status, 400);
      assertExceeded(await attempt(), 60);
      await test.set('Latchkey.RateLimiting', { loginPermitLimit: 5, loginWindowSeconds: 600 });
      assert.equal((await attempt()).headers.ratelimit, '"login";r=1;t=600');
      await test.set('Latchkey.RateLimiting', { loginPermitLimit: 2, loginWindowSeconds: 60 });
      assertExceeded(await attempt(), 60);
      await test.set('Latchkey.RateLimiting', { retryAfterSeconds: 90 });
      assertExceeded(await attempt(), 90);
      test.clock.advance(30);
      assertExceeded(await attempt(), 60);
      await test.set('Latchkey.RateLimiting', { loginPermitLimit: LIMIT, retryAfterSeconds: 0 });
      assert.equal((await attempt()).status, 400);
    });

    it('throttle only the calls that have a limit', async () => {
      await exhaust();
      let token = await test.signIn('admin', 'correct horse battery');
      for (let turn = 0; turn < 200; turn += 1) {
        const answer = await test.post(REFRESH, { token, ip });
        assert.equal(answer.status, 200);
        token = answer.result.accessToken;
      }
      for (let turn = 0; turn < 200; turn += 1) {
        const answer = await test.get('/api/services/app/Session/GetAll', { token, ip });
        assert.equal(answer.status, 200);
        assert.equal(answer.headers.ratelimit, undefined);
      }
      for (let turn = 0; turn < 30; turn += 1) {
        assert.equal((await test.post(REFRESH, { token: 'nonsense', ip })).status, 401);
        const body = { currentPassword: 'x', newPassword: 'short' };
        assert.equal((await test.post('/api/services/app/User/ChangePassword', { token, ip, body })).status, 400);
      }
      assertExceeded(await attempt());
    });
  });
}

describe('rate limits over two nodes', () => {
  it('share one budget', async (context) => {
    const shared = { url: await createMigratedUrl('postgres'), clock: createManualClock() };
    const nodes = [await startTestService('postgres', shared), await startTestService('postgres', shared)];
    context.after(() => Promise.all(nodes.map((node) => node.close())));
    const [one, two] = nodes as [TestService, TestService];
    const ip = freshAddress();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, turn) => (turn % 2 ? one : two).post(AUTHENTICATE, { ip, body: {} })),
    );
    assert.equal(answers.filter(({ status }) => status === 400).length, LIMIT);
    assert.equal(answers.filter(({ status }) => status === 429).length, 30);
    const query = { action: 'rateLimit.exceeded' };
    const { result } = await one.get('/api/services/app/Audit/GetAll', { token: await one.admin(), query });
    assert.equal(result.totalCount, 1);
    for (const node of nodes) assertExceeded(await node.post(AUTHENTICATE, { ip, body: {} }), 60);
    shared.clock.advance(60);
    for (const node of nodes) assert.equal((await node.post(AUTHENTICATE, { ip, body: {} })).status, 400);
  });
});
