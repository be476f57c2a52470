// Locked means locked (specification 3.2): no sign-in completes while its account is locked, whenever and however it began.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { accountSubject, factorsSubject } from '../../src/lockout/index.ts';
import { assertRefused } from '../support/answers.ts';
import { enrollApp, useFactors } from '../support/factors.ts';
import { createDevice, type Device, enrollPasskey, type RequestOptions } from '../support/passkeys.ts';
import { createPerson, createTestProvider, linkBody, type Person } from '../support/providers.ts';
import { pinIn } from '../support/registration.ts';
import { type TestAnswer, USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const TOKEN = '/api/TokenAuth';
const MAX_FAILURES = 5;
const LOCK_SECONDS = 60;
/** The policy of a stricter front end. */
const STRICT = { enabled: true, maxFailures: 1, seconds: LOCK_SECONDS };

for (const [name, start] of Object.entries(setUps)) {
  describe(`sign-ins of a locked account on ${name}`, () => {
    const acme = createTestProvider('Acme');
    let setUp: SetUp;
    let factors: ReturnType<typeof useFactors>;
    let id: number;
    let userName: string;
    let person: Person;
    let device: Device;
    let count = 0;

    before(async () => {
      setUp = await start({ additions: { providers: [acme.info] } });
      factors = useFactors(setUp);
      await setUp.here.set('Abp.Zero.UserManagement.UserLockOut.DefaultAccountLockoutSeconds', LOCK_SECONDS);
    });
    after(() => setUp.close());
    beforeEach(async () => {
      count += 1;
      userName = `victim${count}`;
      await factors.allow({ authenticator: false });
      const address = { emailAddress: `${userName}@example.org`, isEmailConfirmed: true };
      id = await setUp.here.createUser(userName, address);
      [person, device] = [createPerson(), createDevice()];
      const body = linkBody(acme, person);
      const linked = await setUp.here.post('/api/services/app/ExternalLogin/Link', { token: await signedIn(), body });
      assert.equal(linked.status, 200, linked.text);
      await enrollPasskey(setUp.here.service, device, id);
      await factors.allow({ passkeys: true });
    });

    const signedIn = () => setUp.here.signIn(userName);
    const post = (path: string, body: object, node = setUp.here) => node.post(`${TOKEN}/${path}`, { body });
    const tryPassword = (password: string, node = setUp.here) =>
      post('Authenticate', { userNameOrEmailAddress: userName, password }, node);
    async function lock() {
      for (let turn = 0; turn < MAX_FAILURES; turn += 1) await tryPassword('a wrong guess at it', setUp.there);
    }
    async function askPin() {
      setUp.here.clock.advance(60);
      const { result } = await post('OtpAuthenticateSendPin', { userNameOrMobileNo: userName });
      return { operationId: Object(result).operationId, code: pinIn((await setUp.here.deliver()).at(-1)) };
    }
    async function beginPasskey() {
      const { result } = await post('GetPasskeyOptions', {});
      return device.get(result as RequestOptions);
    }
    /** Each begins a sign-in, and returns what completes its first factor. */
    const firstFactors: Record<string, () => Promise<() => Promise<TestAnswer>>> = {
      password: async () => () => tryPassword(USER_PASSWORD),
      pin: async () => {
        const pin = await askPin();
        return () => post('OtpAuthenticate', pin);
      },
      external: async () => {
        const proof = acme.proofOf(person);
        return () => post('ExternalAuthenticateAsync', proof);
      },
      passkey: async () => {
        const answer = await beginPasskey();
        return () => post('PasskeyAuthenticate', answer);
      },
    };

    async function assertLocked(answer: TestAnswer) {
      assertRefused(answer, 401, 'signIn.lockedOut');
      assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/);
      const open = await setUp.here.service.sessions.listOpen(id);
      assert.ok(
        open.every(({ amr }) => amr.join() === 'pwd'),
        'only the session of the set-up is open',
      );
    }

    it('complete nothing that began before the lock', async () => {
      const began = [];
      for (const begin of Object.values(firstFactors)) began.push(await begin());
      await lock();
      for (const complete of began) await assertLocked(await complete());
    });

    for (const [what, begin] of Object.entries(firstFactors)) {
      it(`by ${what} complete nothing if the lock comes while the proof is verified, and use nothing up`, async () => {
        await factors.allow({ authenticator: false, passkeys: what === 'passkey' });
        const complete = await begin();
        const opened = (await setUp.here.service.sessions.listOpen(id)).length;
        await lockDuringNext(accountSubject(id));
        assertRefused(await complete(), 401, 'signIn.lockedOut');
        assert.equal((await setUp.here.service.sessions.listOpen(id)).length, opened);
        if (what === 'external') return;
        setUp.here.clock.advance(LOCK_SECONDS);
        const late = await complete();
        assert.equal(late.status, 200, late.text);
        assert.ok(Object(late.result).accessToken, late.text);
      });
    }

    it('complete no challenge, with any second factor, until the lock ends', async () => {
      const { service } = setUp.here;
      const next = await enrollApp(setUp.here, { id, userName });
      const codes = await service.database.transaction((tx) => service.recoveryCodes.replace(tx, id));
      const { passkey: _, ...others } = firstFactors;
      for (const [turn, begin] of Object.values(others).entries()) {
        const { challengeToken } = Object((await (await begin())()).result);
        const { result } = await post('GetSecondFactorOptions', { challengeToken });
        const passkey = device.get(result as RequestOptions);
        const answers = [
          () => ({ provider: 'RecoveryCode', code: codes[turn] }),
          () => ({ provider: 'Passkey', ...passkey }),
          () => ({ provider: 'Authenticator', code: next() }),
        ];
        await lock();
        for (const answer of answers) {
          await assertLocked(await post('VerifySecondFactor', { challengeToken, ...answer() }, setUp.there));
        }
        // Not even a wrong one is compared.
        const wrong = { challengeToken, provider: 'RecoveryCode', code: '00000-00000' };
        for (let guess = 0; guess < MAX_FAILURES; guess += 1)
          await assertLocked(await post('VerifySecondFactor', wrong));
        setUp.here.clock.advance(LOCK_SECONDS);
        const late = await post('VerifySecondFactor', { challengeToken, ...answers[turn]?.() });
        assert.equal(late.status, 200, late.text);
        await service.database.transaction((tx) => service.sessions.endOfAccount(tx, id));
      }
    });

    it('complete no challenge if wrong codes lock the second factor while the right one is verified', async () => {
      const next = await enrollApp(setUp.here, { id, userName });
      await factors.allow();
      const answer = { challengeToken: await factors.challenge(userName), provider: 'Authenticator', code: next() };
      await lockDuringNext(factorsSubject(id));
      await assertLocked(await post('VerifySecondFactor', answer));
    });

    /** Lets an attempt at a stricter front end lock the subject while the next attempt is verified. */
    async function lockDuringNext(subject: string) {
      const { lockouts, database } = setUp.here.service;
      const { reserve } = lockouts;
      const held = await reserve(subject, STRICT);
      if ('lockedUntil' in held) assert.fail('locked already');
      const reserveOnce: typeof reserve = async (...attempt) => {
        Object.assign(lockouts, { reserve });
        const reserved = await reserve(...attempt);
        await database.transaction((tx) => lockouts.fail(tx, held, STRICT));
        return reserved;
      };
      Object.assign(lockouts, { reserve: reserveOnce });
    }
  });
}
