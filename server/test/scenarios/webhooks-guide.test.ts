// The receiver of the guide on webhooks, run as printed.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    assert.ok(receiver.stdout);
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
});
