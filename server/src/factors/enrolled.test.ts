// Enrolled factors on both engines: which accounts have one, and whether their passkeys are of a former domain.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { createManualClock } from '../../test/support/clock.ts';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import { createDevice } from '../../test/support/passkeys.ts';
import { createAccountStore, newAccount } from '../accounts/index.ts';
import { systemRandom } from '../foundation/random.ts';
import { createSecrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Database, Tx } from '../storage/database.ts';
import { createFactors } from './factors.ts';

for (const engine of engines) {
  describe(`enrolled factors on ${engine}`, () => {
    const clock = createManualClock();
    let database: Database;
    let factors: ReturnType<typeof createFactors>;
    let count = 0;
    before(async () => {
      database = await openTestDatabase(engine);
      const values = { passkeys: true, authenticator: true, trustedDeviceDays: 0, requireForPermissions: false };
      // The factors read this one setting only.
      const settings = { read: () => values } as SettingReader;
      const secrets = createSecrets('a secret of at least thirty-two characters', systemRandom);
      const relyingParty = { id: 'localhost', origins: ['http://localhost:8080'] };
      factors = createFactors({
        database,
        settings,
        relyingParty,
        secrets,
        clock,
        random: systemRandom,
        onUnopened: () => assert.fail(),
      });
    });
    after(() => database.close());

    const within = <Result>(work: (tx: Tx) => Promise<Result>) => database.transaction(work);
    async function addAccount() {
      count += 1;
      const input = { ...newAccount(`person${count}`, {}), passwordHash: null };
      return (await createAccountStore(database, systemRandom).add(database.sql, input, clock.now())) ?? assert.fail();
    }
    async function addAuthenticator(id: number) {
      const shown = { issuer: 'auth.example.com', label: 'ann' };
      const { operationId, secret } = await within((tx) => factors.authenticators.begin(tx, id, shown));
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() });
      assert.equal(await within((tx) => factors.authenticators.confirm(tx, id, operationId, code)), 'enrolled');
    }
    async function addPasskey(id: number) {
      const { passkeys } = factors;
      const begun = (await within((tx) => passkeys.beginRegistration(tx, id))) ?? assert.fail('too many');
      const owner = { id, userName: `person${id}`, fullName: `Person ${id}` };
      const options = await passkeys.creationOptions(begun, owner, 'Latchkey');
      const answer = createDevice().create({ operationId: begun.operationId, options });
      const verified = await passkeys.verifyRegistration(id, answer);
      if (typeof verified === 'string') assert.fail(verified);
      await within((tx) => passkeys.register(tx, id, verified, 'key'));
    }

    it('are found for each account that has one of either kind', async () => {
      const [both, app, passkey, former, none, notAsked] = [
        await addAccount(),
        await addAccount(),
        await addAccount(),
        await addAccount(),
        await addAccount(),
        await addAccount(),
      ];
      for (const id of [both, app, former, notAsked]) await addAuthenticator(id);
      for (const id of [both, passkey, notAsked]) await addPasskey(id);
      await within((tx) => factors.authenticators.remove(tx, former));
      const find = (ids: readonly number[]) => factors.enrolledFactors.findOwners(database.sql, ids);
      assert.deepEqual(await find([both, app, passkey, former, none]), new Set([both, app, passkey]));
      assert.deepEqual(await find([passkey]), new Set([passkey]));
      assert.deepEqual(await find([]), new Set());
      for (const [authenticator, passkeys, owners] of [
        [true, false, [both, app]],
        [false, true, [both, passkey]],
        [false, false, []],
      ] as const) {
        const kinds = { authenticator, passkeys };
        const found = await factors.enrolledFactors.findOwners(database.sql, [both, app, passkey], kinds);
        assert.deepEqual(found, new Set(owners));
      }
    });

    it('are passkeys of a former domain only if there are some, and all of them are', async () => {
      const id = await addAccount();
      const readOnlyFormer = async () => (await factors.enrolledFactors.read(database.sql, id)).hasOnlyFormerPasskeys;
      assert.equal(await readOnlyFormer(), false);
      await addPasskey(id);
      assert.equal(await readOnlyFormer(), false);
      await database.sql.updateTable('passkey').set({ rp_id: 'old.example' }).where('account_id', '=', id).execute();
      assert.equal(await readOnlyFormer(), true);
      await addPasskey(id);
      assert.equal(await readOnlyFormer(), false);
    });
  });
}
