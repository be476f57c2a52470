// Attacks on external logins: taking over an account or an identity by linking it, and races.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { assertRefused } from '../support/answers.ts';
import { beside } from '../support/databases.ts';
import { untilWaiting } from '../support/locks.ts';
import { createPerson, createTestProvider, linkBody, type Person, type TestProvider } from '../support/providers.ts';
import { often } from '../support/scale.ts';
import type { TestAnswer, TestService } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const USER = '/api/services/app/User';
const MINE = '/api/services/app/ExternalLogin';
const SESSIONS = '/api/services/app/Session/GetAll';
const EXTERNAL = '/api/TokenAuth/ExternalAuthenticateAsync';
const WRONG = 'canary wrong guess at it';
const NEW_PASSWORD = 'canary quarry velvet thimble';

const ROUNDS = often(3, 8);
const AT_ONCE = 12;
/** How long a first sign-in waits for a call that links the same identity. */
const PAUSE_MS = 150;

for (const [name, start] of Object.entries(setUps)) {
  describe(`attacks on external logins, on ${name}`, () => {
    let setUp: SetUp;
    let here: TestService;
    let there: TestService;
    let acme: TestProvider;
    let admin: string;
    let count = 0;
    let mallory: Someone;
    let victim: Someone;

    type Someone = { id: number; userName: string; token: string };

    before(async () => {
      acme = createTestProvider('Acme');
      setUp = await start({ additions: { providers: [acme.info] } });
      ({ here, there } = setUp);
      admin = await here.admin();
    });
    beforeEach(async () => {
      mallory = await create('mallory');
      victim = await create('victim');
    });
    after(() => setUp.close());

    async function create(kind: string, more: Record<string, unknown> = {}): Promise<Someone> {
      count += 1;
      const userName = `${kind}${count}`;
      const id = await here.createUser(userName, more);
      return { id, userName, token: await here.signIn(userName) };
    }

    /** Every second call goes to the other node. */
    let turn = 0;
    const node = () => {
      turn += 1;
      return turn % 2 ? here : there;
    };
    const link = (someone: Someone, person: Partial<Person>, more: object = {}) =>
      node().post(`${MINE}/Link`, { token: someone.token, body: linkBody(acme, person, more) });
    const unlink = (someone: Someone, linkId: string) =>
      node().post(`${MINE}/Unlink`, { token: someone.token, body: { id: linkId } });
    const mine = async ({ token }: Someone) => (await node().get(`${MINE}/GetAll`, { token })).result.items;
    const findMine = async (someone: Someone) => (await mine(someone))[0]?.id ?? assert.fail('no link');
    const enter = (person: Person) => node().post(EXTERNAL, { body: acme.proofOf(person) });
    const act = (call: string, body: object) => node().post(`${USER}/${call}`, { token: admin, body });
    const countReasons = (answers: TestAnswer[]) => {
      const reasons: Record<string, number> = {};
      for (const { error } of answers) reasons[error?.reason ?? 'done'] = (reasons[error?.reason ?? 'done'] ?? 0) + 1;
      return reasons;
    };
    const rowsOf = async ({ providerKey }: Person) => {
      const all = here.service.database.sql.selectFrom('external_login').selectAll();
      return all.where('provider_key', '=', providerKey).execute();
    };

    it('a link needs the current password, and wrong passwords lock the account', async () => {
      const { asked } = acme.counts;
      for (let guess = 1; guess < 5; guess += 1) {
        assertRefused(await link(victim, createPerson(), { currentPassword: WRONG }), 400, 'password.incorrect');
      }
      assertRefused(await link(victim, createPerson(), { currentPassword: WRONG }), 401, 'signIn.lockedOut');
      const right = await link(victim, createPerson());
      assertRefused(right, 401, 'signIn.lockedOut');
      assert.ok(Number(right.headers['retry-after']) >= 1);
      assert.equal(acme.counts.asked, asked, 'a wrong password uses no access code');
      assert.deepEqual(await mine(victim), []);
    });

    it('an identity of another person cannot be linked, neither by its key nor after it is linked', async () => {
      const [person, malloryAtAcme] = [createPerson(), createPerson()];
      const { providerAccessCode } = acme.proofOf(malloryAtAcme);
      assertRefused(await link(mallory, person, { providerAccessCode }), 401, 'external.couldNotValidate');
      assert.equal((await link(victim, person)).result, true);
      assertRefused(await link(mallory, person), 409, 'external.linkedElsewhere');
      assert.deepEqual(await mine(mallory), []);
      assert.equal((await enter(person)).result.userId, victim.id);
    });

    it('an access code links once', async () => {
      const body = linkBody(acme, createPerson());
      assert.equal((await here.post(`${MINE}/Link`, { token: victim.token, body })).result, true);
      const again = await there.post(`${MINE}/Link`, { token: mallory.token, body });
      assertRefused(again, 401, 'external.couldNotValidate');
    });

    it('a link goes to the account of the token, also when the request names another', async () => {
      const person = createPerson();
      const others = { id: victim.id, userId: victim.id, accountId: victim.id, emailAddress: victim.userName };
      assert.equal((await link(mallory, person, others)).result, true);
      assert.deepEqual(await mine(victim), []);
      assert.equal((await enter(person)).result.userId, mallory.id);
    });

    it('a link of another account answers 404', async () => {
      const person = createPerson();
      await link(victim, person);
      const linkId = await findMine(victim);
      for (const body of [{ id: linkId }, { id: linkId, userId: victim.id, accountId: victim.id }]) {
        const answer = await here.post(`${MINE}/Unlink`, { token: mallory.token, body });
        assertRefused(answer, 404, 'externalLogin.notFound');
      }
      assertRefused(
        await act('RemoveExternalLogin', { userId: mallory.id, id: linkId }),
        404,
        'externalLogin.notFound',
      );
      assert.equal((await enter(person)).result.userId, victim.id);
      assert.equal((await here.get(SESSIONS, { token: victim.token })).status, 200, 'no session was ended');
    });

    it('who unlinks waits for the deletion of a provider, and locks no account before it', async () => {
      const { service } = here;
      if (service.database.engine === 'sqlite') return;
      await link(victim, createPerson());
      const linkId = await findMine(victim);
      let unlinking: Promise<TestAnswer> | undefined;
      await service.database.transaction(async (tx) => {
        await service.accounts.lockAccounts(tx.sql);
        unlinking = beside(() => unlink(victim, linkId));
        await untilWaiting(service.database);
        await tx.sql.selectFrom('account').select('id').where('id', '=', victim.id).forUpdate().noWait().execute();
      });
      assert.equal((await unlinking)?.status, 200);
    });

    it('an administrator cannot remove links of an account that has more permissions', async () => {
      const boss = await create('boss', { roleNames: ['Administrator'] });
      const manager = await create('manager', { roleNames: ['UserManager'] });
      const person = createPerson();
      await link(boss, person);
      const linkId = await findMine(boss);
      const remove = (token: string) =>
        here.post(`${USER}/RemoveExternalLogin`, { token, body: { userId: boss.id, id: linkId } });
      assertRefused(await remove(manager.token), 403, 'permission.denied');
      assertRefused(await remove(mallory.token), 403, 'permission.denied');
      const query = { userId: boss.id };
      const seen = await here.get(`${USER}/GetExternalLogins`, { token: mallory.token, query });
      assertRefused(seen, 403, 'permission.denied');
      assert.equal((await mine(boss)).length, 1);
      assert.equal((await remove(admin)).result, true);
    });

    it('a session that must change its password can neither list, add nor remove links', async () => {
      await link(victim, createPerson());
      const linkId = await findMine(victim);
      await act('ResetPassword', { userId: victim.id, newPassword: NEW_PASSWORD });
      const bound = { ...victim, token: await here.signIn(victim.userName, NEW_PASSWORD) };
      const answers = [
        await here.get(`${MINE}/GetAll`, { token: bound.token }),
        await link(bound, createPerson(), { currentPassword: NEW_PASSWORD }),
        await unlink(bound, linkId),
      ];
      for (const answer of answers) assertRefused(answer, 403, 'password.changeRequired');
    });

    const meanwhile: Record<string, () => Promise<TestAnswer>> = {
      deactivated: () => act('InactivateUser', { userId: victim.id }),
      deleted: () => here.send('DELETE', `${USER}/Delete?id=${victim.id}`, { token: admin }),
      'given another password': () => act('ResetPassword', { userId: victim.id, newPassword: NEW_PASSWORD }),
    };
    for (const [what, happens] of Object.entries(meanwhile)) {
      it(`an account that is ${what} while the provider verifies the identity gets no link`, async () => {
        const person = createPerson();
        acme.beforeAnswer(happens);
        assertRefused(await link(victim, person), 400, 'password.incorrect');
        assert.deepEqual(await rowsOf(person), []);
        assertRefused(await link(victim, person), 401, 'token.revoked');
      });
    }

    const thrownOut: Record<string, () => Promise<TestAnswer>> = {
      'an administrator signs the account out': () => act('SignOutEverywhere', { userId: victim.id }),
      'its owner signs off': () => here.post('/api/TokenAuth/SignOff', { token: victim.token }),
    };
    for (const [what, happens] of Object.entries(thrownOut)) {
      it(`a session that ended, as when ${what} while the provider verifies the identity, links nothing`, async () => {
        const person = createPerson();
        acme.beforeAnswer(happens);
        assertRefused(await link(victim, person), 401, 'token.revoked');
        assert.deepEqual(await rowsOf(person), []);
      });
    }

    it('two concurrent removals leave one link when the owner has no other way to sign in', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const [first, second] = [createPerson(), createPerson()];
        const { result } = await enter(first);
        assert.ok(result.userId && result.accessToken);
        const owner = { id: result.userId, userName: first.emailAddress, token: result.accessToken };
        const added = { provider: 'Acme', providerKey: second.providerKey, accountId: owner.id };
        const { database, externalLoginStore: links } = here.service;
        await database.transaction((tx) => links.add(tx.sql, { ...added, linkedAt: here.clock.now() }));
        const update = { token: admin, body: { id: owner.id, isEmailConfirmed: false } };
        assert.equal((await here.send('PUT', `${USER}/Update`, update)).status, 200);
        const both = (await mine(owner)).map(({ id }) => id);
        const answers = await Promise.all(both.map((linkId) => unlink(owner, linkId)));
        assert.deepEqual(countReasons(answers), { done: 1, 'external.lastWayToSignIn': 1 });
        assert.equal((await mine(owner)).length, 1);
      }
    });

    it('many accounts that link one identity concurrently: one has it', async () => {
      const others = await Promise.all(Array.from({ length: 4 }, () => create('rival')));
      for (let round = 0; round < ROUNDS; round += 1) {
        const person = createPerson();
        const rivals = [victim, mallory, ...others];
        const answers = await Promise.all(rivals.map((rival) => link(rival, person)));
        assert.deepEqual(countReasons(answers), { done: 1, 'external.linkedElsewhere': rivals.length - 1 });
        const [winner] = await rowsOf(person);
        assert.equal(winner?.account_id, rivals[answers.findIndex(({ result }) => result === true)]?.id);
      }
    });

    it('one account that links one identity many times concurrently has one link and one notice', async () => {
      await here.send('PUT', `${USER}/Update`, {
        token: admin,
        body: { id: victim.id, emailAddress: `${victim.userName}@example.com`, isEmailConfirmed: true },
      });
      await here.deliver();
      const person = createPerson();
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => link(victim, person)));
      assert.deepEqual(countReasons(answers), { done: AT_ONCE });
      assert.equal((await mine(victim)).length, 1);
      assert.equal((await here.deliver()).length, 1);
    });

    it('an identity that is linked while it signs in for the first time has exactly one account', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const person = createPerson();
        const [linked, ...entered] = await Promise.all([link(victim, person), enter(person), enter(person)]);
        const rows = await rowsOf(person);
        assert.equal(rows.length, 1);
        const owner = rows[0]?.account_id;
        assert.equal(linked.result === true, owner === victim.id);
        if (linked.result !== true) assertRefused(linked, 409, 'external.linkedElsewhere');
        for (const answer of entered) assert.equal(answer.result?.userId, owner, answer.text);
        const account = await here.service.accounts.findByName(here.service.database.sql, person.emailAddress);
        assert.equal(account === undefined, owner === victim.id, 'no second account remains');
      }
    });

    it('an identity that is linked while an account is created for it belongs to that account', async () => {
      const person = createPerson();
      const { externalLoginStore: links } = here.service;
      const { add } = links;
      const reached = Promise.withResolvers<void>();
      Object.assign(links, {
        async add(...args: Parameters<typeof add>) {
          Object.assign(links, { add });
          reached.resolve();
          await Promise.race([linking, sleep(PAUSE_MS)]);
          return add(...args);
        },
      });
      let entering: Promise<TestAnswer> | undefined;
      acme.beforeAnswer(async () => {
        entering = here.post(EXTERNAL, { body: acme.proofOf(person) });
        await reached.promise;
      });
      const linking = there.post(`${MINE}/Link`, { token: victim.token, body: linkBody(acme, person) });
      assertRefused(await linking, 409, 'external.linkedElsewhere');
      assert.equal((await entering)?.status, 200);
      assert.deepEqual(await mine(victim), []);
    });

    it('a link that is removed while it signs in leaves no live session', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const person = createPerson();
        await link(victim, person);
        const linkId = await findMine(victim);
        const [removed, ...entered] = await Promise.all([
          unlink(victim, linkId),
          ...Array.from({ length: 4 }, () => enter(person)),
        ]);
        assert.equal(removed.result, true);
        for (const { result } of entered.filter((answer) => answer.result?.userId === victim.id)) {
          for (const one of [here, there]) {
            assertRefused(await one.get(SESSIONS, { token: result.accessToken }), 401, 'token.revoked');
          }
        }
        for (const answer of entered) assert.ok(answer.status < 500, answer.text);
      }
    });

    it('an owner and administrators who remove one link concurrently: one succeeds', async () => {
      const person = createPerson();
      await link(victim, person);
      const linkId = await findMine(victim);
      const removals = [1, 2, 3].map(() => act('RemoveExternalLogin', { userId: victim.id, id: linkId }));
      const answers = await Promise.all([unlink(victim, linkId), ...removals]);
      const done = answers.filter(({ result }) => result === true);
      assert.equal(done.length, 1);
      for (const answer of answers.filter(({ result }) => result !== true)) {
        assert.ok(['externalLogin.notFound', 'token.revoked'].includes(answer.error.reason), answer.text);
      }
    });

    it('codes, passwords and the client secret are in no table, log line or answer', async () => {
      const person = createPerson();
      await link(victim, person, { currentPassword: WRONG });
      const answers = [await link(victim, person), await link(mallory, person), await link(mallory, {})];
      const { database } = here.service;
      const texts = [here.logs.join(''), ...answers.map(({ text }) => text)];
      for (const table of ['audit', 'external_login', 'message', 'account', 'session', 'lockout']) {
        const { rows } = await sql`select * from ${sql.table(table)}`.execute(database.sql);
        texts.push(JSON.stringify(rows));
      }
      assert.match(texts.join(''), /account\.externalLoginLinked/);
      for (const text of texts) assert.doesNotMatch(text, /canary/);
    });
  });
}
