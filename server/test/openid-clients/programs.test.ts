// Programs with the libraries that people use: each is started, signs a person in, and does all else that it can.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createClient } from '../support/oauth.ts';
import { findFreePort } from '../support/ports.ts';
import { requireTools, startProgram } from '../support/program.ts';
import { openPerson, type Person, type Provider, startProvider } from '../support/real-clients.ts';
import { isLong } from '../support/scale.ts';
import { type Kind, kinds, PROGRAMS } from './programs.ts';

const ann = { email: 'ann@example.com', groups: ['editor'] };

const toSignOut = () => '/logout';

function testProgram({ name, command, redirectPath = '/callback', registration, tools, can, ...paths }: Kind) {
  const { signOutPath = toSignOut, backChannelPath = '/backchannel-logout' } = paths;
  describe(name, () => {
    let provider: Provider;
    before(async () => {
      if (tools) await requireTools(tools.probe, tools);
      provider = await startProvider();
    });
    after(() => provider?.close());

    it(['signs in', ...can].join(', '), async () => {
      const port = await findFreePort();
      const url = `http://localhost:${port}`;
      const { id, clientId, secret } = await createClient(provider.test, {
        redirectUris: [`${url}${redirectPath}`],
        postLogoutRedirectUris: [`${url}/signed-out`],
        ...(can.includes('learns of sign-outs') && { backchannelLogoutUri: `${url}${backChannelPath}` }),
        ...registration,
      });
      const folder = mkdtempSync(join(tmpdir(), 'latchkey-client-'));
      const place = { PAGES: join(PROGRAMS, 'pages'), FOLDER: folder };
      const variables = {
        ...place,
        ISSUER: provider.url,
        CLIENT_ID: clientId,
        CLIENT_SECRET: secret ?? '',
        PORT: String(port),
      };
      const env = { ...variables, ...tools?.env };
      const program = await startProgram(command, { url, env, cwd: PROGRAMS });
      try {
        const read = (person: Person, path: string) => readJson(person, `${url}${path}`, program.output);
        const who = { sub: provider.sub, ...ann };
        const person = openPerson(provider);
        assert.deepEqual(await read(person, '/login'), who);
        if (can.includes('refreshes')) assert.deepEqual(await read(person, '/refresh'), who);
        if (can.includes('signs out')) {
          assert.deepEqual(await read(person, signOutPath(`${url}/signed-out`)), { isSignedOut: true });
          const kept = [...person.jarOf(provider.url).keys()];
          assert.ok(!kept.includes('latchkey-session'), 'the browser has no session at the service');
        }
        if (!can.includes('learns of sign-outs')) return;
        assert.deepEqual(await read(person, '/login'), who);
        await provider.test.post('/api/services/app/Session/EndOthers', { token: await provider.test.signIn('ann') });
        assert.deepEqual(await read(person, '/'), who, 'it has not been told');
        await provider.test.service.signOutDeliveries.deliverDue(id);
        assert.equal(await read(person, '/'), null);
      } finally {
        await program.stop();
        rmSync(folder, { recursive: true });
      }
    });
  });
}

/** Opens an address, and reads the answer of the program to which the browser comes. */
async function readJson(person: Person, url: string, output: () => string): Promise<unknown> {
  const arrival = await person.open(url);
  try {
    return JSON.parse(arrival.text);
  } catch {
    return assert.fail(`${arrival.url} answers ${arrival.status}: ${arrival.text}\n${output()}`);
  }
}

if (isLong) for (const kind of kinds) testProgram(kind);
