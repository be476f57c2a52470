// A person's external logins: linked deliberately with the password, listed, and removed while another way in remains.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { newAccount } from '../../src/accounts/index.ts';
import { operator } from '../../src/app/first-start.ts';
import { assertRefused } from '../support/answers.ts';
import { enginesAtLength } from '../support/databases.ts';
import { claimsOf } from '../support/forge.ts';
import { createPerson, createTestProvider, linkBody, type Person } from '../support/providers.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const USER = '/api/services/app/User';
const MINE = '/api/services/app/ExternalLogin';
const SESSIONS = '/api/services/app/Session/GetAll';
const EXTERNAL = '/api/TokenAuth/ExternalAuthenticateAsync';
const CHOSEN = 'harbour violet tractor';

const acme = createTestProvider('Acme');
const bolt = createTestProvider('Bolt');
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

for (const engine of enginesAtLength) {
  describe(`external logins, on ${engine}`, () => {
    let test: TestService;
    let count = 10;
    let userName: string;
    let email: string;
    let number: string;
    let id: number;
    let token: string;

    before(async () => {
      test = await startTestService(engine, { additions: { providers: [acme.info, bolt.info] } });
    });
    beforeEach(async () => {
      count += 1;
      userName = `thandi${count}`;
      email = `thandi${count}@example.com`;
      number = `+278212345${count}`;
      const addresses = { emailAddress: email, isEmailConfirmed: true, mobileNumber: number, isMobileConfirmed: true };
      id = await test.createUser(userName, { name: 'Thandi', surname: 'Nkosi', ...addresses });
      token = await test.signIn(userName);
      await test.deliver();
    });
    after(() => test.close());

    const link = (person: Partial<Person>, more: object = {}, call: { token?: string | null } = { token }, at = acme) =>
      test.post(`${MINE}/Link`, { ...call, body: linkBody(at, person, more) });
    const unlink = (linkId: string, call: { token?: string | null } = { token }) =>
      test.post(`${MINE}/Unlink`, { ...call, body: { id: linkId } });
    const mine = async (call: { token?: string | null } = { token }) =>
      (await test.get(`${MINE}/GetAll`, call)).result.items;
    const findMine = async (call?: { token?: string | null }) => (await mine(call))[0]?.id ?? assert.fail('no link');
    const enter = (person: Partial<Person>, at = acme) => test.post(EXTERNAL, { body: at.proofOf(person) });
    const asAdmin = async () => ({ token: await test.admin() });
    const linksOf = async (userId: number) =>
      (await test.get(`${USER}/GetExternalLogins`, { ...(await asAdmin()), query: { userId } })).result.items;
    const remove = async (userId: number, linkId: string) =>
      test.post(`${USER}/RemoveExternalLogin`, { ...(await asAdmin()), body: { userId, id: linkId } });
    const update = async (body: object) =>
      assert.equal((await test.send('PUT', `${USER}/Update`, { ...(await asAdmin()), body })).status, 200);
    const trailOf = async (userId: number) => {
      const path = '/api/services/app/Audit/GetAll';
      const { items } = (await test.get(path, { ...(await asAdmin()), query: { userId, maxResultCount: 100 } })).result;
      return items
        .filter(({ action }) => action.startsWith('account.externalLogin'))
        .map(({ action, outcome, reason, details }) => [action, outcome, reason, details]);
    };

    /** Adds an external login to an account, even one that could not have it. */
    const addLink = (accountId: number, provider: string, providerKey = String(accountId)) =>
      test.service.database.transaction((tx) =>
        test.service.externalLoginStore.add(tx.sql, { provider, providerKey, accountId, linkedAt: test.clock.now() }),
      );

    /** Signs a new person in through Acme. */
    async function register(more: Partial<Person> = {}) {
      const person = createPerson(more);
      const { result, text } = await enter(person);
      assert.ok(result?.accessToken && result.userId, text);
      return { person, id: result.userId, call: { token: result.accessToken } };
    }

    it('link an account to a verified identity, which signs in to it from then on', async () => {
      const person = createPerson();
      assert.deepEqual(await mine(), []);
      assert.equal((await link(person)).result, true);
      const [only, ...others] = await mine();
      assert.deepEqual(others, []);
      assert.ok(only);
      assert.deepEqual(Object.keys(only), ['id', 'provider', 'linkedAt']);
      assert.match(only.id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      assert.deepEqual([only.provider, only.linkedAt], ['Acme', new Date(test.clock.now()).toISOString()]);
      const { result } = await enter(person);
      assert.equal(result.userId, id);
      assert.ok(result.accessToken);
      assert.deepEqual(claimsOf(result.accessToken).amr, ['ext']);
      assert.equal(claimsOf(result.accessToken).email, email, 'the provider’s claims change nothing of the account');
    });

    it('keep the order in which they were linked, of several providers and of several identities at one provider', async () => {
      const [first, second, third] = [createPerson(), createPerson(), createPerson()];
      await link(first, {}, { token }, bolt);
      test.clock.advance(1);
      await link(second);
      test.clock.advance(1);
      await link(third);
      const items = await mine();
      assert.deepEqual(
        items.map(({ provider }) => provider),
        ['Bolt', 'Acme', 'Acme'],
      );
      assert.equal((await enter(first, bolt)).result.userId, id);
      assert.equal((await enter(third)).result.userId, id);
      assert.equal((await enter({ ...createPerson(), providerKey: first.providerKey })).result.userId === id, false);
    });

    it('change nothing when the account is linked to that identity already', async () => {
      const person = createPerson();
      await link(person);
      await test.deliver();
      const before = await mine();
      test.clock.advance(10);
      assert.equal((await link(person)).result, true);
      assert.deepEqual(await mine(), before);
      assert.deepEqual(await test.deliver(), []);
      assert.equal((await trailOf(id)).length, 1);
    });

    it('verify the password before they call the provider', async () => {
      const { asked } = acme.counts;
      assertRefused(await link(createPerson(), { currentPassword: 'a wrong guess at it' }), 400, 'password.incorrect');
      assert.equal(acme.counts.asked, asked);
      for (const member of ['authProvider', 'providerKey', 'providerAccessCode', 'currentPassword']) {
        const answer = await link(createPerson(), { [member]: undefined });
        assertRefused(answer, 400, 'request.invalid');
        assert.deepEqual(answer.error.validationErrors?.[0]?.members, [member]);
      }
      const query = { currentPassword: USER_PASSWORD };
      const body = { ...linkBody(acme, createPerson()), currentPassword: undefined };
      assertRefused(await test.post(`${MINE}/Link`, { token, body, query }), 400, 'request.invalid');
      assert.deepEqual(await mine(), []);
    });

    it('are not created when the provider does not confirm the identity', async () => {
      const person = createPerson();
      const { providerKey: _, ...nameless } = person;
      const refusals = [
        [await link(person, { authProvider: 'acme' }), 400, 'external.unknownProvider'],
        [await link(person, { providerKey: createPerson().providerKey }), 401, 'external.couldNotValidate'],
        [await link(person, { providerAccessCode: 'no code of Acme' }), 401, 'external.couldNotValidate'],
        [await link(nameless), 502, 'external.incompleteProfile'],
      ] as const;
      for (const [answer, status, reason] of refusals) assertRefused(answer, status, reason);
      acme.beforeAnswer(async () => Promise.reject(new Error('out of order')));
      assertRefused(await link(person), 502, 'external.unavailable');
      assert.deepEqual(await mine(), []);
      assert.deepEqual(await test.deliver(), []);
      const tried = (reason: string, provider: string | null = 'Acme') => [
        'account.externalLoginLinked',
        'refused',
        reason,
        { provider },
      ];
      assert.deepEqual(await trailOf(id), [
        tried('external.unavailable'),
        tried('external.incompleteProfile'),
        // The second refusal in the same minute gets no entry of its own.
        tried('external.couldNotValidate'),
        tried('external.unknownProvider', null),
      ]);
    });

    it('need key and provider alone: no address, no names', async () => {
      const people = [
        { emailAddress: '' },
        { emailAddress: 'nobody' },
        { isEmailVerified: false },
        { failure: new Error('no names') },
        { name: 7 as never },
      ];
      for (const more of people) assert.equal((await link(createPerson(more))).result, true, JSON.stringify(more));
      assert.equal((await mine()).length, people.length);
    });

    it('wait ten seconds for a provider', async () => {
      acme.beforeAnswer(async () => {
        test.clock.advance(10);
        await new Promise(() => {});
      });
      assertRefused(await link(createPerson()), 502, 'external.unavailable');
    });

    it('do not sign in to the account after their removal, and do not come back by themselves', async () => {
      const [person, namesake] = [createPerson(), createPerson({ emailAddress: email })];
      await link(person);
      await link(namesake);
      for (const { id: linkId } of await mine()) assert.equal((await unlink(linkId.toUpperCase())).result, true);
      assert.deepEqual(await mine(), []);
      assertRefused(await enter(namesake), 409, 'external.emailInUse');
      const { result } = await enter(person);
      assert.notEqual(result.userId, id, 'a sign-in creates a new account');
      assert.deepEqual(await mine(), []);
      assertRefused(await link(person), 409, 'external.linkedElsewhere');
      assert.equal((await link(namesake)).result, true, 'the owner can link it again');
    });

    it('end all other sessions when they are removed', async () => {
      const person = createPerson();
      await link(person);
      const others = [await test.signIn(userName), (await enter(person)).result.accessToken];
      const own = (await enter(person)).result.accessToken;
      const linkId = await findMine();
      assert.equal((await unlink(linkId, { token: own })).result, true);
      for (const other of others) assertRefused(await test.get(SESSIONS, { token: other }), 401, 'token.revoked');
      assert.equal((await test.get(SESSIONS, { token: own })).result.items.length, 1);
    });

    it('cannot be removed while they are the last way in', async () => {
      const { id: newcomer, call } = await register();
      const linkId = await findMine(call);
      await update({ id: newcomer, isEmailConfirmed: false });
      const refuse = async () => {
        assertRefused(await unlink(linkId, call), 409, 'external.lastWayToSignIn');
        assert.deepEqual((await mine(call)).length, 1);
      };
      await refuse();
      await update({ id: newcomer, mobileNumber: `+278376543${count}` });
      await refuse();
      await update({ id: newcomer, isMobileConfirmed: true });
      await test.set('Latchkey.PhoneNumbers', { allowedCountries: ['NA'] });
      await refuse();
      await addLink(newcomer, 'Gone');
      assertRefused(await unlink(linkId, call), 409, 'external.lastWayToSignIn');
      await test.set('Latchkey.PhoneNumbers', { allowedCountries: [] });
      assert.equal((await unlink(linkId, call)).result, true);
    });

    const otherWays: Record<string, (newcomer: number) => Promise<unknown>> = {
      'a verified e-mail address': () => Promise.resolve(),
      'a verified mobile number': (newcomer) =>
        update({ id: newcomer, isEmailConfirmed: false, mobileNumber: `+278376543${count}`, isMobileConfirmed: true }),
      'another provider': async (newcomer) => {
        await update({ id: newcomer, isEmailConfirmed: false });
        await addLink(newcomer, 'Bolt');
      },
      'another identity at the same provider': async (newcomer) => {
        await update({ id: newcomer, isEmailConfirmed: false });
        await addLink(newcomer, 'Acme');
      },
      'a password that an administrator has set': async (newcomer) => {
        const body = { userId: newcomer, newPassword: CHOSEN };
        await test.post(`${USER}/ResetPassword`, { ...(await asAdmin()), body });
        await update({ id: newcomer, isEmailConfirmed: false, requireChangePassword: false });
      },
    };
    for (const [way, makeWay] of Object.entries(otherWays)) {
      it(`can be removed beside ${way}`, async () => {
        const { person, id: newcomer } = await register();
        await makeWay(newcomer);
        const call = { token: (await enter(person)).result.accessToken };
        const linkId = await findMine(call);
        assert.equal((await unlink(linkId, call)).result, true);
      });
    }

    it('can be removed beside an imported password, and not from an account created without one', async () => {
      const { database, accounts, passwords } = test.service;
      const hash = await passwords.hash(CHOSEN);
      for (const passwordHash of [hash, null]) {
        const person = createPerson();
        const input = { ...newAccount(`${passwordHash === null ? 'empty' : 'imported'}${count}`), passwordHash };
        const [made = 0] = await database.transaction((tx) => accounts.addAll(tx.sql, [input], test.clock.now()));
        await addLink(made, 'Acme', person.providerKey);
        const call = { token: (await enter(person)).result.accessToken };
        const linkId = await findMine(call);
        const answer = await unlink(linkId, call);
        if (passwordHash === null) assertRefused(answer, 409, 'external.lastWayToSignIn');
        else assert.equal(answer.result, true);
      }
    });

    it('do not count a random password as a way in, until the owner has chosen one through recovery', async () => {
      const { person, call } = await register();
      assertRefused(await link(createPerson(), {}, call), 400, 'password.incorrect');
      const { emailAddress: username } = person;
      await test.post(`${USER}/SendEmailLink`, { body: { username } });
      const [message] = await test.deliver();
      const code = /&code=([\w-]+)/.exec(message?.text ?? '')?.[1];
      const proven = await test.post(`${USER}/ValidateResetCode`, { body: { username, code, method: 2 } });
      const body = { username, token: proven.result.token, newPassword: CHOSEN };
      assert.equal((await test.post(`${USER}/ResetPasswordUsingToken`, { body })).result, true);
      const again = { token: (await enter(person)).result.accessToken };
      assert.equal((await link(createPerson(), { currentPassword: CHOSEN }, again)).result, true);
      assert.equal((await mine(again)).length, 2);
    });

    it('notify the owner on every verified address, and send nothing to others', async () => {
      const told = async (act: () => Promise<unknown>) => {
        test.clock.advance(300);
        await act();
        return (await test.deliver()).map(({ to, subject, text }) => [to, subject ?? text.slice(0, 54)]).sort();
      };
      const linked = 'An external sign-in was linked to your account with Latchkey';
      const removed = 'An external sign-in was removed from your account with Latchkey';
      assert.deepEqual(await told(() => link(createPerson())), [
        [number, 'Latchkey: an external sign-in was linked to your accou'],
        [email, linked],
      ]);
      await update({ id, isMobileConfirmed: false });
      await test.deliver();
      assert.deepEqual(await told(() => link(createPerson())), [[email, linked]]);
      const [first, second] = await mine();
      assert.ok(first && second);
      assert.deepEqual(await told(() => unlink(first.id)), [[email, removed]]);
      await update({ id, isEmailConfirmed: false, isMobileConfirmed: true });
      await test.deliver();
      assert.deepEqual(await told(() => remove(id, second.id)), [
        [number, 'Latchkey: an external sign-in was removed from your ac'],
      ]);
    });

    it('are recorded in the audit trail, with the provider, and with the account that removed them', async () => {
      await link(createPerson(), { currentPassword: 'a wrong guess at it' });
      await link(createPerson());
      await link(createPerson(), {}, { token }, bolt);
      const [first, second] = await mine();
      assert.ok(first && second);
      await unlink(first.id);
      await remove(id, second.id);
      const trail = await test.get('/api/services/app/Audit/GetAll', { ...(await asAdmin()), query: { userId: id } });
      const last = trail.result.items[0]?.details as { by: string; provider: string };
      assert.deepEqual(await trailOf(id), [
        ['account.externalLoginRemoved', 'success', null, last],
        ['account.externalLoginUnlinked', 'success', null, { provider: first.provider }],
        ['account.externalLoginLinked', 'success', null, { provider: 'Bolt' }],
        ['account.externalLoginLinked', 'success', null, { provider: 'Acme' }],
        ['account.externalLoginLinked', 'refused', 'password.incorrect', null],
      ]);
      assert.deepEqual([last.by, last.provider], ['admin', second.provider]);
    });

    it('are listed and removed by administrators, the last way in too, and all sessions end', async () => {
      const { person, id: newcomer, call } = await register();
      await update({ id: newcomer, isEmailConfirmed: false });
      const [only, ...others] = await linksOf(newcomer);
      assert.deepEqual(others, []);
      assert.ok(only);
      assert.deepEqual(Object.keys(only), ['id', 'provider', 'providerKey', 'linkedAt']);
      assert.deepEqual([only.provider, only.providerKey], ['Acme', person.providerKey]);
      assert.equal((await remove(newcomer, only.id.toUpperCase())).result, true);
      assert.deepEqual(await linksOf(newcomer), []);
      assertRefused(await test.get(SESSIONS, call), 401, 'token.revoked');
      assertRefused(await enter(person), 409, 'external.emailInUse');
      assertRefused(await remove(newcomer, only.id), 404, 'externalLogin.notFound');
      assertRefused(await remove(newcomer + 1000, only.id), 404, 'account.notFound');
      const query = { userId: newcomer + 1000 };
      assertRefused(
        await test.get(`${USER}/GetExternalLogins`, { ...(await asAdmin()), query }),
        404,
        'account.notFound',
      );
    });

    it('are not found by unknown ids, and refuse malformed ones', async () => {
      assertRefused(await unlink(UNKNOWN_ID), 404, 'externalLogin.notFound');
      for (const linkId of ['', 'x', `${UNKNOWN_ID}x`])
        assertRefused(await unlink(linkId), 400, 'request.invalid', linkId);
    });

    it('are deleted with their account, and can then be linked to another one', async () => {
      const person = createPerson();
      await link(person);
      await test.service.administration.remove(id, operator('test'));
      const { result } = await enter(person);
      assert.notEqual(result.userId, id);
    });
  });
}
