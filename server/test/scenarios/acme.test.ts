// The Acme extension of the guide, run as printed: copied into an empty folder, and named when npm starts the service.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { acmeVariables, EXTERNAL, writeAcme } from '../support/acme.ts';
import { failure, load } from '../support/extensions.ts';
import { assertWellTyped, root } from '../support/guide.ts';
import { createProfile, type IdentityServer, sendJson, startIdentityServer } from '../support/identity-server.ts';
import { findFreePort } from '../support/ports.ts';
import { callProcess } from '../support/process.ts';

const START_PATIENCE_MS = 60_000;
const LOOK_MS = 50;

let server: IdentityServer;
before(async () => {
  server = await startIdentityServer();
});
after(() => server.stop());

describe('acme.ts, in the service that npm starts', () => {
  const path = writeAcme();
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-acme-'));
  let npm: ChildProcess;
  let url: string;
  let written = '';

  const isReady = () =>
    fetch(`${url}/health/ready`).then(
      (answer) => answer.ok,
      () => false,
    );
  const hasEnded = () => npm.exitCode !== null || npm.signalCode !== null;

  before(async () => {
    const { PATH = '', HOME = '' } = process.env;
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    const variables = { LATCHKEY_PORT: String(port), LATCHKEY_DATA_DIR: dataDir, LATCHKEY_EXTENSIONS: './acme.ts' };
    npm = spawn('npm', ['--prefix', root, 'start'], {
      cwd: dirname(path),
      env: { PATH, HOME, ...variables, ...acmeVariables(server) },
      stdio: ['ignore', 'pipe', 'pipe'],
      // npm starts in its own process group, which ends with npm.
      detached: true,
    });
    for (const stream of [npm.stdout, npm.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk) => {
        written += chunk;
      });
    }
    const deadline = Date.now() + START_PATIENCE_MS;
    while (!(await isReady())) {
      assert.ok(!hasEnded() && Date.now() < deadline, `the service did not become ready: ${written}`);
      await pause(LOOK_MS);
    }
  });
  after(async () => {
    if (!hasEnded()) {
      process.kill(-(npm.pid ?? assert.fail()), 'SIGTERM');
      await once(npm, 'exit');
    }
    while (await isReady()) await pause(LOOK_MS);
    rmSync(dataDir, { recursive: true });
  });

  const signIn = (profile: ReturnType<typeof createProfile>, more: object = {}) => {
    const providerAccessCode = server.issueCode(profile);
    const body = { authProvider: 'Acme', providerKey: profile.id, providerAccessCode, ...more };
    return callProcess(url, 'POST', EXTERNAL, { body });
  };

  it('is listed as a provider', async () => {
    assert.deepEqual(readdirSync(dirname(path)), ['acme.ts']);
    const { result } = await callProcess(url, 'GET', '/api/TokenAuth/GetExternalAuthenticationProviders');
    assert.deepEqual(result, [{ name: 'Acme', clientId: server.clientId, displayName: 'Acme' }]);
  });

  it('signs people in, each to their own account', async () => {
    const ann = createProfile({ given_name: 'Ann', family_name: 'Lee' });
    const first = await signIn(ann);
    assert.deepEqual([first.status, first.result.waitingForActivation], [200, false], written);
    const second = await signIn(ann);
    assert.equal(second.result.userId, first.result.userId);
    const other = await signIn(createProfile());
    assert.notEqual(other.result.userId, first.result.userId);
    const who = '/api/services/app/Session/GetCurrentLoginInfo';
    const { user } = (await callProcess(url, 'GET', who, { token: second.result.accessToken })).result;
    assert.deepEqual([user.fullName, user.email, user.isEmailConfirmed], ['Ann Lee', ann.email, true]);
  });

  it('refuses a sign-in when Acme rejects the code or is down; the log has no code and no secret', async () => {
    const ann = createProfile();
    const refused = await signIn(ann, { providerAccessCode: 'canary code of nobody' });
    const mismatch = await signIn(ann, { providerKey: 'another' });
    server.misbehave((response) => sendJson(response, 503, 'canary'));
    const broken = await signIn(ann);
    server.misbehave((response) => response.destroy());
    const dropped = await signIn(ann);
    server.behave();
    const ends = [refused, mismatch, broken, dropped].map(({ status, error }) => [status, error.reason]);
    const [refusal, outage] = [
      [401, 'external.couldNotValidate'],
      [502, 'external.unavailable'],
    ];
    assert.deepEqual(ends, [refusal, refusal, outage, outage]);
    assert.match(written, /Acme answered 503\./);
    assert.doesNotMatch(written, /canary/);
  });
});

describe('acme.ts', () => {
  it('stops the start while a variable is missing', async () => {
    for (const name of Object.keys(acmeVariables(server))) {
      Object.assign(process.env, acmeVariables(server), { [name]: '' });
      assert.match(await failure([writeAcme()]), new RegExp(`acme\\.ts fails to initialize: ${name} is not set\\. `));
    }
    Object.assign(process.env, acmeVariables(server));
    const { additions } = await load([writeAcme()]);
    assert.deepEqual([additions.providers.length, additions.reviewers], [1, []]);
  });

  it('type-checks in a folder that finds the checkout, as the guide says', async () => {
    const folder = dirname(writeAcme());
    await assertWellTyped(folder, ['acme.ts']);
  });
});
