// Attacks of administrators on the addresses that open accounts: who may verify one, and who is told.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createAccountImport, type ImportedAccount } from '../../src/account-import/index.ts';
import { createAccountImportStore } from '../../src/accounts/index.ts';
import { operator } from '../../src/app/first-start.ts';
import { createTestAccounts } from '../support/accounts.ts';
import { assertRefused } from '../support/answers.ts';
import { importOptions } from '../support/imports.ts';
import { createPerson, createTestProvider, type TestProvider } from '../support/providers.ts';
import { often } from '../support/scale.ts';
import type { TestService } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const API = '/api/services/app';
const ROUNDS = often(2, 5);
const AT_ONCE = 20;

for (const [name, start] of Object.entries(setUps)) {
  describe(`attacks on recovery addresses, on ${name}`, () => {
    let setUp: SetUp;
    let here: TestService;
    let there: TestService;
    let acme: TestProvider;
    let admin: string;
    /** Holds `Pages.Users` alone. */
    let helper: string;
    let count = 0;
    /** The attacker's. */
    let mine: { emailAddress: string; mobileNumber: string };
    let own: typeof mine;

    before(async () => {
      acme = createTestProvider('Acme');
      setUp = await start({ additions: { providers: [acme.info] } });
      ({ here, there } = setUp);
      admin = await here.admin();
      await here.set('Shesha.Otp', { resendCooldown: 0, dailyLimitPerRecipient: 1000 });
      await here.set('Latchkey.RateLimiting', { loginPermitLimit: 1000, otpPermitLimit: 1000 });
      const body = { name: 'Helper', grantedPermissions: ['Pages.Users'] };
      await here.post(`${API}/Role/Create`, { token: admin, body });
      await here.createUser('helper', { roleNames: ['Helper'] });
      helper = await here.signIn('helper');
    });
    beforeEach(async () => {
      count += 1;
      own = { emailAddress: `owner${count}@example.org`, mobileNumber: `+278210000${10 + count}` };
      mine = { emailAddress: `mallory${count}@example.org`, mobileNumber: `+278310000${10 + count}` };
      await here.deliver();
    });
    after(() => setUp.close());

    const verified = { isEmailConfirmed: true, isMobileConfirmed: true };
    const create = (more: object = {}) => here.createUser(`owner${count}`, { ...own, ...verified, ...more });
    const update = (token: string, id: number, changes: object, node = there) =>
      node.send('PUT', `${API}/User/Update`, { token, body: { id, ...changes } });
    const get = async (id: number) => (await here.get(`${API}/User/Get`, { token: admin, query: { id } })).result;
    const idOf = async (token: string) =>
      (await here.get(`${API}/Session/GetCurrentLoginInfo`, { token })).result.user?.id ?? 0;
    const told = async () => (await here.deliver()).map(({ to }) => to).toSorted();

    /** Asks for every message that opens an account. @returns where they went. */
    async function askForAll(username: string) {
      await there.post(`${API}/User/SendEmailLink`, { body: { username } });
      await there.post(`${API}/User/SendSmsOtp`, { body: { username } });
      await there.post('/api/TokenAuth/OtpAuthenticateSendPin', { body: { userNameOrMobileNo: username } });
      await there.post(`${API}/User/ResetPasswordSendOtp`, { body: { mobileNo: mine.mobileNumber } });
      return new Set(await told());
    }

    const victims: Record<string, () => Promise<number>> = {
      'an account in use': async () => {
        const id = await create();
        await here.signIn(`owner${count}`);
        return id;
      },
      'an account that was never used': () => create({ password: null }),
      'an account from an external sign-in': async () =>
        (await here.post('/api/TokenAuth/ExternalAuthenticateAsync', { body: acme.proofOf(createPerson(own)) })).result
          .userId ?? 0,
      'an account without addresses': () => create({ emailAddress: null, mobileNumber: null }),
    };
    for (const [victim, make] of Object.entries(victims)) {
      it(`${victim} is not taken over by verifying other addresses, without the permission to reset passwords`, async () => {
        const id = await make();
        const userName = `renamed${count}`;
        const moved = await update(helper, id, { userName, ...mine, ...verified });
        assert.deepEqual([moved.status, moved.result.emailAddress], [200, mine.emailAddress], moved.text);
        assert.deepEqual([moved.result.isEmailConfirmed, moved.result.isMobileConfirmed], [false, false]);
        for (const changes of [{ isEmailConfirmed: true }, { isMobileConfirmed: true }, { ...mine, ...verified }]) {
          assertRefused(await update(helper, id, changes), 403, 'permission.denied', changes);
        }
        await update(helper, id, { emailAddress: null, mobileNumber: null, ...verified });
        const back = (await update(helper, id, { ...mine, ...verified })).result;
        assert.deepEqual([back.isEmailConfirmed, back.isMobileConfirmed], [false, false]);
        await told();
        assert.deepEqual(await askForAll(userName), new Set());
        const invited = await there.post(`${API}/User/SendInvitation`, { token: helper, body: { userId: id } });
        assert.ok(['permission.denied', 'invitation.hasPassword'].includes(invited.error?.reason ?? ''), invited.text);
        assert.deepEqual(await told(), []);
      });
    }

    it('nobody is invited by another address than the verified ones, without the permission to reset passwords', async () => {
      const invite = (token: string, userId: number) =>
        there.post(`${API}/User/SendInvitation`, { token, body: { userId } });
      const { emailAddress } = mine;
      const replaced = await create({ password: null, mobileNumber: null });
      const added = await create({ password: null, userName: `number${count}`, emailAddress: null });
      for (const id of [replaced, added]) {
        assert.equal((await update(helper, id, { emailAddress: `first-${id}-${emailAddress}` })).status, 200);
        assertRefused(await invite(helper, id), 403, 'permission.denied');
      }
      await told();
      // Of one who may reset passwords, the address counts as verified.
      for (const id of [replaced, added]) {
        const changes = { emailAddress: `second-${id}-${emailAddress}`, isEmailConfirmed: true };
        assert.equal((await update(admin, id, changes)).status, 200);
        await told();
        assert.equal((await invite(helper, id)).status, 200);
        assert.deepEqual(await told(), [changes.emailAddress]);
      }
      // Nobody is known to own an account that never had a verified address.
      const unknown = await create({
        password: null,
        userName: `unknown${count}`,
        emailAddress: null,
        mobileNumber: null,
      });
      assert.equal((await update(helper, unknown, { emailAddress })).status, 200);
      assert.equal((await invite(helper, unknown)).status, 200);
      assert.deepEqual(await told(), [emailAddress]);
    });

    const linkTo = async (accountId: number, provider: string) => {
      const login = { provider, providerKey: `key${accountId}`, accountId, linkedAt: here.clock.now() };
      await here.service.externalLoginStore.add(here.service.database.sql, login);
    };
    const owners: Record<string, (id: number) => Promise<void>> = {
      async 'an external login that the administrator removes'(id) {
        await linkTo(id, 'Acme');
        const [login] = (await there.get(`${API}/User/GetExternalLogins`, { token: helper, query: { userId: id } }))
          .result.items;
        const body = { userId: id, id: login?.id ?? assert.fail() };
        assert.equal((await there.post(`${API}/User/RemoveExternalLogin`, { token: helper, body })).status, 200);
      },
      async 'an external login at a provider that is deleted'(id) {
        const body = { type: 'google', name: `Google${id}`, clientId: 'client', clientSecret: 'a-secret' };
        const created = await here.post(`${API}/ExternalProvider/Create`, { token: admin, body });
        assert.equal(created.status, 200, created.text);
        await linkTo(id, body.name);
        const query = { id: created.result.id };
        const deleted = await there.send('DELETE', `${API}/ExternalProvider/Delete`, { token: admin, query });
        assert.equal(deleted.status, 200, deleted.text);
      },
      async 'an authenticator of an import, while authenticators are off'(id) {
        const app = { accountId: id, secret: 'JBSWY3DPEHPK3PXP', enrolledAt: here.clock.now() };
        await here.service.database.transaction((tx) => here.service.authenticators.adopt(tx, [app]));
        await here.set('Latchkey.Factors', { authenticator: false });
      },
      async 'a passkey of an import, for a former domain'(id) {
        const key = {
          credentialId: `Y3JlZGVudGlhbA${id}`,
          publicKey: 'a2V5',
          signCount: 0,
          transports: [],
          rpId: 'former.example',
        };
        const times = { createdAt: here.clock.now(), lastUsedAt: null };
        const passkey = { ...key, ...times, accountId: id, userHandle: undefined, name: 'Key', isBackedUp: false };
        await here.service.database.transaction((tx) => here.service.passkeys.adopt(tx, [passkey]));
      },
    };
    for (const [owner, give] of Object.entries(owners)) {
      it(`the owner by ${owner} is not replaced by inviting another person`, async () => {
        const id = await create({ password: null, mobileNumber: null, isEmailConfirmed: false });
        await give(id);
        assert.equal((await update(helper, id, { emailAddress: mine.emailAddress })).status, 200);
        await told();
        const invite = (token: string) => there.post(`${API}/User/SendInvitation`, { token, body: { userId: id } });
        assertRefused(await invite(helper), 403, 'permission.denied');
        assert.deepEqual(await told(), []);
        assert.equal((await invite(admin)).status, 200);
        await here.set('Latchkey.Factors', { authenticator: true });
      });
    }

    it('a new account has no verified address, without the permission to reset passwords', async () => {
      assert.equal((await update(helper, await create(), { emailAddress: null, mobileNumber: null })).status, 200);
      const body = { userName: `new${count}`, ...own, ...verified };
      const { result } = await there.post(`${API}/User/Create`, { token: helper, body });
      assert.deepEqual([result.emailAddress, result.mobileNumber], [own.emailAddress, own.mobileNumber]);
      assert.deepEqual([result.isEmailConfirmed, result.isMobileConfirmed], [false, false]);
      const importAs = async (token: string, userName: string, more: object) => {
        const lines = [JSON.stringify({ userName, ...more, ...verified })];
        const answer = await there.post(`${API}/User/Import`, { token, body: { lines } });
        const { isEmailConfirmed, isMobileConfirmed } = await get(
          answer.result.items[0]?.userId ?? assert.fail(answer.text),
        );
        return [isEmailConfirmed, isMobileConfirmed];
      };
      assert.deepEqual(await importAs(helper, `imported${count}`, mine), [false, false]);
      const other = { emailAddress: `other${count}@example.org`, mobileNumber: `+278410000${10 + count}` };
      assert.deepEqual(await importAs(admin, `other${count}`, other), [true, true]);
    });

    it('an import verifies no other addresses either, and a permitted one tells the former', async () => {
      const imports = createAccountImportStore(there.service.database);
      const options = importOptions({ update: true });
      const importing = createAccountImport({ ...there.service, imports, clock: there.clock }, options);
      const line = (given: object): ImportedAccount => ({
        given: { userName: `owner${count}`, ...given },
        passwordHash: null,
        identity: {},
        externalLogins: [],
        factors: { authenticator: null, passkeys: [] },
        lock: null,
      });
      const by = operator('import');
      const [added] = await importing.import([line({ ...own, ...verified })], by);
      const id = added?.done === 'added' ? (added.id ?? 0) : assert.fail('not added');
      const again = createAccountImport({ ...there.service, imports, clock: there.clock }, options);
      const asHelper = { ...by, authorize: async () => ['Pages.Users'] };
      assert.equal((await again.import([line({ ...mine, ...verified })], asHelper))[0]?.done, 'updated');
      const { isEmailConfirmed, isMobileConfirmed } = await get(id);
      assert.deepEqual([isEmailConfirmed, isMobileConfirmed], [false, false]);
      assert.deepEqual(await told(), [own.mobileNumber, own.emailAddress]);
      const once = createAccountImport({ ...there.service, imports, clock: there.clock }, options);
      assert.equal((await once.import([line({ ...own, ...verified })], by))[0]?.done, 'updated');
      assert.equal((await get(id)).isEmailConfirmed, true);
    });

    it('nobody changes or verifies the own addresses by the calls of administrators', async () => {
      const id = await idOf(admin);
      const before = await get(id);
      const refusedTo = async (token: string, userId: number, changes: object) => {
        const refused = await update(token, userId, changes);
        assertRefused(refused, 403, 'permission.denied', changes);
        assert.match(refused.error.details, /ChangeMyAddress/);
      };
      await refusedTo(admin, id, { emailAddress: mine.emailAddress });
      await refusedTo(admin, id, { ...mine, ...verified });
      await refusedTo(helper, await idOf(helper), { mobileNumber: mine.mobileNumber });
      const boss = await create({ roleNames: ['Administrator'], isMobileConfirmed: false });
      const token = await here.signIn(`owner${count}`);
      for (const changes of [
        { emailAddress: null },
        { isEmailConfirmed: false },
        { isMobileConfirmed: true },
        { emailAddress: own.emailAddress.toUpperCase() },
      ]) {
        await refusedTo(token, boss, changes);
      }
      const whole = await update(token, boss, { ...own, isEmailConfirmed: true, name: 'Same' });
      assert.deepEqual([whole.status, whole.result.isEmailConfirmed, whole.result.name], [200, true, 'Same']);
      assert.deepEqual(await get(id), before);
    });

    it('an invitation opens neither the own account nor one that is linked to a provider', async () => {
      const invite = (token: string, userId: number) =>
        there.post(`${API}/User/SendInvitation`, { token, body: { userId } });
      const boss = await create({ roleNames: ['Administrator'] });
      const token = await here.signIn(`owner${count}`);
      const setHash = (password_hash: string | null) =>
        here.service.database.sql.updateTable('account').set({ password_hash }).where('id', '=', boss).execute();
      const { hash } = (await here.service.accounts.findCredential(boss)) ?? assert.fail();
      await setHash(null);
      assertRefused(await invite(token, boss), 403, 'permission.denied');
      await setHash(hash);
      count += 100;
      const linked = await create({ password: null, ...mine, isEmailConfirmed: false });
      await linkTo(linked, 'Acme');
      assertRefused(await invite(helper, linked), 403, 'permission.denied');
      assert.deepEqual(await told(), []);
      assert.equal((await invite(admin, linked)).result, true);
    });

    it('each change of verified addresses is told to all that were verified before, and the first one of others', async () => {
      const id = await create({ isMobileConfirmed: false });
      const both = [own.mobileNumber, own.emailAddress].toSorted();
      const steps: [object, string[]][] = [
        [{ name: 'Other', isEmailConfirmed: true, ...own }, []],
        [{ mobileNumber: mine.mobileNumber }, [own.emailAddress]],
        [{ mobileNumber: own.mobileNumber }, []],
        [{ isMobileConfirmed: true }, [own.emailAddress]],
        [{ emailAddress: mine.emailAddress, isEmailConfirmed: true }, both],
        [{ emailAddress: own.emailAddress }, [mine.emailAddress, own.mobileNumber]],
        [{ isEmailConfirmed: true }, [own.mobileNumber]],
        [{ mobileNumber: null }, both],
        [{ isEmailConfirmed: false }, [own.emailAddress]],
      ];
      for (const [changes, expected] of steps) {
        const { status, text } = await update(admin, id, changes);
        assert.equal(status, 200, text);
        assert.deepEqual(await told(), expected.toSorted(), JSON.stringify(changes));
      }
      await update(admin, id, { isEmailConfirmed: true });
      await update(helper, id, { emailAddress: mine.emailAddress });
      const [mail] = await here.deliver();
      assert.equal(mail?.to, own.emailAddress);
      assert.match(mail?.text ?? '', /an administrator changed the verified e-mail address or mobile number/);
    });

    it('no address is verified after the answer that took the permission away', async () => {
      const accounts = await createTestAccounts(here);
      for (let round = 0; round < ROUNDS; round += 1) {
        const role = `Resetter${count}x${round}`;
        const grantedPermissions = ['Pages.Users', 'users:resetPassword'];
        const { id } = (
          await here.post(`${API}/Role/Create`, { token: admin, body: { name: role, grantedPermissions } })
        ).result;
        const token = await accounts.open(await accounts.add([role]));
        const owners = await Promise.all(Array.from({ length: AT_ONCE }, () => accounts.add()));
        const changes = owners.map((owner, turn) => {
          const address = { emailAddress: `${owner.userName}@evil.example`, isEmailConfirmed: true };
          return update(token, owner.id, address, turn % 2 ? here : there);
        });
        const body = { id, grantedPermissions: ['Pages.Users'] };
        assert.equal((await there.send('PUT', `${API}/Role/Update`, { token: admin, body })).status, 200);
        const countVerified = async () => {
          const all = here.service.database.sql.selectFrom('account').select('id').where('is_email_confirmed', '=', 1);
          return (
            await all
              .where(
                'id',
                'in',
                owners.map((owner) => owner.id),
              )
              .execute()
          ).length;
        };
        const made = await countVerified();
        const answers = await Promise.all(changes);
        assert.equal(await countVerified(), made);
        assert.equal(answers.filter(({ result }) => result?.isEmailConfirmed).length, made);
      }
    });
  });
}
