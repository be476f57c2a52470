// Second factors on the command line: their reset, the note of an import, and the doctor's warning.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createMigratedUrl, engines } from '../support/databases.ts';
import { useFactors } from '../support/factors.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createSite, SECRET, type Site } from './run.ts';

for (const engine of engines) {
  describe(`second factors on the command line on ${engine}`, () => {
    let site: Site;
    let service: TestService;
    let env: Record<string, string>;
    before(async () => {
      site = await createSite(engine);
      const url =
        engine === 'sqlite' ? `sqlite:${join(site.folder, 'latchkey.db')}` : await createMigratedUrl('postgres');
      env = { LATCHKEY_DATABASE_URL: url, LATCHKEY_SECRET: SECRET };
      service = await startTestService(engine, { url, secret: SECRET });
    });
    after(async () => {
      await service.close();
      await site.close();
    });

    it('are reset with a reason, and the owner can sign in without them', async () => {
      const factors = useFactors({ here: service, there: service, close: service.close });
      await factors.allow();
      await service.createUser('thandi', { emailAddress: 'thandi@example.org', isEmailConfirmed: true });
      await factors.enroll(await service.signIn('thandi'));
      const { code, out, err } = await site.run(
        ['user', 'reset-factors', 'thandi@example.org', '--reason', 'The phone is gone.'],
        { env },
      );
      assert.deepEqual([code, out, err], [0, 'Reset the second factors of thandi.\n', '']);
      await service.signIn('thandi');
      const { details } = (await service.service.database.sql
        .selectFrom('audit')
        .select('details')
        .where('action', '=', 'account.factorsReset')
        .executeTakeFirst()) ?? { details: null };
      assert.match(JSON.stringify(details), /command line.*The phone is gone\./);
      const again = await site.run(['user', 'reset-factors', 'thandi'], { env });
      assert.deepEqual([again.code, again.out, again.err], [0, 'thandi has no second factor.\n', '']);
      const unknown = await site.run(['user', 'reset-factors', 'nobody'], { env });
      assert.equal(unknown.code, 1);
      assert.match(unknown.err, /no account .*"nobody"/);
    });

    it('are not imported: a note says so, and what to do', async () => {
      const users = [
        { UserName: 'sipho', IsTwoFactorEnabled: true, GoogleAuthenticatorKey: 'JBSWY3DPEHPK3PXP' },
        { UserName: 'lerato', IsTwoFactorEnabled: false, GoogleAuthenticatorKey: null },
      ];
      const run = async (lines: object[]) => {
        writeFileSync(join(site.folder, 'users.json'), JSON.stringify(lines));
        return site.run(['import', 'users', 'users.json'], { env });
      };
      const note =
        /^Some users may have a second factor there\. Second factors are not imported: users set them up here\./m;
      const { code, out } = await run(users);
      assert.equal(code, 0);
      assert.match(out, note);
      assert.doesNotMatch(out, /JBSWY3DP|not known here/);
      assert.doesNotMatch((await run(users.slice(1))).out, note);
    });

    it('that are required while no account can enroll are a warning of the doctor', async () => {
      const factors = useFactors({ here: service, there: service, close: service.close });
      const warning =
        /^warn {2}second factors +required at default-app, but passkeys and the authenticator app are both off/m;
      await factors.allow({}, 'required', 'default-app');
      assert.doesNotMatch((await site.run(['doctor'], { env })).out, warning);
      // The administrator's session is from before the policy.
      const { operator } = await import('../../src/app/first-start.ts');
      const off = { passkeys: false, authenticator: false, trustedDeviceDays: 0, requireForPermissions: false };
      await service.service.settings.update('Latchkey.Factors', '', off, operator('test'));
      assert.match((await site.run(['doctor'], { env })).out, warning);
    });
  });
}
