// oidc-agent: a command line tool, for which a person signs in on another device.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import { createClient } from '../support/oauth.ts';
import { requireTools } from '../support/program.ts';
import { openPerson, type Provider, startProvider } from '../support/real-clients.ts';
import { isLong } from '../support/scale.ts';

const USER_CODE = /\b[A-Z]{4}-[A-Z]{4}\b/;

/** Adds an account, prints a token, and one that is valid for longer than the first: the agent refreshes it. */
const SCRIPT = `
  eval "$(oidc-agent)" > /dev/null
  oidc-gen latchkey --flow=device --manual --issuer="$ISSUER" --client-id="$CLIENT_ID" --client-secret= --redirect-uri= \\
    --scope='openid profile email offline_access' --pw-env --prompt=none --confirm-default --no-url-call --debug
  oidc-token latchkey
  oidc-token latchkey --time=100000
  oidc-agent -k > /dev/null`;

const testAtLength = isLong ? describe : () => {};
testAtLength('oidc-agent', () => {
  let provider: Provider;
  let folder: string;
  before(async () => {
    await requireTools(['/usr/bin/oidc-agent', '--version'], { packages: 'oidc-agent-cli' });
    folder = mkdtempSync(join(tmpdir(), 'latchkey-agent-'));
    provider = await startProvider();
  });
  after(async () => {
    await provider?.close();
    if (folder) rmSync(folder, { recursive: true });
  });

  it('signs in on a device: it waits for a person who allows it elsewhere, and refreshes its tokens', async () => {
    const { clientId } = await createClient(provider.test, { kind: 'native', redirectUris: [] });
    const variables = { ISSUER: provider.url, CLIENT_ID: clientId, OIDC_ENCRYPTION_PW: 'a password', TMPDIR: folder };
    const child = spawn('/bin/sh', ['-c', SCRIPT], {
      env: { PATH: process.env.PATH, HOME: folder, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const shown = new Promise<string>((resolve) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text) => {
          output += text;
          const [code] = USER_CODE.exec(output) ?? [];
          if (code !== undefined) resolve(code);
        });
      }
    });
    const ended = once(child, 'exit').then(() => undefined);
    const userCode = await Promise.race([shown, ended]);
    assert.ok(userCode, `It shows no code: ${output}`);
    await openPerson(provider).allowDevice(userCode);
    await ended;
    const tokens = output.split('\n').filter((line) => line.startsWith('eyJ'));
    assert.equal(tokens.length, 2, output);
    const claims = tokens.map((token) => decodeJwt(token));
    assert.deepEqual(
      claims.map(({ sub, gen }) => [sub, gen]),
      [
        [provider.sub, 0],
        [provider.sub, 1],
      ],
    );
  });
});
