// latchkey export users: everybody goes to another installation, and signs in there as before.
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { newAccount } from '../../src/accounts/index.ts';
import { addSeconds } from '../../src/foundation/clock.ts';
import { accountSubject } from '../../src/lockout/index.ts';
import { createMigratedUrl, enginesAtLength } from '../support/databases.ts';
import { useFactors } from '../support/factors.ts';
import { createDevice, enrollPasskey, signInByPasskey } from '../support/passkeys.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';
import { createSite, SECRET, type Site } from './run.ts';

const OTHER_SECRET = `${SECRET.slice(1)}0`;

/** A hash of another system, which nobody has replaced by signing in. */
const FOREIGN = 'pbkdf2_sha256$10000$bEwAfNrH1TlQ$OgYUblFNUX1B8GfMqaCYUK/iHyO0pa7STTDdaEJBuY0=';

for (const engine of enginesAtLength) {
  describe(`an export of users on ${engine}`, () => {
    let site: Site;
    let [source, target]: TestService[] = [];
    let [sourceEnv, targetEnv]: Record<string, string>[] = [];
    const services = () => ({ from: source ?? assert.fail(), to: target ?? assert.fail() });
    before(async () => {
      site = await createSite(engine);
      const start = async (name: string, secret: string) => {
        const url = engine === 'sqlite' ? `sqlite:${join(site.folder, name)}` : await createMigratedUrl('postgres');
        const service = await startTestService(engine, { url, secret });
        await service.set('Latchkey.Factors', {
          ...{ passkeys: true, authenticator: true, trustedDeviceDays: 0, requireForPermissions: false },
        });
        return { service, env: { LATCHKEY_DATABASE_URL: url, LATCHKEY_SECRET: secret } };
      };
      ({ service: source, env: sourceEnv } = await start('source.db', SECRET));
      ({ service: target, env: targetEnv } = await start('target.db', OTHER_SECRET));
    });
    after(async () => {
      await source?.close();
      await target?.close();
      await site.close();
    });

    const run = (words: readonly string[], env: Record<string, string> = {}) => site.run(words, { env });
    const readLines = (name: string) =>
      readFileSync(join(site.folder, name), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));

    it('has no credentials unless asked for, and takes no file that exists', async () => {
      const { from } = services();
      await from.createUser('plain', { emailAddress: 'plain@example.org', isEmailConfirmed: true, name: '=1+1' });
      const { code, out, err } = await run(['export', 'users', 'plain.jsonl'], sourceEnv);
      assert.deepEqual([code, err], [0, '']);
      assert.match(out, /^Exported 2 users to plain\.jsonl\./);
      const text = readFileSync(join(site.folder, 'plain.jsonl'), 'utf8');
      assert.doesNotMatch(text, /argon2|passwordHash|totp|passkeys/);
      assert.deepEqual(Object.keys(readLines('plain.jsonl')[1]).slice(0, 3), ['id', 'personId', 'userName']);
      assert.equal(statSync(join(site.folder, 'plain.jsonl')).mode & 0o777, 0o600);
      const again = await run(['export', 'users', 'plain.jsonl'], sourceEnv);
      assert.match(again.err, /plain\.jsonl exists already: give the path of a new file\./);
      assert.deepEqual([again.code, readFileSync(join(site.folder, 'plain.jsonl'), 'utf8')], [1, text]);
      const nowhere = await run(['export', 'users', 'missing/users.jsonl'], sourceEnv);
      assert.match(nowhere.err, /Cannot write missing\/users\.jsonl \(ENOENT\)/);
    });

    it('with credentials lets everybody sign in elsewhere with the same password, app and passkey', async () => {
      const { from, to } = services();
      const factors = useFactors({ here: from, there: from, close: from.close });
      const there = useFactors({ here: to, there: to, close: to.close });
      const id = await from.createUser('both');
      const app = await factors.enroll(await from.signIn('both'));
      const device = createDevice();
      const holder = await from.createUser('holder');
      await enrollPasskey(from.service, device, holder);
      await from.createUser('gone', { isActive: false });
      const locked = await from.createUser('locked');
      await from.service.database.transaction((tx) => {
        const lockedUntil = addSeconds(from.clock.now(), 86_400);
        return from.service.lockouts.adopt(tx, accountSubject(locked), { failures: 0, lockedUntil });
      });
      const linked = { provider: 'Google', providerKey: '1093' };
      const added = { ...linked, accountId: id, linkedAt: from.clock.now() };
      await from.service.externalLoginStore.add(from.service.database.sql, added);
      writeFileSync(join(site.folder, 'django.jsonl'), JSON.stringify({ userName: 'django', passwordHash: FOREIGN }));
      assert.equal((await run(['import', 'users', 'django.jsonl'], sourceEnv)).code, 0);

      const exported = await run(['export', 'users', 'all.jsonl', '--with-credentials'], sourceEnv);
      assert.equal(exported.code, 0, exported.err);
      assert.match(exported.err, /Keep it encrypted, and delete it after the import\./);
      assert.equal(statSync(join(site.folder, 'all.jsonl')).mode & 0o777, 0o600);
      const lines = readLines('all.jsonl').filter(({ userName }) => userName !== 'admin');
      writeFileSync(join(site.folder, 'people.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
      const imported = await run(['import', 'users', 'people.jsonl'], targetEnv);
      assert.match(imported.out, new RegExp(`^Imported ${lines.length}, refused 0\\.$`, 'm'), imported.err);

      // Codes count from the step in which the command ran, by the clock of the machine.
      to.clock.advance(3600);
      await to.signIn('plain');
      const { accessToken } = await there.signInWithBoth('both', app);
      assert.ok(accessToken);
      assert.ok(await signInByPasskey(to, device));
      const attempt = async (userName: string, password: string) =>
        (await to.post('/api/TokenAuth/Authenticate', { body: { userNameOrEmailAddress: userName, password } })).status;
      assert.equal(await attempt('django', 'táБℓə'), 200);
      assert.notEqual(await attempt('gone', 'staple gravel lantern'), 200);
      assert.notEqual(await attempt('locked', 'staple gravel lantern'), 200);
      assert.equal(await to.service.externalLoginStore.find(to.service.database.sql, linked), id);

      const back = await run(['export', 'users', 'back.jsonl', '--with-credentials'], targetEnv);
      assert.equal(back.code, 0, back.err);
      const stable = ['id', 'personId', 'userName', 'emailAddress', 'roleNames', 'isActive', 'lockedUntil', 'totp'];
      const pick = (line: Record<string, unknown>) => stable.map((member) => line[member]);
      const returned = readLines('back.jsonl').filter(({ userName }) => userName !== 'admin');
      assert.deepEqual(returned.map(pick), lines.map(pick));
      const credentials = (all: typeof lines) => all.flatMap(({ passkeys = [] }) => passkeys);
      assert.deepEqual(
        credentials(returned).map(({ lastUsedTime: _, signCount: __, ...rest }) => rest),
        credentials(lines).map(({ lastUsedTime: _, signCount: __, ...rest }) => rest),
        'the handle of a passkey outlives several moves',
      );
    });

    it('asks for the app, and keeps what roles grant, in an installation that got the configuration first', async (context) => {
      const { from } = services();
      const role = { name: 'Clerk', grantedPermissions: ['Pages.Users'] };
      await from.post('/api/services/app/Role/Create', { token: await from.admin(), body: role });
      await from.createUser('clerk', { roleNames: ['Clerk'] });
      const url = engine === 'sqlite' ? `sqlite:${join(site.folder, 'fresh.db')}` : await createMigratedUrl('postgres');
      const env = { ...targetEnv, LATCHKEY_DATABASE_URL: url };
      const { out } = await run(['config', 'export'], sourceEnv);
      writeFileSync(join(site.folder, 'latchkey.yaml'), out);
      const applied = await run(['config', 'apply', 'latchkey.yaml'], env);
      assert.equal(applied.code, 0, applied.err);
      await run(['export', 'users', 'moved.jsonl', '--with-credentials'], sourceEnv);
      const imported = await run(['import', 'users', 'moved.jsonl', '--allow-administrators'], env);
      assert.equal(imported.code, 0, imported.err);

      const moved = await startTestService(engine, { url, secret: OTHER_SECRET });
      context.after(() => moved.close());
      const body = { userNameOrEmailAddress: 'both', password: USER_PASSWORD };
      const { result } = await moved.post('/api/TokenAuth/Authenticate', { body });
      assert.equal(result.requiresTwoFactorVerification, true);
      const users = await moved.get('/api/services/app/User/GetAll', { token: await moved.signIn('clerk') });
      assert.equal(users.status, 200);
    });

    it('has no password that the service generated, because no person has chosen it', async () => {
      const { from, to } = services();
      const { accounts, database } = from.service;
      // As the first sign-in through an external provider registers a person.
      const added = { ...newAccount('newcomer'), passwordHash: FOREIGN, hasRandomPassword: true };
      const id = (await accounts.add(database.sql, added, from.clock.now())) ?? assert.fail();
      await run(['export', 'users', 'newcomers.jsonl', '--with-credentials'], sourceEnv);
      const line = readLines('newcomers.jsonl').find(({ userName }) => userName === 'newcomer');
      assert.equal(line.passwordHash, null);
      writeFileSync(join(site.folder, 'newcomer.jsonl'), JSON.stringify(line));
      assert.equal((await run(['import', 'users', 'newcomer.jsonl'], targetEnv)).code, 0);
      assert.equal(await to.service.accounts.hasChosenPassword(to.service.database.sql, id), false);
    });

    it('is recorded with what it held, and a passkey is imported once', async () => {
      const { from } = services();
      const entries = await from.service.database.sql
        .selectFrom('audit')
        .select('details')
        .where('action', '=', 'account.exported')
        .orderBy('id')
        .execute();
      assert.match(JSON.stringify(entries.at(-1)), /withCredentials.*true/);
      const [line] = readLines('all.jsonl').filter(({ passkeys }) => passkeys);
      const { id: _, personId: __, ...copy } = { ...line, userName: 'copy' };
      writeFileSync(join(site.folder, 'copy.jsonl'), JSON.stringify(copy));
      const { code, err } = await run(['import', 'users', 'copy.jsonl'], targetEnv);
      assert.equal(code, 1);
      assert.match(err, /copy\): Taken, by an account or by an earlier line: a passkey\./);
      copy.passkeys = [{ ...copy.passkeys[0], publicKey: 'AAAA', credentialId: 'bmV3' }];
      writeFileSync(join(site.folder, 'copy.jsonl'), JSON.stringify(copy));
      assert.match((await run(['import', 'users', 'copy.jsonl'], targetEnv)).err, /A public key is no COSE key/);
    });
  });
}
