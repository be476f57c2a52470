// Passkeys of other systems: the browser sends the handle that they registered, and people sign in as before.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createMigratedUrl, type Engine } from '../support/databases.ts';
import { passwordOf, systems } from '../support/foreign-users.ts';
import { createDevice, type Device, registerElsewhere, signInByPasskey } from '../support/passkeys.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createSite, SECRET, type Site } from './run.ts';

const OTHER_SECRET = `${SECRET.slice(1)}0`;
const DOMAIN = 'localhost';

type Moved = {
  readonly system: string;
  readonly engine: Engine;
  /** The only file of the system. */
  readonly file: string;
  /** Adds a passkey to the first user of the file. @returns the handle that the export has of it. */
  addPasskey(content: Record<string, Record<string, unknown>[]>, device: Device): string | undefined;
};

const moves: readonly Moved[] = [
  {
    system: 'keycloak',
    engine: 'sqlite',
    file: 'realm.json',
    // WebAuthnRegister.java: the handle is the text of the user's id.
    addPasskey({ users: [user = {}] = [] }, device) {
      const handle = Buffer.from(String(user.id));
      const { credentialId, publicKey } = registerElsewhere(device, handle);
      const credentialData = JSON.stringify({
        credentialId: credentialId.toString('base64'),
        credentialPublicKey: publicKey.toString('base64url'),
        counter: 0,
        transports: ['internal'],
      });
      const credentials = Array.isArray(user.credentials) ? user.credentials : [];
      user.credentials = [...credentials, { type: 'webauthn-passwordless', userLabel: 'phone', credentialData }];
      return handle.toString('base64url');
    },
  },
  {
    system: 'better-auth',
    engine: 'postgres',
    file: 'tables.json',
    // better-auth makes a random handle for each passkey, and stores it nowhere.
    addPasskey(tables, device) {
      const { credentialId, publicKey } = registerElsewhere(device, Buffer.from('k3nq0z5mvy8w2bcd7rtx4ahs9gjfeplu'));
      const userId = tables.user?.[0]?.id;
      const key = { credentialID: credentialId.toString('base64url'), publicKey: publicKey.toString('base64') };
      tables.passkey = [{ userId, ...key, counter: 0, transports: 'internal', backedUp: true }];
      return undefined;
    },
  },
];

for (const { system, engine, file, addPasskey } of moves) {
  const given = systems.map((make) => make(1)).find((files) => files.system === system) ?? assert.fail(system);

  describe(`a passkey of ${given.title}`, () => {
    const device = createDevice();
    let site: Site;
    let handle: string | undefined;
    let [here, elsewhere]: { service: TestService; env: Record<string, string> }[] = [];
    before(async () => {
      site = await createSite(engine);
      const start = async (name: string, secret: string) => {
        const url = engine === 'sqlite' ? `sqlite:${join(site.folder, name)}` : await createMigratedUrl(engine);
        const service = await startTestService(engine, { url, secret });
        await service.set('Latchkey.Factors', {
          ...{ passkeys: true, authenticator: false, trustedDeviceDays: 0, requireForPermissions: false },
        });
        return { service, env: { LATCHKEY_DATABASE_URL: url, LATCHKEY_SECRET: secret } };
      };
      here = await start('here.db', SECRET);
      elsewhere = await start('elsewhere.db', OTHER_SECRET);
      const content = JSON.parse(String(given.files[file]));
      handle = addPasskey(content, device);
      writeFileSync(join(site.folder, file), JSON.stringify(content));
    });
    after(async () => {
      await here?.service.close();
      await elsewhere?.service.close();
      await site.close();
    });

    async function signInByPassword({ post }: TestService) {
      const body = { userNameOrEmailAddress: given.signsInAs(1), password: passwordOf(1) };
      const { result, text } = await post('/api/TokenAuth/Authenticate', { body });
      const challengeToken = result?.challengeToken ?? assert.fail(text);
      const options = await post('/api/TokenAuth/GetSecondFactorOptions', { body: { challengeToken } });
      const answer = { challengeToken, provider: 'Passkey', ...device.get(options.result) };
      return post('/api/TokenAuth/VerifySecondFactor', { body: answer });
    }

    it('signs in, and is the second factor', async () => {
      const { service, env } = here ?? assert.fail();
      const { out, err } = await site.run(['import', 'users', file, '--rp-id', DOMAIN], { env });
      assert.match(out, /^Imported 1, refused 0\.$/m, err);
      assert.ok(await signInByPasskey(service, device));
      const answer = await signInByPassword(service);
      assert.equal(answer.status, 200, answer.text);
    });

    it('moves on to another installation with the handle that is known of it', async () => {
      const [from, to] = [here ?? assert.fail(), elsewhere ?? assert.fail()];
      const exported = await site.run(['export', 'users', 'all.jsonl', '--with-credentials'], { env: from.env });
      assert.equal(exported.code, 0, exported.err);
      const line =
        readFileSync(join(site.folder, 'all.jsonl'), 'utf8')
          .split('\n')
          .find((text) => text.includes('"passkeys"')) ?? assert.fail();
      assert.equal(JSON.parse(line).passkeys[0].userHandle, handle);
      writeFileSync(join(site.folder, 'person.jsonl'), line);
      const { out, err } = await site.run(['import', 'users', 'person.jsonl'], { env: to.env });
      assert.match(out, /^Imported 1, refused 0\.$/m, err);
      assert.ok(await signInByPasskey(to.service, device));
    });
  });
}
