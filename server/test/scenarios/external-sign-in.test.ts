// Signing in through an external provider, end to end: an identity server, the guide's extension, the service.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { newAccount } from '../../src/accounts/index.ts';
import type { ReviewVerdict } from '../../src/providers/index.ts';
import { type Acme, EXTERNAL, enter, startAcme } from '../support/acme.ts';
import { assertRefused } from '../support/answers.ts';
import { enginesAtLength } from '../support/databases.ts';
import { claimsOf } from '../support/forge.ts';
import { type AcmeProfile, createProfile } from '../support/identity-server.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const PROVIDERS = '/api/TokenAuth/GetExternalAuthenticationProviders';
const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const WHO = '/api/services/app/Session/GetCurrentLoginInfo';
const USER = '/api/services/app/User';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let acme: Acme;
before(async () => {
  acme = await startAcme();
});
after(() => acme.server.stop());

for (const engine of enginesAtLength) {
  describe(`sign-in through a provider, on ${engine}`, () => {
    let test: TestService;
    let ann: AcmeProfile & { id: string; email: string };
    let verdict: ReviewVerdict;
    const reviewed: unknown[] = [];
    before(async () => {
      const providers = [acme.provider, { ...acme.provider, name: 'Globex' }];
      const review = (user: unknown) => {
        reviewed.push(user);
        return verdict;
      };
      test = await startTestService(engine, { additions: { providers, reviewers: [review] } });
    });
    beforeEach(() => {
      verdict = 'register';
      reviewed.length = 0;
      ann = createProfile();
      acme.server.behave();
    });
    after(() => test.close());

    const signIn = (profile: AcmeProfile, more: object = {}) => enter(test, acme, profile, { more });
    async function idOf(profile: AcmeProfile, more: object = {}): Promise<number> {
      const { status, result, text } = await signIn(profile, more);
      assert.equal(status, 200, text);
      return result.userId ?? assert.fail(text);
    }
    const manage = async (call: string, userId: number) =>
      assert.equal((await test.post(`${USER}/${call}`, { token: await test.admin(), body: { userId } })).status, 200);
    const get = async (id: number) => test.get(`${USER}/Get`, { token: await test.admin(), query: { id } });
    async function countAccounts(): Promise<number> {
      return (await test.get(`${USER}/GetAll`, { token: await test.admin() })).result.totalCount;
    }
    async function trailOf(action: string, userId?: number) {
      const query = { action, maxResultCount: 100, ...(userId !== undefined && { userId }) };
      const { result } = await test.get('/api/services/app/Audit/GetAll', { token: await test.admin(), query });
      return result.items;
    }

    it('lists the providers with name and client id, and with no secret', async () => {
      const { clientId, clientSecret } = acme.server;
      const expected = ['Acme', 'Globex'].map((name) => ({ name, clientId, displayName: name }));
      for (const path of [PROVIDERS, `${PROVIDERS}Async`, PROVIDERS.toLowerCase()]) {
        const answer = await test.get(path);
        assert.deepEqual([answer.status, answer.result], [200, expected]);
        assert.equal(answer.text.includes(clientSecret), false);
      }
    });

    it('creates an account at the first sign-in, from the provider’s profile', async () => {
      const { status, result, text } = await signIn(ann, {
        userName: 'admin',
        roleNames: ['Administrator'],
        isActive: false,
      });
      assert.equal(status, 200, text);
      const { accessToken, expireInSeconds, expireOn, userId, personId, ...rest } = result;
      assert.ok(accessToken && userId && expireInSeconds && expireOn && personId);
      assert.ok(expireInSeconds > 0 && expireOn.endsWith('Z') && UUID.test(personId));
      assert.deepEqual(rest, {
        encryptedAccessToken: null,
        deviceName: null,
        resultType: 0,
        redirectUrl: null,
        redirectModule: null,
        redirectForm: null,
        requiredChangePassword: false,
        requiresTwoFactorVerification: false,
        waitingForActivation: false,
      });
      const { user } = (await test.get(WHO, { token: accessToken })).result;
      assert.ok(user);
      const { id, userName, firstName, lastName, email, isEmailConfirmed, roles, grantedPermissions } = user;
      assert.deepEqual([id, userName, email], [userId, ann.email, ann.email]);
      assert.deepEqual([firstName, lastName, isEmailConfirmed], ['Thandi', 'Nkosi', true]);
      assert.deepEqual([roles, grantedPermissions], [[], []]);
      const claims = claimsOf(accessToken);
      assert.deepEqual([claims.sub, claims.amr, claims.email], [String(userId), ['ext'], ann.email]);
      const [session] = (await test.get('/api/services/app/Session/GetAll', { token: accessToken })).result.items;
      assert.equal(session?.method, 'ext');
      const account = (await get(userId)).result;
      assert.deepEqual([account.mobileNumber, account.isActive, account.roleNames], [null, true, []]);
    });

    it('gives the account a random password, which its owner may replace', async () => {
      const id = await idOf(ann);
      const rows = test.service.database.sql.selectFrom('account').selectAll().where('id', '=', id);
      const { password_hash, password_changed_at } = await rows.executeTakeFirstOrThrow();
      assert.match(password_hash ?? '', /^\$argon2id\$/);
      assert.equal(password_changed_at, null);
      for (const password of ['password', ann.id, ann.email, 'undefined', 'null', ' ']) {
        const body = { userNameOrEmailAddress: ann.email, password };
        const answer = await test.post(AUTHENTICATE, { body });
        assert.equal(answer.status, 401, password);
      }
      await test.deliver();
      await test.post(`${USER}/SendEmailLink`, { body: { username: ann.email } });
      const [message] = await test.deliver();
      assert.equal(message?.to, ann.email);
      const [, code] = /^\s+(\d{6})$/m.exec(message?.text ?? '') ?? [];
      const validate = { code, username: ann.email, method: 2 };
      const { token } = (await test.post(`${USER}/ValidateResetCode`, { body: validate })).result;
      const renew = { username: ann.email, token, newPassword: USER_PASSWORD };
      assert.equal((await test.post(`${USER}/ResetPasswordUsingToken`, { body: renew })).result, true);
      await test.signIn(ann.email);
      assert.equal(await idOf(ann), id);
    });

    it('signs in to the same account from then on, even when the profile has changed', async () => {
      const id = await idOf(ann);
      const accounts = await countAccounts();
      await test.createUser(`taken-${ann.id}`, { emailAddress: `taken-${ann.id}@example.com` });
      const changes = [
        {},
        { email: `moved-${ann.id}@example.com` },
        { email: `taken-${ann.id}@example.com` },
        { email: 'admin@example.com', given_name: 'Someone', family_name: 'Else' },
        { email: ann.email.toUpperCase(), roles: ['Administrator'] },
      ];
      for (const change of changes) assert.equal(await idOf({ ...ann, ...change }), id);
      assert.equal(await countAccounts(), accounts + 1, 'the one created here');
      const { name, surname, emailAddress, lastLoginTime } = (await get(id)).result;
      assert.deepEqual([name, surname, emailAddress], ['Thandi', 'Nkosi', ann.email]);
      assert.ok(lastLoginTime);
      assert.equal(reviewed.length, 1, 'only a newcomer is reviewed');
    });

    it('lets the review see the address as the account will have it', async () => {
      const id = await idOf({ ...ann, email: `${ann.id}@bücher.example` });
      const { emailAddress } = (await get(id)).result;
      assert.match(String(emailAddress), /@xn--bcher-kva\.example$/);
      assert.deepEqual(
        reviewed.map((user) => Object(user).emailAddress),
        [emailAddress],
      );
    });

    it('keeps the link when the account’s names change', async () => {
      const id = await idOf(ann);
      const emailAddress = `renamed-${ann.id}@example.com`;
      const body = { id, userName: `renamed-${ann.id}`, emailAddress, isEmailConfirmed: false };
      assert.equal((await test.send('PUT', `${USER}/Update`, { token: await test.admin(), body })).status, 200);
      assert.equal(await idOf(ann), id);
      const other = { ...createProfile(), email: ann.email };
      assert.notEqual(await idOf(other), id, 'another account may now use the address');
    });

    it('treats another key or provider as another person', async () => {
      const id = await idOf({ ...ann, id: `Key-${ann.id}` });
      const others = [`key-${ann.id}`, `KEY-${ann.id}`, `Key-${ann.id} `, `Ｋey-${ann.id}`, `Key-${ann.id}\u0301`];
      const ids = [id];
      for (const [turn, key] of others.entries())
        ids.push(await idOf({ ...ann, id: key, email: `${turn}-${ann.email}` }));
      ids.push(await idOf({ ...ann, id: `Key-${ann.id}`, email: `globex-${ann.email}` }, { authProvider: 'Globex' }));
      assert.equal(new Set(ids).size, others.length + 2);
    });

    it('never links an account that has the address', async () => {
      const email = `Strauß.${ann.id}@example.com`;
      const id = await test.createUser(`owner-${ann.id}`, { emailAddress: email, isEmailConfirmed: true });
      const unconfirmed = `unconfirmed-${ann.id}@example.com`;
      await test.createUser(`second-${ann.id}`, { emailAddress: unconfirmed, isEmailConfirmed: false });
      const named = `named-${ann.id}@example.com`;
      const { sql } = test.service.database;
      await test.service.accounts.add(sql, { ...newAccount(named), passwordHash: null }, test.clock.now());
      await manage(
        'InactivateUser',
        await test.createUser(`out-${ann.id}`, { emailAddress: `out-${ann.id}@example.com` }),
      );
      const accounts = await countAccounts();
      const before = (await get(id)).result;
      const spellings = [email, email.toUpperCase(), `strauss.${ann.id}@example.com`, `ｓtrauß.${ann.id}@example.com`];
      for (const address of [...spellings, unconfirmed, named, `out-${ann.id}@example.com`]) {
        for (const authProvider of ['Acme', 'Globex']) {
          const answer = await signIn({ ...ann, email: address }, { authProvider });
          assertRefused(answer, 409, 'external.emailInUse', address);
        }
      }
      assert.deepEqual([await countAccounts(), (await get(id)).result], [accounts, before]);
      assert.deepEqual(reviewed, [], 'no review is asked');
      assert.notEqual(await idOf(ann), id);
    });

    it('requires the key that the provider returns', async () => {
      await idOf(ann);
      const bob = createProfile();
      for (const providerKey of [bob.id, ann.id.toUpperCase(), ` ${ann.id}`, ann.email, '__proto__', 'constructor']) {
        assertRefused(await signIn(ann, { providerKey }), 401, 'external.couldNotValidate', providerKey);
      }
      assertRefused(await signIn(bob, { providerKey: ann.id }), 401, 'external.couldNotValidate');
    });

    it('accepts a code once', async () => {
      const providerAccessCode = acme.server.issueCode(ann);
      assert.equal((await signIn(ann, { providerAccessCode })).status, 200);
      assertRefused(await signIn(ann, { providerAccessCode }), 401, 'external.couldNotValidate');
      const stranger = { providerAccessCode: 'a code of nobody' };
      assertRefused(await signIn(ann, stranger), 401, 'external.couldNotValidate');
    });

    it('refuses a profile with an e-mail address that the provider has not verified', async () => {
      for (const email_verified of [false, undefined, null, 'true', 1]) {
        assertRefused(await signIn({ ...ann, email_verified }), 502, 'external.incompleteProfile', email_verified);
      }
    });

    it('finds registered providers by name, and no others', async () => {
      const { exchanges } = acme.server.counts;
      for (const authProvider of ['acme', 'ACME', 'Acme ', 'Google', '__proto__', 'constructor', 'toString', '0']) {
        assertRefused(await signIn(ann, { authProvider }), 400, 'external.unknownProvider', authProvider);
      }
      assert.equal(acme.server.counts.exchanges, exchanges);
    });

    it('refuses a deactivated account, and tells only its owner', async () => {
      const id = await idOf(ann);
      await manage('InactivateUser', id);
      assertRefused(await signIn(ann), 401, 'signIn.notActive');
      assertRefused(await signIn(ann, { providerAccessCode: 'wrong' }), 401, 'external.couldNotValidate');
      await manage('ActivateUser', id);
      assert.equal(await idOf(ann), id);
    });

    it('refuses a locked account, and tells only its owner', async () => {
      const id = await idOf(ann);
      const guess = { userNameOrEmailAddress: ann.email, password: 'a wrong guess at it' };
      for (let turn = 0; turn < 5; turn += 1) await test.post(AUTHENTICATE, { body: guess });
      const refused = await signIn(ann);
      assertRefused(refused, 401, 'signIn.lockedOut');
      assert.equal(refused.headers['retry-after'], '300');
      assertRefused(await signIn(ann, { providerAccessCode: 'wrong' }), 401, 'external.couldNotValidate');
      test.clock.advance(300);
      assert.equal(await idOf(ann), id);
    });

    it('locks no account because of wrong codes', async () => {
      const id = await idOf(ann);
      for (let turn = 0; turn < 10; turn += 1) await signIn(ann, { providerAccessCode: 'wrong' });
      assert.equal(await idOf(ann), id);
      assert.equal((await get(id)).result.lockedUntil, null);
    });

    it('creates a new account when a person returns after the old one was deleted', async () => {
      const id = await idOf(ann);
      const { accessToken: token } = (await signIn(ann)).result;
      const call = { token: await test.admin(), query: { id } };
      assert.equal((await test.send('DELETE', `${USER}/Delete`, call)).status, 200);
      assert.equal((await test.get(WHO, { token })).result.user, null);
      const next = await idOf(ann);
      assert.notEqual(next, id);
      assert.equal(await idOf(ann), next);
    });

    it('lets a newcomer in when the review allows it, and passes the profile to the review', async () => {
      await idOf(ann);
      const { id: providerKey, email: emailAddress } = ann;
      assert.deepEqual(reviewed, [{ provider: 'Acme', providerKey, emailAddress, name: 'Thandi', surname: 'Nkosi' }]);
    });

    it('holds a newcomer when the review says so, until the account is activated', async () => {
      verdict = 'hold';
      const { status, result } = await signIn(ann);
      const { waitingForActivation, accessToken, expireInSeconds, expireOn, userId, personId } = result;
      assert.deepEqual([status, waitingForActivation], [200, true]);
      assert.deepEqual([accessToken, expireInSeconds, expireOn, userId, personId], Array(5).fill(null));
      assertRefused(await signIn(ann), 401, 'signIn.notActive');
      const [held] = await trailOf('signIn.externalRegistered');
      assert.ok(held?.userId);
      assert.deepEqual(held.details, { provider: 'Acme', waitingForActivation: true });
      assert.equal((await get(held.userId)).result.isActive, false);
      await manage('ActivateUser', held.userId);
      assert.equal(await idOf(ann), held.userId);
      assert.equal(reviewed.length, 1);
    });

    it('creates no account for a newcomer when the review refuses', async () => {
      verdict = 'refuse';
      const accounts = await countAccounts();
      assertRefused(await signIn(ann), 403, 'external.registrationRefused');
      assert.equal(await countAccounts(), accounts);
      verdict = 'register';
      await idOf(ann);
    });

    it('refuses input that lacks a member or has an invalid one', async () => {
      const odd = [undefined, null, '', 1, true, {}, [], ['Acme']];
      for (const member of ['authProvider', 'providerKey', 'providerAccessCode']) {
        for (const value of odd) {
          const answer = await signIn(ann, { [member]: value });
          assertRefused(answer, 400, 'request.invalid', [member, value]);
          assert.deepEqual(answer.error.validationErrors?.[0]?.members, [member]);
        }
      }
      for (const text of ['a\u0000', 'a\n']) {
        assertRefused(await signIn(ann, { authProvider: text }), 400, 'request.invalid');
        assertRefused(await signIn(ann, { providerKey: text }), 400, 'request.invalid');
      }
      assertRefused(await signIn(ann, { providerKey: 'k'.repeat(257) }), 400, 'request.invalid');
      assertRefused(await signIn(ann, { providerAccessCode: 'c'.repeat(16_385) }), 400, 'request.invalid');
      const { providerAccessCode, ...query } = { authProvider: 'Acme', providerKey: ann.id, providerAccessCode: 'x' };
      assertRefused(await test.post(EXTERNAL, { query: { ...query, providerAccessCode } }), 400, 'request.invalid');
    });

    it('shares the budget of sign-ins', async () => {
      const call = { ip: '192.0.2.7' };
      const wrong = { userNameOrEmailAddress: 'nobody', password: 'no password' };
      for (let turn = 0; turn < 5; turn += 1) {
        await test.post(AUTHENTICATE, { ...call, body: wrong });
        assert.equal((await enter(test, acme, ann, call)).status, 200);
      }
      const { exchanges } = acme.server.counts;
      const refused = await enter(test, acme, ann, call);
      assertRefused(refused, 429, 'rateLimit.exceeded');
      assert.ok(Number(refused.headers['retry-after']) >= 1);
      assert.equal(acme.server.counts.exchanges, exchanges, 'the provider is not called');
      assert.equal((await test.get(PROVIDERS, call)).status, 200);
    });

    it('writes the audit trail', async () => {
      const headers = { 'user-agent': 'Acme button', 'sha-frontend-application': 'default-app' };
      const id = (await enter(test, acme, ann, { headers, ip: '192.0.2.8' })).result.userId ?? assert.fail();
      const [registered, ...more] = await trailOf('signIn.externalRegistered', id);
      assert.deepEqual([registered?.outcome, registered?.userName, more], ['success', ann.email, []]);
      assert.deepEqual(registered?.details, { provider: 'Acme', waitingForActivation: false });
      const [signedIn] = await trailOf('signIn.external', id);
      const { at: _, id: __, ...told } = signedIn ?? assert.fail();
      assert.deepEqual(told, {
        action: 'signIn.external',
        outcome: 'success',
        reason: null,
        userId: id,
        userName: ann.email,
        ipAddress: '192.0.2.8',
        frontEnd: 'default-app',
        userAgent: 'Acme button',
        details: { provider: 'Acme' },
      });
      await manage('InactivateUser', id);
      await signIn(ann);
      const [refused] = await trailOf('signIn.external', id);
      assert.deepEqual(
        [refused?.outcome, refused?.reason, refused?.details],
        ['refused', 'signIn.notActive', { provider: 'Acme' }],
      );
      await signIn(ann, { providerKey: 'another' });
      await signIn(ann, { authProvider: 'no such provider' });
      const [unknown, mismatch] = await trailOf('signIn.external');
      assert.deepEqual(
        [unknown?.reason, unknown?.userId, unknown?.details],
        ['external.unknownProvider', null, { provider: null }],
      );
      assert.deepEqual(
        [mismatch?.reason, mismatch?.userId, mismatch?.details],
        ['external.couldNotValidate', null, { provider: 'Acme' }],
      );
    });
  });
}
