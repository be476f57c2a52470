// Imports at the same time as other work: ids and accounts are given once, and no new password is lost.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hashSync as bcrypt } from '@node-rs/bcrypt';
import { createAccountImport, type ImportedAccount } from '../../src/account-import/index.ts';
import { createAccountImportStore, newAccount } from '../../src/accounts/index.ts';
import { operator } from '../../src/app/first-start.ts';
import { importOptions } from '../support/imports.ts';
import { often } from '../support/scale.ts';
import { type TestService, USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const ROUNDS = often(3, 10);
const USER = '/api/services/app/User';
const by = operator('import');

function importerOf({ service, clock }: TestService, more: Partial<Parameters<typeof createAccountImport>[1]> = {}) {
  const imports = createAccountImportStore(service.database);
  return createAccountImport({ ...service, imports, clock }, importOptions(more));
}

const imported = (userName: string, more: Partial<ImportedAccount> = {}): ImportedAccount => ({
  given: { userName },
  passwordHash: null,
  identity: {},
  externalLogins: [],
  factors: { authenticator: null, passkeys: [] },
  lock: null,
  ...more,
});

for (const [name, start] of Object.entries(setUps)) {
  describe(`imports at the same time on ${name}`, () => {
    let setUp: SetUp;
    before(async () => {
      setUp = await start();
    });
    after(() => setUp.close());

    it('of the same accounts add each of them once', async () => {
      const batch = Array.from({ length: 50 }, (_, index) =>
        imported(`twin${index}`, {
          identity: { id: 1000 + index, personId: `person ${index}` },
          externalLogins: [{ provider: 'Corp', providerKey: `twin ${index}` }],
        }),
      );
      const outcomes = await Promise.all(
        [setUp.here, setUp.there, setUp.here, setUp.there].map((node) => importerOf(node).import(batch, by)),
      );
      for (const index of batch.keys()) {
        assert.equal(outcomes.filter((run) => run[index]?.done === 'added').length, 1);
        const refused = outcomes.flatMap((run) => (run[index]?.done === 'refused' ? [run[index].reasons[0]] : []));
        assert.deepEqual(new Set(refused).size, 1);
        assert.match(refused[0] ?? '', /the id, the person id, the user name, the external login at Corp\.$/);
      }
    });

    it('and new accounts never compete for an id', async () => {
      const { here, there } = setUp;
      const first = 5000;
      const importer = importerOf(here);
      const rows = Array.from({ length: 60 }, (_, index) =>
        imported(`kept${index}`, { identity: { id: first + index } }),
      );
      const create = async (number: number) =>
        (await there.service.administration.create(newAccount(`new${number}`), null, operator('test'))).id;
      const [created, outcomes] = await Promise.all([
        Promise.all(Array.from({ length: 40 }, (_, number) => create(number))),
        importer.reserveIds(first + rows.length - 1).then(async () => {
          const runs = [];
          for (let at = 0; at < rows.length; at += 10) runs.push(await importer.import(rows.slice(at, at + 10), by));
          return runs.flat();
        }),
      ]);
      assert.equal(new Set(created).size, created.length);
      assert.ok(created.every((id) => id < first || id >= first + rows.length));
      assert.ok(outcomes.every((outcome) => outcome.done === 'added'));
      assert.ok((await create(1000)) >= first + rows.length);
    });

    it('never undo a password that its owner has just set', async () => {
      const { here, there } = setUp;
      for (let round = 0; round < ROUNDS; round += 1) {
        const userName = `owner${round}`;
        await importerOf(here).import([imported(userName, { passwordHash: bcrypt('gravel staple lantern', 4) })], by);
        const token = await here.signIn(userName, 'gravel staple lantern');
        const body = { currentPassword: 'gravel staple lantern', newPassword: USER_PASSWORD };
        const update = [imported(userName, { passwordHash: bcrypt('lantern gravel staple', 4) })];
        const [changed] = await Promise.all([
          here.post('/api/services/app/User/ChangePassword', { token, body }),
          importerOf(there, { update: true }).import(update, by),
        ]);
        const [holds, fails] =
          changed.status === 200 ? [USER_PASSWORD, 'lantern gravel staple'] : ['lantern gravel staple', USER_PASSWORD];
        await here.signIn(userName, holds);
        await assert.rejects(here.signIn(userName, fails));
      }
    });

    it('give the id of a deleted account to nobody, also while it is deleted or erased', async () => {
      const { here, there } = setUp;
      const token = await here.admin();
      const ends: Record<string, (id: number) => Promise<{ status: number }>> = {
        Delete: (id) => here.send('DELETE', `${USER}/Delete`, { token, query: { id } }),
        Erase: (id) => here.post(`${USER}/Erase`, { token, body: { id } }),
      };
      for (const [name, end] of Object.entries(ends)) {
        for (let round = 0; round < ROUNDS; round += 1) {
          const id = await here.createUser(`past${name}${round}`);
          const heir = imported(`heir${name}${round}`, { identity: { id } });
          const [ended, [atOnce]] = await Promise.all([end(id), importerOf(there).import([heir], by)]);
          assert.equal(ended.status, 200);
          assert.equal(atOnce?.done, 'refused');
          const [dry] = await importerOf(there, { isDry: true }).import([heir], by);
          const [later] = await importerOf(there).import([heir], by);
          const reasons = later?.done === 'refused' ? later.reasons : [];
          assert.match(reasons.join(), /^The id belonged to an account that was deleted here/);
          assert.deepEqual(dry, later);
          const [renumbered] = await importerOf(there, { renumber: true }).import([heir], by);
          assert.ok(renumbered?.done === 'added' && renumbered.id !== id && renumbered.former.id === id);
        }
      }
    });

    it('give the id of a deleted account without what was left of it', async () => {
      const { here } = setUp;
      const id = await here.createUser('leaver', { emailAddress: 'leaver@example.com', isEmailConfirmed: true });
      const link = await here.post('/api/services/app/User/SendEmailLink', { body: { username: 'leaver' } });
      assert.equal(link.status, 200, link.text);
      here.clock.advance(120);
      const pin = await here.post('/api/TokenAuth/OtpAuthenticateSendPin', { body: { userNameOrMobileNo: 'leaver' } });
      assert.equal(pin.status, 200, pin.text);
      await here.post('/api/TokenAuth/Authenticate', { body: { userNameOrEmailAddress: 'leaver', password: 'wrong' } });
      await here.send('DELETE', '/api/services/app/User/Delete', { token: await here.admin(), query: { id } });
      const { sql } = here.service.database;
      // A former version did not keep the ids of deleted accounts.
      await sql.deleteFrom('deleted_account').where('id', '=', id).execute();
      const [outcome] = await importerOf(here).import([imported('heir', { identity: { id } })], by);
      assert.equal(outcome?.done, 'added');
      const pins = await sql.selectFrom('pin').selectAll().where('account_id', '=', id).execute();
      const locks = await sql.selectFrom('lockout').selectAll().where('subject', '=', `account:${id}`).execute();
      assert.deepEqual([pins, locks], [[], []]);
      const tokens = await sql.selectFrom('reset_token').selectAll().where('account_id', '=', id).execute();
      const { version } = (await here.service.accounts.findCredential(id)) ?? assert.fail();
      assert.equal(tokens.length, 1);
      assert.notEqual(tokens[0]?.password_version, version);
    });
  });
}
