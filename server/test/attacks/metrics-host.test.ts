// Attacks on the metrics from the local machine: through a hidden proxy, and from a page by DNS rebinding.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '../support/service.ts';

const LOOPBACK = ['127.0.0.1', '::1', '::ffff:127.0.0.1'];
const LOCAL_HOSTS = [
  'localhost',
  'LOCALHOST:8080',
  '127.0.0.1',
  '127.0.0.1:8080',
  '127.9.8.7:1',
  '[::1]',
  '[::1]:8080',
];
const FOREIGN_HOSTS = [
  'id.example.com',
  'id.example.com:443',
  'rebound.example:8080',
  'localhost.example',
  'localhost.',
  'x.localhost',
  '127.0.0.1.example',
  '127.0.0.1:8080.example',
  '[::1].example',
  'localhost@id.example.com',
  '10.0.0.1',
  '[::2]',
];

describe('metrics requested on the local machine', () => {
  let test: TestService;
  before(async () => {
    test = await startTestService('sqlite', { publicUrl: 'https://id.example.com' });
  });
  after(() => test.close());

  const ask = (host: string, ip: string, more: { token?: string; headers?: Record<string, string> } = {}) =>
    test.get('/metrics', { ip, ...more, headers: { host, ...more.headers } });

  it('are served for its local names, with and without a port', async () => {
    for (const ip of LOOPBACK) {
      for (const host of LOCAL_HOSTS) assert.equal((await ask(host, ip)).status, 200, `${ip} ${host}`);
    }
  });

  it('are refused for other names: the public URL, which a proxy passes on, or a rebound name', async () => {
    for (const ip of LOOPBACK) {
      for (const host of FOREIGN_HOSTS) {
        const { status, error } = await ask(host, ip);
        assert.deepEqual([status, error?.reason], [401, 'token.missing'], `${ip} ${host}`);
      }
    }
    assert.equal((await ask('id.example.com', '127.0.0.1', { token: await test.admin() })).status, 200);
  });

  it('are refused through a proxy that adds forwarding headers, and for another machine', async () => {
    for (const header of [
      'forwarded',
      'via',
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
      'x-real-ip',
    ]) {
      assert.equal((await ask('localhost', '127.0.0.1', { headers: { [header]: 'x' } })).status, 401, header);
    }
    assert.equal((await ask('localhost', '192.0.2.1')).status, 401);
  });
});

describe('metrics that are closed to the local machine', () => {
  it('require a token with the permission', async (context) => {
    const test = await startTestService('sqlite', { metrics: 'token' });
    context.after(() => test.close());
    await test.createUser('thandi');
    const ask = async (token?: string) => (await test.get('/metrics', { ip: '127.0.0.1', token })).status;
    assert.deepEqual(
      [await ask(), await ask(await test.signIn('thandi')), await ask(await test.admin())],
      [401, 403, 200],
    );
  });

  it('take a service key that manages with the permission', async (context) => {
    const test = await startTestService('sqlite', { metrics: 'token' });
    context.after(() => test.close());
    const statusFor = async (name: string, permissions: Parameters<typeof test.createServiceKey>[1]) => {
      const token = await test.createServiceKey(name, permissions);
      return (await test.get('/metrics', { ip: '127.0.0.1', token })).status;
    };
    assert.equal(await statusFor('prometheus', ['manage', 'pages:maintenance']), 200);
    assert.equal(await statusFor('crm', ['manage', 'Pages.Users']), 403);
    assert.notEqual(await statusFor('collector', ['audit', 'introspect', 'revocations']), 200);
  });

  it('answer 404 when they are switched off', async (context) => {
    const test = await startTestService('sqlite', { metrics: 'off' });
    context.after(() => test.close());
    for (const token of [undefined, await test.admin()]) {
      const { status, error } = await test.get('/metrics', { ip: '127.0.0.1', token });
      assert.deepEqual([status, error.reason], [404, 'request.notFound']);
    }
  });
});
