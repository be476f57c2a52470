// The account store, on both engines.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import type { Instant } from '../foundation/clock.ts';
import { UniqueViolation } from '../foundation/errors.ts';
import type { Database } from '../storage/database.ts';
import { type AccountInput, newAccount } from './account.ts';
import { type AccountStore, createAccountStore } from './store.sql.ts';

const now = 1000 as Instant;
let people = 0;
const input = (userName: string, more: Partial<AccountInput> = {}) => ({
  ...newAccount(userName, more),
  passwordHash: 'hash',
});

for (const engine of engines) {
  describe(`account store on ${engine}`, () => {
    let database: Database;
    let store: AccountStore;
    before(async () => {
      database = await openTestDatabase(engine);
      store = createAccountStore(database, { uuid: () => `person ${people++}` });
    });
    after(() => database.close());

    const add = async (userName: string, more: Partial<AccountInput> = {}) =>
      (await store.add(database.sql, input(userName, more), now)) ?? assert.fail(`${userName} is taken`);

    it('is empty, then finds an added account', async () => {
      assert.equal(await store.isEmpty(), true);
      const more = {
        emailAddress: 'Ann@Example.com',
        mobileNumber: '+27821234567',
        roleNames: ['A "quoted" one'],
        isEmailConfirmed: true,
      };
      const id = await add('Ann', more);
      const personId = `person ${people - 1}`;
      const { passwordHash: _, ...same } = input('Ann', more);
      const expected = { id, personId, ...same, lastSignInAt: null, createdAt: now, updatedAt: now };
      assert.deepEqual(await store.find(id), expected);
      assert.deepEqual(await store.findIn(database.sql, id), expected);
      assert.deepEqual(await store.findForUpdate(database.sql, id), expected);
      assert.deepEqual(await store.findCredential(id), { hash: 'hash', version: 1 });
      assert.deepEqual(await store.findByMobile(database.sql, '+27821234567'), [id]);
      assert.equal(await store.isEmpty(), false);
    });

    it('finds by user name before e-mail address, in any spelling', async () => {
      const byName = await add('bob@example.com', { emailAddress: null });
      await add('other-bob', { emailAddress: 'BOB@example.com' });
      assert.equal((await store.findByName(database.sql, 'ＢＯＢ@Example.COM'))?.id, byName);
      assert.equal((await store.findByName(database.sql, 'OTHER-BOB'))?.emailAddress, 'BOB@example.com');
      assert.equal(await store.findByName(database.sql, 'unknown'), undefined);
    });

    it('takes a role from as many accounts as have it', async () => {
      const id = await add('holder', { roleNames: ['Keeper', 'Held'] });
      const others = Object.keys((await database.sql.selectFrom('account').selectAll().executeTakeFirst()) ?? {});
      const rest = others.filter((name) => !['id', 'person_id', 'user_name_key', 'email_key'].includes(name));
      await sql`
        with recursive n (i) as (select 1 union all select i + 1 from n where i < 4100)
        insert into account (person_id, user_name_key, ${sql.join(rest.map((name) => sql.ref(name)))})
        select 'copy ' || n.i, 'copy ' || n.i, ${sql.join(rest.map((name) => sql.ref(name)))}
        from account, n where id = ${id}`.execute(database.sql);
      await store.removeRole(database.sql, (name) => name === 'Held');
      const left = await store.findByRoles(database.sql, (names) => names.includes('Held'));
      assert.deepEqual([left.length, (await store.find(id))?.roleNames], [0, ['Keeper']]);
      const keepers = await store.findByRoles(database.sql, (names) => names.includes('Keeper'));
      assert.equal(keepers.length, 4101);
      const counted = (await store.countByRoles()).filter(({ roleNames }) => roleNames.includes('Keeper'));
      assert.deepEqual(counted, [{ roleNames: ['Keeper'], count: 4101 }]);
      await database.sql.deleteFrom('account').where('id', 'in', keepers).execute();
    });

    it('creates one account when fifty callers claim the same name at once', async () => {
      const added = await Promise.all(
        Array.from({ length: 50 }, (_, n) => store.add(database.sql, input(n % 2 ? 'Straße' : 'STRASSE'), now)),
      );
      assert.equal(added.filter((id) => id !== undefined).length, 1);
    });

    it('refuses to give one account the name or address of another', async () => {
      await add('carol', { emailAddress: 'carol@example.com' });
      const id = await add('dave');
      await assert.rejects(store.replace(database.sql, id, input('CAROL'), now), UniqueViolation);
      const taken = input('dave', { emailAddress: 'Carol@example.com' });
      await assert.rejects(store.replace(database.sql, id, taken, now), UniqueViolation);
    });

    it('records when a name or address changes or is verified, and nothing else', async () => {
      const id = await add('uma', { emailAddress: 'uma@example.com', mobileNumber: '+27821234500' });
      let at = now;
      const replace = async (more: Partial<AccountInput>) => {
        at = (at + 1) as Instant;
        const {
          id: _,
          personId,
          lastSignInAt,
          createdAt,
          updatedAt,
          ...known
        } = (await store.find(id)) ?? assert.fail();
        await store.replace(database.sql, id, { ...known, ...more }, at);
        return (await store.find(id))?.updatedAt;
      };
      const confirm = async () => {
        at = (at + 1) as Instant;
        await store.confirmEmail(database.sql, id, 'uma@example.com', at);
        return (await store.find(id))?.updatedAt;
      };
      assert.equal(await replace({ roleNames: ['R'], isActive: false, mustChangePassword: true }), now);
      const changes = [
        { name: 'Uma' },
        { surname: 'Lee' },
        { userName: 'UMA' },
        { mobileNumber: null },
        { isMobileConfirmed: true },
        { emailAddress: null },
        { emailAddress: 'uma@example.com' },
      ];
      for (const change of changes) assert.equal(await replace(change), at, JSON.stringify(change));
      const last = at;
      assert.equal(await replace({ roleNames: [] }), last);
      assert.equal(await confirm(), last + 2);
      assert.equal(await confirm(), last + 2);
    });

    it('records a sign-in only for an active account with an unchanged password', async () => {
      const id = await add('erin');
      const record = (passwordVersion: number, upgradedHash?: string) =>
        store.recordSignIn(database.sql, id, { passwordVersion, upgradedHash }, now);
      assert.equal((await record(1, 'stronger'))?.lastSignInAt, now);
      assert.deepEqual(await store.findCredential(id), { hash: 'stronger', version: 1 });
      assert.equal(await record(2), undefined);
      await store.setActive(database.sql, id, false);
      assert.equal(await record(1), undefined);
    });

    it('sets one new password when many callers have verified the same old one', async () => {
      const id = await add('frank', { mustChangePassword: true });
      const set = (hash: string, provenVersion?: number) =>
        store.setPassword(database.sql, id, { hash, mustChange: false, ...(provenVersion && { provenVersion }) }, now);
      const changes = await Promise.all(Array.from({ length: 20 }, (_, n) => set(`hash ${n}`, 1)));
      assert.equal(changes.filter(Boolean).length, 1);
      assert.equal((await store.findCredential(id))?.version, 2);
      assert.equal((await store.find(id))?.mustChangePassword, false);
      assert.equal(await set('by an administrator'), true);
      assert.deepEqual(await store.findCredential(id), { hash: 'by an administrator', version: 3 });
    });

    it('records the completion of a registration once', async () => {
      const id = await add('kim');
      const complete = (account: number) => store.completeRegistration(database.sql, account, now);
      const recorded = await Promise.all(Array.from({ length: 20 }, () => complete(id)));
      assert.equal(recorded.filter(Boolean).length, 1);
      assert.equal(await complete(id + 1000), false);
    });

    it('finds the active holders of a role, and of no role with a similar name', async () => {
      const holder = await add('grace', { roleNames: ['Boss', 'Other'] });
      await add('heidi', { roleNames: ['Boss'], isActive: false });
      await add('ivan', { roleNames: ['Bossy', 'The Boss'] });
      assert.deepEqual(await store.findActiveByRole(database.sql, 'Boss'), [holder]);
    });

    it('removes an account', async () => {
      const id = await add('judy');
      await store.remove(database.sql, id);
      assert.equal(await store.find(id), undefined);
      assert.ok((await add('judy')) > id, 'its id is not used again');
    });
  });
}
