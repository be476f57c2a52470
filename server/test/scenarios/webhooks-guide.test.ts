// The receiver of the guide on webhooks, run as printed.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { readGuideFile } from '../support/guide.ts';
import { findFreePort } from '../support/ports.ts';
import { startTestService, type TestService } from '../support/service.ts';

const path = (name: string) => `/api/services/app/Webhook/${name}` as const;

describe('receiver.mjs of the guide on webhooks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-receiver-'));
  let test: TestService;
  let receiver: ChildProcess;
  let lines: AsyncIterator<string>;
  let reading: Interface;
  let url: string;
  let hook: { id: string; secret: string };
  before(async () => {
    test = await startTestService('sqlite');
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}/events`;
    const body = { url, actions: ['account.created'] };
    hook = (await test.post(path('Create'), { body, token: await test.admin() })).result as typeof hook;
    writeFileSync(join(folder, 'receiver.mjs'), readGuideFile('webhooks.md', 'receiver.mjs'));
    receiver = spawn(process.execPath, ['receiver.mjs'], {
      cwd: folder,
      env: { WEBHOOK_SECRET: hook.secret, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    assert.ok(receiver.stdout);
    receiver.stderr?.setEncoding('utf8');
    reading = createInterface({ input: receiver.stdout });
    lines = reading[Symbol.asyncIterator]();
    assert.equal((await lines.next()).value, 'ready');
  });
  after(async () => {
    reading.close();
    receiver.kill();
    rmSync(folder, { recursive: true });
    await test.close();
  });

  const listDeliveries = async () => {
    const { result } = await test.get(path('GetDeliveries'), { query: { id: hook.id }, token: await test.admin() });
    return (result as { items: { id: string; status: number | null }[] }).items;
  };

  it('handles an event once, however often it comes', async () => {
    await test.createUser('thandi');
    await test.service.deliveries.deliverDue(hook.id);
    const [delivery] = await listDeliveries();
    const body = { deliveryId: delivery?.id };
    await test.post(path('Redeliver'), { body, token: await test.admin() });
    await test.service.deliveries.deliverDue(hook.id);
    assert.deepEqual(
      (await listDeliveries()).map(({ status }) => status),
      [204],
    );
    await test.createUser('sipho');
    await test.service.deliveries.deliverDue(hook.id);
    assert.deepEqual(
      [(await lines.next()).value, (await lines.next()).value],
      ['account.created thandi', 'account.created sipho'],
    );
  });

  it('refuses what the service has not signed', async () => {
    const forged = await fetch(url, {
      method: 'POST',
      headers: {
        'webhook-id': '1',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': 'v1,AAAA',
      },
      body: '{"type":"account.created","data":{}}',
    });
    assert.equal(forged.status, 401);
    await test.post(path('RotateSecret'), { body: { id: hook.id }, token: await test.admin() });
    test.clock.advance(86_400);
    await test.createUser('ann');
    await test.service.deliveries.deliverDue(hook.id);
    const [refused] = await listDeliveries();
    assert.equal(refused?.status, 401);
  });

  it('outlives a request that breaks off', async () => {
    const broken = request(url, { method: 'POST', headers: { expect: '100-continue', 'content-length': 100 } });
    broken.on('error', () => undefined);
    // The receiver reads the body when it lets the sender go on.
    broken.flushHeaders();
    await once(broken, 'continue');
    const printed = once(receiver.stderr ?? assert.fail(), 'data');
    broken.destroy();
    assert.match(String(await printed), /aborted/);
    assert.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 401);
  });

  it('refuses a body that is too large', async () => {
    assert.equal((await fetch(url, { method: 'POST', body: 'x'.repeat(1_000_000) })).status, 401);
    assert.equal((await fetch(url, { method: 'POST', body: 'x'.repeat(1_000_001) })).status, 413);
  });
});
