// Factors on both engines: what works once, what it is bound to, and when it ends.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { createManualClock, type ManualClock } from '../../test/support/clock.ts';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import { createAccountStore, newAccount } from '../accounts/index.ts';
import { systemRandom } from '../foundation/random.ts';
import { createSecrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Database, Tx } from '../storage/database.ts';
import { createFactors } from './factors.ts';
import { readRecoveryCode } from './recovery-codes.ts';
import { createAuthenticatorStore } from './store.sql.ts';
import { createTotpSecret } from './totp.ts';

const RACERS = 50;
const BATCH = 500;
const DAY = 86_400;
const origin = { ipAddress: null, userAgent: 'test', frontEnd: 'default-app' };
const secrets = createSecrets('a secret of at least thirty-two characters', systemRandom);
const shown = { issuer: 'auth.example.com', label: 'ann' };

for (const engine of engines) {
  describe(`factors on ${engine}`, () => {
    let database: Database;
    let clock: ManualClock;
    let factors: ReturnType<typeof createFactors>;
    let trustedDeviceDays = 30;
    let own: number;
    let other: number;
    let count = 0;
    let unopened: number[];
    const onUnopened = (accountId: number) => void unopened.push(accountId);

    before(async () => {
      database = await openTestDatabase(engine);
    });
    after(() => database.close());
    beforeEach(async () => {
      clock = createManualClock();
      trustedDeviceDays = 30;
      unopened = [];
      const read = () => ({ passkeys: true, authenticator: true, trustedDeviceDays, requireForPermissions: false });
      // The factors read this one setting only.
      const settings = { read } as SettingReader;
      const relyingParty = { id: 'localhost', origins: [] };
      factors = createFactors({ database, settings, relyingParty, secrets, clock, random: systemRandom, onUnopened });
      own = await addAccount();
      other = await addAccount();
    });

    async function addAccount() {
      count += 1;
      const input = { ...newAccount(`person${count}`, {}), passwordHash: null };
      return (await createAccountStore(database, systemRandom).add(database.sql, input, clock.now())) ?? assert.fail();
    }
    const within = <Result>(work: (tx: Tx) => Promise<Result>) => database.transaction(work);
    const race = async (work: (tx: Tx) => Promise<boolean>) => {
      const results = await Promise.all(Array.from({ length: RACERS }, () => within(work)));
      return results.filter(Boolean).length;
    };
    const codeOf = (secret: string) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() });
    const begin = (accountId = own) => within((tx) => factors.authenticators.begin(tx, accountId, shown));
    const confirm = (operationId: string, code: string, accountId = own) =>
      within((tx) => factors.authenticators.confirm(tx, accountId, operationId, code));
    const verify = (code: string, accountId = own) =>
      within((tx) => factors.authenticators.verify(tx, accountId, code));
    async function enroll(accountId = own) {
      const { operationId, secret } = await begin(accountId);
      assert.equal(await confirm(operationId, codeOf(secret), accountId), 'enrolled');
      clock.advance(30);
      return secret;
    }

    it('refuse the codes of an app whose secret does not open, and name its account once', async () => {
      const secret = await enroll();
      const lost = createSecrets('the secret of the service until it was lost', systemRandom);
      const sealed_secret = lost.seal('authenticator', secret);
      await database.sql.updateTable('authenticator').set({ sealed_secret }).where('account_id', '=', own).execute();
      assert.deepEqual([await verify(codeOf(secret)), await verify(codeOf(secret))], [false, false]);
      assert.deepEqual(unopened, [own]);
      await assert.rejects(
        within((tx) => factors.authenticators.reveal(tx.sql, [own])),
        { name: 'UnsealError', message: new RegExp(`^The secret of the authenticator app of account ${own} was`) },
      );
    });

    it('accept each time step of an authenticator once, and no step before it', async () => {
      const secret = await enroll();
      assert.equal(await verify(codeOf(secret), other), false);
      const code = codeOf(secret);
      assert.equal(await race((tx) => factors.authenticators.verify(tx, own, code)), 1);
      clock.advance(30);
      const earlier = codeOf(secret);
      clock.advance(30);
      assert.equal(await verify(codeOf(secret)), true);
      assert.equal(await verify(earlier), false);
      const { enrolledAt, lastUsedAt } = (await factors.authenticators.find(database.sql, own)) ?? assert.fail();
      assert.deepEqual([clock.now() - enrolledAt, lastUsedAt], [90_000, clock.now()]);
    });

    it('use and remove the authenticator of one account only', async () => {
      const foreign = await enroll(other);
      const secret = await enroll();
      assert.equal(await verify(codeOf(secret)), true);
      assert.equal(await within((tx) => factors.authenticators.remove(tx, own)), true);
      const now = clock.now();
      const store = createAuthenticatorStore();
      const step = Math.floor(now / 30_000) + 1;
      assert.equal(await within((tx) => store.useStep(tx.sql, own, step, now)), false, 'removed meanwhile');
      assert.equal(await verify(codeOf(foreign), other), true);
    });

    it('count time steps over a removal and a new enrollment', async () => {
      const secret = await enroll();
      assert.equal(await verify(codeOf(secret)), true);
      assert.equal(await within((tx) => factors.authenticators.remove(tx, own)), true);
      assert.equal(await within((tx) => factors.authenticators.remove(tx, own)), false);
      assert.equal(await factors.authenticators.find(database.sql, own), undefined);
      clock.advance(30);
      assert.equal(await verify(codeOf(secret)), false, 'removed');
      clock.advance(-30);
      const again = await begin();
      assert.equal(await confirm(again.operationId, codeOf(again.secret)), 'wrong', 'the step is used');
      clock.advance(30);
      const later = await begin();
      assert.equal(await confirm(later.operationId, codeOf(later.secret)), 'enrolled');
      const { lastUsedAt } = (await factors.authenticators.find(database.sql, own)) ?? assert.fail();
      assert.equal(lastUsedAt, null);
      assert.equal(await verify(codeOf(later.secret)), false, 'the first code is used');
    });

    it('enroll with the newest operation of the account, in five minutes, once', async () => {
      const former = await begin();
      const foreign = await begin(other);
      const { operationId, secret } = await begin();
      assert.equal(await confirm(former.operationId, codeOf(former.secret)), 'over', 'superseded');
      assert.equal(await confirm(foreign.operationId, codeOf(foreign.secret)), 'over', 'of another account');
      const fresh = await begin();
      assert.equal(await confirm(operationId, codeOf(secret)), 'over');
      clock.advance(299.999);
      const code = codeOf(fresh.secret);
      assert.equal(
        await race(
          async (tx) => (await factors.authenticators.confirm(tx, own, fresh.operationId, code)) === 'enrolled',
        ),
        1,
      );
      const late = await begin();
      clock.advance(300);
      assert.equal(await confirm(late.operationId, codeOf(late.secret)), 'over', 'expired');
    });

    it('bind operations to purpose and account, and end them', async () => {
      const { factorOperations } = factors;
      const start = (purpose: 'register-passkey' | 'enroll-authenticator', accountId = own) =>
        within((tx) => factorOperations.begin(tx, purpose, accountId, `${purpose} ${accountId}`));
      const take = (id: string, purpose: 'register-passkey' | 'enroll-authenticator', accountId = own) =>
        within((tx) => factorOperations.take(tx, id, purpose, accountId));
      assert.equal(await take(await start('enroll-authenticator'), 'register-passkey'), undefined);
      assert.equal(await take(await start('enroll-authenticator'), 'enroll-authenticator', other), undefined);
      const id = await start('enroll-authenticator');
      assert.equal(await factorOperations.find(id, 'enroll-authenticator', own), `enroll-authenticator ${own}`);
      assert.equal(await factorOperations.find(id, 'register-passkey', own), undefined);
      assert.equal(
        await factorOperations.find(await start('enroll-authenticator'), 'enroll-authenticator', other),
        undefined,
      );
      assert.equal(await take(id, 'enroll-authenticator'), `enroll-authenticator ${own}`);
      assert.equal(await take(id, 'enroll-authenticator'), undefined);
      assert.equal(await factorOperations.find(id, 'enroll-authenticator', own), undefined);
      const expiring = await start('enroll-authenticator');
      clock.advance(299.999);
      assert.ok(await factorOperations.find(expiring, 'enroll-authenticator', own));
      clock.advance(0.001);
      assert.equal(await factorOperations.find(expiring, 'enroll-authenticator', own), undefined);
      const kept = await start('register-passkey');
      const ended = await start('enroll-authenticator');
      const foreign = await start('enroll-authenticator', other);
      const last = await start('enroll-authenticator', other);
      await within((tx) => factorOperations.endOfAccount(tx, own, 'enroll-authenticator'));
      assert.equal(await take(ended, 'enroll-authenticator'), undefined);
      assert.ok(await take(kept, 'register-passkey'));
      const open = await start('enroll-authenticator');
      await within((tx) => factorOperations.endOfAccount(tx, own));
      assert.equal(await take(open, 'enroll-authenticator'), undefined);
      assert.ok(await take(foreign, 'enroll-authenticator', other));
      await within((tx) => factorOperations.endAll(tx));
      assert.equal(await take(last, 'enroll-authenticator', other), undefined);
    });

    it('have ten recovery codes, each for one use, in any spelling that a person writes', async () => {
      const { recoveryCodes } = factors;
      await within((tx) => recoveryCodes.replace(tx, other));
      const codes = await within((tx) => recoveryCodes.replace(tx, own));
      assert.equal(new Set(codes).size, 10);
      for (const code of codes) assert.match(code, /^[0-9a-hjkmnp-tv-z]{5}(-[0-9a-hjkmnp-tv-z]{5}){4}$/);
      const use = (code: string, accountId = own) => within((tx) => recoveryCodes.use(tx, accountId, code));
      const [first = '', second = '', third = ''] = codes;
      assert.equal(await use(first, other), false);
      assert.equal(await race((tx) => recoveryCodes.use(tx, own, first)), 1);
      assert.equal(await use(` ${second.toUpperCase().replaceAll('-', ' ')} `), true);
      const misread = third.replaceAll('-', '').replaceAll('0', 'o').replaceAll('1', 'l');
      assert.equal(await use(misread), true);
      assert.equal(await recoveryCodes.count(database.sql, own), 7);
      const fresh = await within((tx) => recoveryCodes.replace(tx, own));
      assert.equal(await use(codes[3] ?? ''), false);
      assert.equal(await use((fresh[0] ?? '').replaceAll('1', 'I').replaceAll('0', 'O')), true);
      await within((tx) => recoveryCodes.removeAll(tx, own));
      assert.equal(await recoveryCodes.count(database.sql, own), 0);
      assert.equal(await recoveryCodes.count(database.sql, other), 10);
    });

    it('take for a recovery code what has its length and its characters alone', () => {
      const [code, former] = ['7'.repeat(25), 'k'.repeat(10)];
      for (const one of [code, former]) assert.equal(readRecoveryCode(` ${one.toUpperCase()} `), one);
      for (const wrong of ['', code.slice(1), `${code}7`, `${code.slice(1)}u`, 'u'.repeat(25), `${former}k`]) {
        assert.equal(readRecoveryCode(wrong), undefined, wrong);
      }
    });

    it('come along from another system', async () => {
      const secret = createTotpSecret(systemRandom);
      const { adopt, reveal, remove } = factors.authenticators;
      const [adopted, foreign] = [own, other].map((accountId) => ({ accountId, secret, enrolledAt: clock.now() }));
      assert.ok(adopted && foreign);
      await within((tx) => adopt(tx, [adopted, foreign]));
      assert.deepEqual(await reveal(database.sql, [own]), [adopted]);
      assert.equal(await verify(codeOf(secret)), false, 'the present step counts as used');
      clock.advance(30);
      assert.equal(await verify(codeOf(secret)), true);
      await within((tx) => remove(tx, own));
      assert.deepEqual(await reveal(database.sql, [own, other]), [foreign]);
    });

    it('trust twenty devices of an account, the newest, and of those of one moment the one that was used last', async () => {
      const { trustedDevices } = factors;
      const trust = (device: number, accountId = own) =>
        within((tx) => trustedDevices.trust(tx, accountId, { ...origin, userAgent: `device ${device}` }));
      const left = async () => {
        const names = (await trustedDevices.list(database.sql, own)).map(({ name }) => name);
        return [names.length, ...['device 0', 'device 1', 'device 2'].filter((name) => names.includes(name))];
      };
      await trust(0, other);
      const [first] = [await trust(0), await trust(1)];
      for (let device = 2; device < 20; device += 1) {
        clock.advance(1);
        await trust(device);
      }
      assert.equal(await within((tx) => trustedDevices.recognize(tx, own, first ?? '', origin)), true);
      assert.deepEqual(await left(), [20, 'device 0', 'device 1', 'device 2']);
      await trust(20);
      assert.deepEqual(await left(), [20, 'device 0', 'device 2']);
      await trust(21);
      assert.deepEqual(await left(), [20, 'device 2']);
      assert.equal((await trustedDevices.list(database.sql, other)).length, 1);
    });

    it('accept recovery codes of ten characters, which were made earlier, once each', async () => {
      const { recoveryCodes } = factors;
      await within((tx) => recoveryCodes.replace(tx, own));
      const [former = ''] = await within((tx) => recoveryCodes.replace(tx, other));
      const short = former.replaceAll('-', '').slice(0, 10);
      const mac = secrets.mac('recovery-code', `${own} ${short}`);
      await database.sql.insertInto('recovery_code').values({ account_id: own, mac }).execute();
      const use = (code: string) => within((tx) => recoveryCodes.use(tx, own, code));
      assert.equal(await use(`${former.slice(0, 11)}-${former.slice(12)}`), false, 'a code of another account');
      assert.equal(await use(`${short}0`), false);
      assert.equal(await race((tx) => recoveryCodes.use(tx, own, `${short.slice(0, 5)}-${short.slice(5)}`)), 1);
      assert.equal(await recoveryCodes.count(database.sql, own), 10);
    });

    it('trust a device of one account and front end, for as long as the settings say', async () => {
      const { trustedDevices } = factors;
      const trust = (more: object = {}) => within((tx) => trustedDevices.trust(tx, own, { ...origin, ...more }));
      const recognize = (token = '', accountId = own, frontEnd = 'default-app') =>
        within((tx) => trustedDevices.recognize(tx, accountId, token, { ...origin, frontEnd }));
      const device = await trust({ userAgent: 'x'.repeat(300) });
      assert.match(device ?? '', /^[\w-]{43}$/);
      assert.deepEqual(
        [await recognize(device), await recognize(device, other), await recognize(device, own, 'other')],
        [true, false, false],
      );
      assert.equal(await recognize('x'), false);
      clock.advance(2 * DAY);
      trustedDeviceDays = 2;
      assert.deepEqual([await recognize(device), await trustedDevices.list(database.sql, own)], [false, []]);
      clock.advance(-0.001);
      assert.equal(await recognize(device), true);
      const [listed, ...others] = await trustedDevices.list(database.sql, own);
      assert.deepEqual([listed?.name, listed?.lastUsedAt, others], ['x'.repeat(256), clock.now(), []]);
      trustedDeviceDays = 90;
      clock.advance(28 * DAY);
      assert.equal(await recognize(device), true, 'a longer period extends nothing');
      clock.advance(0.001);
      assert.deepEqual([await recognize(device), await trustedDevices.list(database.sql, own)], [false, []]);
      const again = await trust();
      clock.advance(0.001);
      trustedDeviceDays = 1;
      assert.equal(await recognize(again), true);
      trustedDeviceDays = 0;
      assert.equal(await recognize(again), false);
      assert.equal(await trust(), undefined);
      assert.equal(await recognize(device), false);
    });

    it('end trusted devices one by one, by account, and all', async () => {
      const { trustedDevices } = factors;
      const trust = (accountId: number, userAgent: string | null) =>
        within((tx) => trustedDevices.trust(tx, accountId, { ...origin, userAgent }));
      const names = async (accountId = own) =>
        (await trustedDevices.list(database.sql, accountId)).map(({ name }) => name);
      for (const name of ['a', 'b', null]) {
        await trust(own, name);
        clock.advance(1);
      }
      assert.deepEqual(await names(), ['', 'b', 'a'], 'last used first');
      await Promise.all(['x', 'y', 'z', 'w'].map((name) => trust(other, name)));
      const ids = (await trustedDevices.list(database.sql, other)).map(({ id }) => id);
      assert.deepEqual(ids, ids.toSorted(), 'of one moment by id');
      await within((tx) => trustedDevices.removeOfAccount(tx, other));
      await trust(other, 'c');
      const [, second] = await trustedDevices.list(database.sql, own);
      const remove = (accountId: number) => within((tx) => trustedDevices.remove(tx, accountId, second?.id ?? ''));
      assert.deepEqual([await remove(other), await remove(own), await remove(own)], [false, true, false]);
      assert.deepEqual(await names(), ['', 'a']);
      await within((tx) => trustedDevices.removeOfAccount(tx, own));
      assert.deepEqual([await names(), await names(other)], [[], ['c']]);
      await within((tx) => trustedDevices.removeAll(tx));
      assert.deepEqual(await names(other), []);
    });

    it('are known and removed together, recovery codes beside them', async () => {
      const { enrolledFactors, recoveryCodes } = factors;
      const state = async () => [
        await enrolledFactors.hasAny(database.sql, own),
        (await enrolledFactors.read(database.sql, own)).recoveryCodesLeft,
      ];
      await within((tx) => recoveryCodes.replace(tx, own));
      assert.deepEqual(await state(), [false, 10]);
      await enroll();
      assert.deepEqual(await state(), [true, 10]);
      assert.equal(await within((tx) => enrolledFactors.removeAll(tx, own)), true);
      assert.deepEqual(await state(), [false, 0]);
      assert.equal(await within((tx) => enrolledFactors.removeAll(tx, own)), false);
    });

    it('are cleaned up when they have expired, a batch at a time', async () => {
      const { factorOperations, trustedDevices } = factors;
      await database.sql.deleteFrom('factor_operation').execute();
      await database.sql.deleteFrom('trusted_device').execute();
      const now = clock.now();
      const operations = Array.from({ length: BATCH + 1 }, (_, n) => ({
        mac: `mac${n}`,
        purpose: 'enroll-authenticator' as const,
        account_id: own,
        content: '',
        expires_at: now,
      }));
      const devices = operations.map(({ mac }) => ({
        id: mac,
        mac,
        account_id: own,
        front_end: 'default-app',
        name: '',
        created_at: now,
        last_used_at: now,
        expires_at: now,
      }));
      await database.sql.insertInto('factor_operation').values(operations).execute();
      await database.sql.insertInto('trusted_device').values(devices).execute();
      const left = async () => [
        (await database.sql.selectFrom('factor_operation').select('mac').execute()).length,
        (await database.sql.selectFrom('trusted_device').select('id').execute()).length,
      ];
      const clean = async () => {
        await factorOperations.deleteExpired();
        await trustedDevices.deleteExpired();
        return left();
      };
      assert.deepEqual(await clean(), [BATCH + 1, BATCH + 1]);
      clock.advance(0.001);
      assert.deepEqual(await clean(), [1, 1]);
      assert.deepEqual(await clean(), [0, 0]);
    });
  });
}
