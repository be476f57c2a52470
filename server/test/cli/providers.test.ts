// latchkey providers: registers external providers beside a running service.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { enginesAtLength } from '../support/databases.ts';
import { createSite, type Site } from './run.ts';

const SECRET = 'canary of the command line';
const DAY_MS = 86_400_000;

for (const engine of enginesAtLength) {
  describe(`latchkey providers on ${engine}`, () => {
    let site: Site;
    before(async () => {
      site = await createSite(engine);
    });
    after(() => site.close());

    const run = (words: readonly string[], input?: string) =>
      site.run(['providers', ...words], { ...(input !== undefined && { input }) });
    async function succeed(words: readonly string[], input?: string): Promise<string> {
      const { code, out, err } = await run(words, input);
      assert.equal(code, 0, err);
      assert.ok(!`${out}${err}`.includes(SECRET));
      return out.trim();
    }
    async function fail(words: readonly string[], input?: string): Promise<string> {
      const { code, out, err } = await run(words, input);
      assert.deepEqual([code === 0, out], [false, ''], err);
      return err;
    }

    it('registers one, lists, changes, tries and removes it', async () => {
      const expiresAt = new Date(Date.now() + 10 * DAY_MS).toISOString();
      const uri = await succeed(
        ['add', 'google', 'Google', 'client', '--client-secret-stdin', '--secret-expires-at', expiresAt],
        `${SECRET}\n`,
      );
      assert.match(uri, /\/login\/external\/Google$/);
      const [, row = ''] = (await succeed(['list'])).split('\n');
      assert.match(row, /^\S{36} {2}enabled +google +20\S+Z +client +Google$/);
      assert.match(
        (await site.run(['doctor'])).out,
        /^warn {2}providers +secrets that have expired or do so within 30 days: Google \(20\S+Z\)\. .*providers change/m,
      );
      const changes = ['--allowed-domain', 'example.org', '--parameter', 'hd=example.org', '--disabled'];
      assert.equal(await succeed(['change', 'google', ...changes]), 'Changed the provider Google.');
      assert.match(await succeed(['list']), /disabled +google/);
      assert.match((await site.run(['doctor'])).out, /^ok {4}providers +1 registered$/m);
      assert.equal((await run(['test', 'nobody'])).code, 1);
      assert.match((await run(['test', 'Google'])).out, /^STEP/);
      const login = { provider: 'Google', providerKey: '1' };
      writeFileSync(join(site.folder, 'people.jsonl'), JSON.stringify({ userName: 'ann', externalLogins: [login] }));
      assert.equal((await site.run(['import', 'users', 'people.jsonl'])).code, 0);
      const env = { LATCHKEY_EXTENSIONS: join(site.folder, 'acme.ts') };
      writeFileSync(env.LATCHKEY_EXTENSIONS, '');
      const refused = await site.run(['providers', 'remove', 'Google'], { env });
      assert.match(
        refused.err,
        /There is 1 external login of this name\. That may be the name of a provider of an extension/,
      );
      assert.equal(await succeed(['remove', 'Google']), 'Deleted the provider Google.');
      assert.match(await fail(['remove', 'Google']), /There is no external provider with the name or id "Google"/);
    });

    it('warns of a key that can go to another person, also by the doctor while the provider is enabled', async () => {
      const issuer = ['--issuer', 'https://id.example.com'];
      const { code, out, err } = await run([
        'add',
        'oidc',
        'Weak',
        'client',
        ...issuer,
        '--claim',
        'providerKey=email',
      ]);
      assert.equal(code, 0, err);
      assert.match(out, /^\S+\/login\/external\/Weak\n$/);
      assert.match(err, /^Warning: The key "email" can change and go to another person/m);
      assert.match((await site.run(['doctor'])).out, /^warn {2}providers +Weak: The key "email" can change/m);
      await succeed(['change', 'Weak', '--disabled']);
      assert.match((await site.run(['doctor'])).out, /^ok {4}providers +1 registered$/m);
      await succeed(['remove', 'Weak']);
    });

    it('takes a private key from a file, endpoints and claims, and says what is wrong', async () => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const file = join(site.folder, 'key.p8');
      writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
      const apple = ['--team-id', 'A1B2C3D4E5', '--key-id', 'A1B2C3D4E5', '--private-key-file'];
      await succeed(['add', 'apple', 'Apple', 'org.example.id', ...apple, file]);
      // npm runs commands in the folder of the package, and says from where it was called.
      const env = { INIT_CWD: join(site.folder, 'deep') };
      const { code, err } = await site.run(['providers', 'change', 'Apple', '--private-key-file', '../key.p8'], {
        env,
      });
      assert.equal(code, 0, err);
      const addresses = ['authorization', 'token', 'userinfo'].flatMap((name) => [
        `--${name}-endpoint`,
        `https://id.example.com/${name}`,
      ]);
      const claims = ['--claim', 'providerKey=id', '--claim', 'name=first_name'];
      await succeed(['add', 'oauth2', 'Staff', 'client', ...addresses, ...claims, '--registers-new-users', 'no']);
      assert.match(await fail(['add', 'oauth2', 'Other', 'client', ...addresses.slice(2)]), /endpoints\.authorization/);
      assert.match(await fail(['add', 'saml', 'Other', 'client']), /type must be one of: google/);
      assert.match(await fail(['add', 'google', 'Other', 'client']), /needs "clientSecret"/);
      assert.match(
        await fail(['add', 'google', 'Other', 'client', '--client-secret-stdin']),
        /no secret on standard input/,
      );
      assert.match(
        await fail(['add', 'apple', 'Other', 'client', ...apple, 'none.p8']),
        /^latchkey: Cannot read none\.p8 \(ENOENT\): check the path and its permissions\.\n$/,
      );
      assert.match(
        await fail(['change', 'Staff', '--registers-new-users', 'maybe']),
        /registersNewUsers must be boolean/,
      );
      assert.match(await fail(['change', 'Staff', '--claim', 'name']), /Write --claim as NAME=VALUE/);
      assert.match(await fail(['add', 'oidc', 'apple', 'x', '--issuer', 'https://id.example.com']), /has this name/);
    });
  });
}
