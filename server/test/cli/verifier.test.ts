// latchkey verifier as operators run it: a process that starts, follows the service, survives faults and stops.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runVerifierProcess, startVerified, startVerifierProcess, type Verified } from '../support/verifier.ts';

const LOOK_MS = 20;
/** The bound of these tests, and a little more, in milliseconds. */
const BOUND_MS = 3300;

describe('latchkey verifier', () => {
  let verified: Verified;
  let env: Record<string, string>;
  before(async () => {
    verified = await startVerified('sqlite');
    const { issuer, serviceKey } = verified.options;
    env = { LATCHKEY_ISSUER: issuer, LATCHKEY_SERVICE_KEY: serviceKey, LATCHKEY_MAX_STALE_SECONDS: '3' };
  });
  after(() => verified.close());

  const ask = async (url: string, token: string) =>
    (await fetch(`${url}/verify`, { headers: { authorization: `Bearer ${token}` } })).status;

  it('refuses a token that was signed off, and stops at SIGTERM', async () => {
    const verifier = await startVerifierProcess(env);
    const token = await verified.test.admin();
    assert.equal(await ask(verifier.url, token), 204);
    await verified.test.post('/api/TokenAuth/SignOff', { token });
    while ((await ask(verifier.url, token)) === 204) await sleep(LOOK_MS);
    assert.equal(await ask(verifier.url, token), 401);
    assert.equal(await verifier.stop(), 0);
    const lines = verifier
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg);
    assert.deepEqual(lines, ['the verifier is ready', 'stopping: the verifier finishes open requests first']);
    assert.ok(!verifier.output().includes(verified.options.serviceKey));
  });

  it('does not accept what was revoked while the process was paused', async () => {
    const verifier = await startVerifierProcess(env);
    const [token, live] = [await verified.test.admin(), await verified.test.admin()];
    assert.equal(await ask(verifier.url, token), 204);
    verifier.child.kill('SIGSTOP');
    await verified.test.post('/api/TokenAuth/SignOff', { token });
    await sleep(BOUND_MS);
    const answers = Promise.all(Array.from({ length: 20 }, () => ask(verifier.url, token)));
    verifier.child.kill('SIGCONT');
    for (const status of await answers) assert.ok(status === 401 || status === 503, `it answered ${status}`);
    while ((await ask(verifier.url, live)) !== 204) await sleep(LOOK_MS);
    assert.equal(await ask(verifier.url, token), 401);
    await verifier.stop();
  });

  it('says in one line what is wrong with its environment', async () => {
    const wrong: Record<string, Record<string, string>> = {
      'LATCHKEY_ISSUER is required': { LATCHKEY_ISSUER: '' },
      'LATCHKEY_ISSUER is "x"': { LATCHKEY_ISSUER: 'x' },
      'LATCHKEY_SERVICE_URL is "x"': { LATCHKEY_SERVICE_URL: 'x' },
      'LATCHKEY_SERVICE_KEY is required': { LATCHKEY_SERVICE_KEY: '' },
      'LATCHKEY_SERVICE_KEY must be a service key': { LATCHKEY_SERVICE_KEY: 'hunter2' },
      'LATCHKEY_SERVICE_KEY is refused': { LATCHKEY_SERVICE_KEY: 'lks_unknown' },
      'LATCHKEY_MAX_STALE_SECONDS is "2"': { LATCHKEY_MAX_STALE_SECONDS: '2' },
      'LATCHKEY_WHEN_STALE is "accept"': { LATCHKEY_WHEN_STALE: 'accept' },
      'LATCHKEY_PORT is "x"': { LATCHKEY_PORT: 'x' },
      'LATCHKEY_LOG_LEVEL is "x"': { LATCHKEY_LOG_LEVEL: 'x' },
    };
    for (const [line, variables] of Object.entries(wrong)) {
      const { code, output } = await runVerifierProcess({ ...env, LATCHKEY_PORT: '0', ...variables }).ended;
      assert.equal(code, 1, output);
      assert.match(output, new RegExp(`^latchkey: ${line}[^\\n]*\\n$`));
      assert.doesNotMatch(output, /hunter2/);
    }
  });

  it('waits for a service that is not there yet, and stops while it waits', async () => {
    const { child, ended, output } = runVerifierProcess({
      ...env,
      LATCHKEY_PORT: '0',
      LATCHKEY_SERVICE_URL: 'http://127.0.0.1:9',
    });
    while (!output().includes('cannot follow the service')) await sleep(LOOK_MS);
    child.kill('SIGTERM');
    assert.equal((await ended).code, 0);
  });
});
