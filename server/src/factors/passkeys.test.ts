// Passkeys on both engines: registration, assertions, the counter, and what each answer is bound to.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createManualClock, type ManualClock } from '../../test/support/clock.ts';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import {
  createDevice,
  type Device,
  type ForgedAssertion,
  type ForgedRegistration,
} from '../../test/support/passkeys.ts';
import { createAccountStore, newAccount } from '../accounts/index.ts';
import { systemRandom } from '../foundation/random.ts';
import { createSecrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Database, Tx } from '../storage/database.ts';
import { createFactors } from './factors.ts';
import type { Passkeys } from './passkeys.ts';

const ORIGIN = 'http://localhost:8080';
const RACERS = 20;
const MAX_PASSKEYS = 20;
const BATCH = 500;
const other = Buffer.alloc(32, 7).toString('base64url');

for (const engine of engines) {
  describe(`passkeys on ${engine}`, () => {
    let database: Database;
    let clock: ManualClock;
    let passkeys: Passkeys;
    let factors: ReturnType<typeof createFactors>;
    let device: Device;
    let own: number;
    let count = 0;

    before(async () => {
      database = await openTestDatabase(engine);
    });
    after(() => database.close());
    beforeEach(async () => {
      clock = createManualClock();
      factors = create('localhost');
      passkeys = factors.passkeys;
      device = createDevice();
      own = await addAccount();
    });

    function create(id: string) {
      const values = { passkeys: true, authenticator: true, trustedDeviceDays: 0, requireForPermissions: false };
      // The factors read this one setting only.
      const settings = { read: () => values } as SettingReader;
      const secrets = createSecrets('a secret of at least thirty-two characters', systemRandom);
      const relyingParty = { id, origins: [ORIGIN, 'http://app.localhost'] };
      return createFactors({
        database,
        settings,
        relyingParty,
        secrets,
        clock,
        random: systemRandom,
        onUnopened: () => assert.fail(),
      });
    }
    async function addAccount() {
      count += 1;
      const input = { ...newAccount(`person${count}`, {}), passwordHash: null };
      return (await createAccountStore(database, systemRandom).add(database.sql, input, clock.now())) ?? assert.fail();
    }
    const within = <Result>(work: (tx: Tx) => Promise<Result>) => database.transaction(work);
    const list = (id = own) => passkeys.list(database.sql, id);

    async function begin(id = own) {
      const begun = (await within((tx) => passkeys.beginRegistration(tx, id))) ?? assert.fail('too many');
      const owner = { id, userName: `person${id}`, fullName: `Person ${id}` };
      return { operationId: begun.operationId, options: await passkeys.creationOptions(begun, owner, 'Latchkey') };
    }
    async function verifyRight(answer: Parameters<Passkeys['verifyRegistration']>[1]) {
      const verified = await passkeys.verifyRegistration(own, answer);
      return typeof verified === 'string' ? assert.fail(verified) : verified;
    }
    async function register(answer: Parameters<Passkeys['verifyRegistration']>[1], id = own, name = 'key') {
      const verified = await passkeys.verifyRegistration(id, answer);
      return typeof verified === 'string' ? verified : within((tx) => passkeys.register(tx, id, verified, name));
    }
    async function enroll(on = device, id = own) {
      const passkey = await register(on.create(await begin(id)), id);
      assert.ok(passkey && typeof passkey === 'object');
      return passkey;
    }
    /** Answers an assertion, and verifies the answer. */
    async function assertPasskey(
      forgery: ForgedAssertion = {},
      { purpose = 'sign-in', on = device, begunFor = purpose === 'sign-in' ? undefined : own }: Asserted = {},
    ) {
      const begun =
        purpose === 'sign-in'
          ? await passkeys.beginSignIn()
          : await passkeys.beginAssertion({ purpose, accountId: begunFor ?? 0 });
      const { operationId, credential } = on.forge(begun ?? assert.fail('no passkey'), forgery);
      const found = await passkeys.find(credential.id);
      return passkeys.verifyAssertion(found, { purpose, operationId, credential }, begunFor);
    }
    type Asserted = {
      purpose?: 'sign-in' | 'second-factor' | 'reauthenticate';
      on?: Device;
      begunFor?: number | undefined;
    };
    const use = async (verified: Awaited<ReturnType<typeof assertPasskey>>) =>
      within((tx) => passkeys.use(tx, verified ?? assert.fail('not verified')));

    it('are registered with what the authenticator says of them', async () => {
      const { options } = await begin();
      assert.deepEqual([options.rp, options.timeout], [{ id: 'localhost', name: 'Latchkey' }, 300_000]);
      assert.deepEqual(
        options.pubKeyCredParams.map(({ alg }) => alg),
        [-8, -7, -257],
      );
      assert.deepEqual([options.user.name, options.user.displayName], [`person${own}`, `Person ${own}`]);
      assert.equal(Buffer.from(options.challenge, 'base64url').length, 43);
      const { id, ...shown } = await enroll();
      assert.deepEqual(shown, { name: 'key', createdAt: clock.now(), lastUsedAt: null, isBackedUp: true });
      const [stored] = await list();
      const { credentialId, publicKey, ...rest } = stored ?? assert.fail();
      assert.ok(credentialId && publicKey);
      const bound = { accountId: own, signCount: 0, transports: ['usb'], rpId: 'localhost', userHandle: null };
      assert.deepEqual(rest, { id, ...shown, ...bound });
      assert.deepEqual(await passkeys.find(credentialId), stored);
      const { excludeCredentials } = (await begin()).options;
      assert.deepEqual(excludeCredentials, [{ id: credentialId, type: 'public-key', transports: ['usb'] }]);
      const elsewhere = create('app.localhost').passkeys;
      const begun = (await within((tx) => elsewhere.beginRegistration(tx, own))) ?? assert.fail();
      const owner = { id: own, userName: 'ann', fullName: 'Ann' };
      assert.deepEqual((await elsewhere.creationOptions(begun, owner, 'Latchkey')).excludeCredentials, []);
      assert.equal(await elsewhere.beginAssertion({ purpose: 'second-factor', accountId: own }), undefined);
    });

    it('are looked up by their credentials, and have a key that can verify', async () => {
      const { credentialId, publicKey } = (await enroll().then(() => list()))[0] ?? assert.fail();
      await enroll(createDevice(), await addAccount());
      assert.deepEqual(await passkeys.findRegistered(database.sql, [credentialId, 'unknown']), [credentialId]);
      assert.equal(await passkeys.isPublicKey(publicKey), true);
      for (const wrong of ['', 'AAAA', publicKey.slice(0, 20)]) assert.equal(await passkeys.isPublicKey(wrong), false);
    });

    it('are not registered by an answer that is wrong in any way', async () => {
      const options = await begin();
      const { credential } = device.create(options);
      const wrong: ForgedRegistration[] = [
        { origin: 'http://localhost' },
        { rpId: 'example.com' },
        { type: 'webauthn.get' },
        { challenge: other },
        { crossOrigin: true },
        { flags: 0b11100 },
        { flags: 0b11001 },
        { id: other },
        { attestation: 'certified' },
        { publicKey: { [-2]: Buffer.alloc(32, 1) } },
        { publicKey: { [-3]: Buffer.alloc(33, 1) } },
        { publicKey: { [-1]: 2 } },
        { publicKey: { 1: 1, 3: -8, [-1]: 6, [-2]: Buffer.alloc(32) } },
        { publicKey: { 1: 3, 3: -257, [-1]: Buffer.alloc(128, 255), [-2]: Buffer.from([1, 0, 1]) } },
      ];
      for (const forgery of wrong) {
        assert.equal(await register(device.forgeRegistration(options, credential, forgery)), 'wrong');
      }
      for (const clientDataJSON of ['', 'AA', 'bnVsbA', 'e30', 'eyJjaGFsbGVuZ2UiOjF9']) {
        const broken = { ...credential, response: { ...credential.response, clientDataJSON } };
        assert.equal(await register({ operationId: options.operationId, credential: broken }), 'wrong');
      }
      const foreign = createDevice().create(await begin(await addAccount()));
      assert.equal(await register(foreign), 'over');
      const answer = device.forgeRegistration(options, credential, {});
      assert.equal(await register(answer, await addAccount()), 'over');
      assert.equal(await register({ ...answer, operationId: systemRandom.uuid() }), 'over');
      assert.deepEqual(await list(), []);
      for (const attestation of ['none', 'self'] as const) {
        const key = createDevice();
        const begun = await begin();
        const made = key.create(begun).credential;
        const origin = 'http://app.localhost';
        assert.equal(typeof (await register(key.forgeRegistration(begun, made, { attestation, origin }))), 'object');
      }
    });

    it('are registered by the newest operation, and listed in the order of their registration', async () => {
      const [former, newest] = [device.create(await begin()), device.create(await begin())];
      assert.equal(await register(former), 'over');
      assert.equal(typeof (await register(newest, own, 'first')), 'object');
      for (const name of ['second', 'third', 'fourth']) {
        clock.advance(name === 'second' ? 1 : 0);
        const key = createDevice();
        const begun = await begin();
        const answer = key.forgeRegistration(begun, key.create(begun).credential, { flags: 0b101 });
        assert.equal(typeof (await register(answer, own, name)), 'object');
      }
      const [first, ...later] = await list();
      assert.deepEqual([first?.name, first?.isBackedUp], ['first', true]);
      const ids = later.map(({ id }) => id);
      assert.deepEqual(ids, ids.toSorted());
      assert.equal(
        later.some(({ isBackedUp }) => isBackedUp),
        false,
      );
    });

    it('are registered once, for one account, up to 20', async () => {
      const answer = device.create(await begin());
      const verified = await verifyRight(answer);
      const results = await Promise.all(
        Array.from({ length: RACERS }, () => within((tx) => passkeys.register(tx, own, verified, 'key'))),
      );
      assert.equal(results.filter((result) => result === 'over').length, RACERS - 1);
      const stranger = await addAccount();
      const begun = await begin(stranger);
      const stolen = device.forgeRegistration(begun, answer.credential, {});
      assert.equal(await register(stolen, stranger), 'duplicate');
      const pending = createDevice().create(await begin());
      const late = await verifyRight(pending);
      for (let turn = 1; turn < MAX_PASSKEYS; turn += 1) {
        const [id, credential] = [systemRandom.uuid(), { publicKey: '', signCount: 0, transports: [] }];
        const known = { id, accountId: own, credentialId: id, name: 'key', rpId: 'localhost', isBackedUp: false };
        const { createPasskeyStore } = await import('./store.passkeys.sql.ts');
        const row = { ...known, ...credential, userHandle: null, createdAt: clock.now(), lastUsedAt: null };
        assert.equal(await createPasskeyStore(database).add(database.sql, row), true);
      }
      assert.equal(await within((tx) => passkeys.register(tx, own, late, 'key')), 'tooMany');
      assert.equal(await within((tx) => passkeys.beginRegistration(tx, own)), undefined);
      assert.equal((await list()).length, MAX_PASSKEYS);
      assert.deepEqual(
        (await list()).filter(({ transports }) => transports.length > 0).map(({ transports }) => transports),
        [['usb']],
      );
    });

    it('are renamed and removed by their account only', async () => {
      const { id } = await enroll();
      const stranger = await addAccount();
      assert.equal(await within((tx) => passkeys.rename(tx, stranger, id, 'mine')), false);
      assert.equal(await within((tx) => passkeys.remove(tx, stranger, id)), false);
      assert.equal(await within((tx) => passkeys.removeAll(tx, stranger)), false);
      assert.equal(await within((tx) => passkeys.rename(tx, own, id, 'phone')), true);
      assert.deepEqual(
        (await list()).map(({ name }) => name),
        ['phone'],
      );
      const second = await enroll(createDevice());
      assert.equal(await within((tx) => passkeys.rename(tx, own, second.id, 'laptop')), true);
      assert.deepEqual((await list()).map(({ name }) => name).toSorted(), ['laptop', 'phone']);
      assert.equal(await within((tx) => passkeys.remove(tx, own, id)), true);
      assert.equal(await within((tx) => passkeys.remove(tx, own, id)), false);
      assert.deepEqual(
        (await list()).map(({ id: left }) => left),
        [second.id],
      );
      assert.equal(await within((tx) => passkeys.removeAll(tx, own)), true);
      assert.deepEqual(await list(), []);
    });

    it('assert for each purpose what they are asked for', async () => {
      const { id } = await enroll();
      const { options } = await passkeys.beginSignIn();
      assert.deepEqual([options.rpId, options.userVerification, options.timeout], ['localhost', 'required', 300_000]);
      assert.equal(options.allowCredentials, undefined);
      for (const [purpose, userVerification] of [
        ['second-factor', 'preferred'],
        ['reauthenticate', 'required'],
      ] as const) {
        const begun = await passkeys.beginAssertion({ purpose, accountId: own });
        assert.equal(begun?.options.userVerification, userVerification);
        assert.equal(begun?.options.allowCredentials?.length, 1);
      }
      clock.advance(10);
      const verified = await assertPasskey({ signCount: 7, flags: 0b01101 });
      assert.deepEqual([verified?.isUserVerified, verified?.isBackedUp, verified?.signCount], [true, false, 7]);
      assert.equal(await use(verified), 'used');
      const [used] = await list();
      assert.deepEqual([used?.id, used?.signCount, used?.isBackedUp, used?.lastUsedAt], [id, 7, false, clock.now()]);
      assert.equal(await use(await assertPasskey({ signCount: 8 })), 'used');
      assert.equal((await list())[0]?.isBackedUp, true);
      const present = await assertPasskey({ flags: 1, userHandle: null }, { purpose: 'second-factor' });
      assert.equal(present?.isUserVerified, false);
      assert.ok(await assertPasskey({ userHandle: null }, { purpose: 'reauthenticate' }));
    });

    it('are refused for an answer that is wrong in any way', async () => {
      await enroll();
      const wrong: ForgedAssertion[] = [
        { origin: 'http://localhost' },
        { rpId: 'example.com' },
        { type: 'webauthn.create' },
        { challenge: other },
        { crossOrigin: true },
        { flags: 0b11100 },
        { breakSignature: true },
        { userHandle: other },
        { id: other },
      ];
      for (const forgery of wrong) {
        for (const purpose of ['sign-in', 'second-factor', 'reauthenticate'] as const) {
          assert.equal(await assertPasskey(forgery, { purpose }), undefined, JSON.stringify([forgery, purpose]));
        }
      }
      assert.equal(await assertPasskey({ userHandle: null }), undefined);
      assert.equal(await assertPasskey({ flags: 0b11001 }), undefined);
      assert.equal(await assertPasskey({ flags: 0b11001 }, { purpose: 'reauthenticate' }), undefined);
      const { operationId, options } = await passkeys.beginSignIn();
      const { credential } = device.forge({ operationId, options }, {});
      const [stored] = await list();
      const verify = (given: object, passkey = stored, accountId?: number) =>
        passkeys.verifyAssertion(passkey, { purpose: 'sign-in', operationId, credential, ...given }, accountId);
      assert.equal(await verify({ operationId: systemRandom.uuid() }), undefined);
      for (const clientDataJSON of ['', 'AA', 'bnVsbA', 'e30']) {
        const response = { ...credential.response, clientDataJSON };
        assert.equal(await verify({ credential: { ...credential, response } }), undefined);
      }
      assert.equal(await verify({ purpose: 'second-factor' }), undefined);
      assert.equal(await verify({}, stored, own), undefined);
      assert.equal(await verify({}, { ...(stored ?? assert.fail()), rpId: 'example.com' }), undefined);
      assert.ok(await verify({}));
    });

    it('of another service assert with its handle, and with any if it did not store its own', async () => {
      const { operationId: _, ...credential } = await verifyRight(device.create(await begin()));
      const times = { createdAt: clock.now(), lastUsedAt: null };
      const passkey = { ...credential, ...times, accountId: own, rpId: 'localhost', name: 'phone' };
      const adopt = async (userHandle: string | undefined) => {
        await within((tx) => passkeys.removeAll(tx, own));
        await within((tx) => passkeys.adopt(tx, [{ ...passkey, userHandle }]));
        return (await passkeys.reveal(database.sql, [own])).map((revealed) => revealed.userHandle);
      };
      assert.deepEqual(await adopt(other), [other]);
      assert.equal(await assertPasskey(), undefined);
      assert.ok(await assertPasskey({ userHandle: other }));
      assert.deepEqual(await adopt(undefined), [undefined]);
      for (const userHandle of [other, 'YW5u']) {
        for (const purpose of ['sign-in', 'second-factor', 'reauthenticate'] as const) {
          assert.ok(await assertPasskey({ userHandle }, { purpose }), purpose);
          assert.equal(await assertPasskey({ userHandle, breakSignature: true }, { purpose }), undefined, purpose);
        }
      }
      assert.equal(await assertPasskey({ userHandle: null }), undefined);
      assert.ok(await assertPasskey({ userHandle: null }, { purpose: 'second-factor' }));
    });

    it('are used once for an operation, within five minutes', async () => {
      await enroll();
      const verified = await assertPasskey({ signCount: 0 });
      const results = await Promise.all(Array.from({ length: RACERS }, () => use(verified)));
      assert.deepEqual(results.toSorted(), [...Array(RACERS - 1).fill('over'), 'used']);
      const [early, late] = [await assertPasskey({ signCount: 0 }), await assertPasskey({ signCount: 0 })];
      clock.advance(299.999);
      assert.equal(await use(early), 'used');
      clock.advance(0.001);
      assert.equal(await use(late), 'over');
    });

    it('are refused when their counter does not rise', async () => {
      await enroll();
      const count = async (signCount: number) => use(await assertPasskey({ signCount }));
      assert.equal(await count(0), 'used');
      assert.equal(await count(0), 'used');
      assert.equal(await count(5), 'used');
      assert.deepEqual([await count(5), await count(4), await count(0)], ['behind', 'behind', 'behind']);
      const racing = await Promise.all(Array.from({ length: 5 }, () => assertPasskey({ signCount: 6 })));
      const results = await Promise.all(racing.map(use));
      assert.deepEqual(results.toSorted(), [...Array(4).fill('behind'), 'used']);
      const [verified, replaced] = [await assertPasskey({ signCount: 7 }), await assertPasskey({ signCount: 8 })];
      const [{ id } = assert.fail()] = await list();
      await within((tx) => passkeys.remove(tx, own, id));
      assert.equal(await use(verified), 'gone');
      const begun = await begin();
      const [source] = [device.create({ ...begun, options: { ...begun.options, excludeCredentials: [] } })];
      assert.equal(typeof (await register(source)), 'object');
      assert.equal(await use(replaced), 'gone');
    });

    it('are remembered as used until a minute after the operation has expired', async () => {
      await enroll();
      assert.equal(await use(await assertPasskey({ signCount: 0 })), 'used');
      const expired = { expires_at: clock.now() };
      const rows = Array.from({ length: BATCH + 1 }, () => ({ mac: systemRandom.uuid(), ...expired }));
      const { sql } = database;
      await sql.deleteFrom('used_assertion').where('expires_at', '<=', clock.now()).execute();
      await sql.insertInto('used_assertion').values(rows).execute();
      const left = async () => {
        await factors.assertionOperations.deleteExpired();
        return (await sql.selectFrom('used_assertion').select('mac').execute()).length;
      };
      const before = (await sql.selectFrom('used_assertion').select('mac').execute()).length;
      clock.advance(60);
      assert.equal(await left(), before);
      clock.advance(0.001);
      assert.equal(await left(), before - BATCH);
      assert.equal(await left(), before - BATCH - 1);
    });
  });
}
