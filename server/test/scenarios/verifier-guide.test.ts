// The code of the guide for Node, as printed: a service that refuses a token which was signed off.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readGuideFile, root } from '../support/guide.ts';
import { findFreePort } from '../support/ports.ts';
import { ownEnvironment } from '../support/process.ts';
import { startVerified, type Verified } from '../support/verifier.ts';

const LOOK_MS = 20;

describe('the guide on verifying tokens, in Node', () => {
  let verified: Verified;
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-orders-'));
  let stop = async () => {};
  before(async () => {
    verified = await startVerified('sqlite');
  });
  after(async () => {
    await stop();
    await verified.close();
    rmSync(folder, { recursive: true });
  });

  it('greets the caller until the token is revoked', async () => {
    const port = await findFreePort();
    const { issuer, serviceKey } = verified.options;
    const printed = readGuideFile('verifying-tokens.md', 'orders.mjs');
    // The issuer comes last: its own port may have the digits of the printed one.
    const code = printed.replace('5000', String(port)).replace('https://id.example.com', issuer);
    writeFileSync(join(folder, 'orders.mjs'), code);
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(join(root, 'dist/package/sdk'), join(folder, 'node_modules/latchkey-sdk'));
    const env = { ...ownEnvironment(), LATCHKEY_SERVICE_KEY: serviceKey };
    const child = spawn(process.execPath, ['orders.mjs'], { cwd: folder, env, stdio: 'inherit' });
    stop = async () => {
      child.kill();
      await once(child, 'exit');
    };
    const token = await verified.test.admin();
    const ask = () => fetch(`http://127.0.0.1:${port}`, { headers: { authorization: `Bearer ${token}` } });
    const isListening = () =>
      ask().then(
        () => true,
        () => false,
      );
    while (!(await isListening())) {
      assert.equal(child.exitCode, null, 'the program ended at its start');
      await sleep(LOOK_MS);
    }
    assert.equal(await (await ask()).text(), 'Hello Administrator\n');
    await verified.test.post('/api/TokenAuth/SignOff', { token });
    let answer = await ask();
    while (answer.ok) answer = await ask();
    assert.deepEqual([answer.status, await answer.text()], [401, 'The token is revoked.\n']);
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer error="invalid_token"/);
  });
});
