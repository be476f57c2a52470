// Invitations: an administrator creates an account, and its owner sets the first password by a mailed link.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { type SentMessage, type TestService, USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const USER = '/api/services/app/User';
const FIRST_PASSWORD = 'quarry velvet thimble';

function readLink(mail: SentMessage | undefined) {
  const [link = ''] = mail?.text.match(/http\S+/) ?? [];
  const said = new URLSearchParams(new URL(link).hash.slice(1));
  return { username: said.get('username') ?? '', code: said.get('code') ?? '' };
}

for (const [name, start] of Object.entries(setUps)) {
  describe(`invitations on ${name}`, () => {
    let setUp: SetUp;
    let here: TestService;
    let there: TestService;
    let admin: string;
    let count = 0;
    let userName: string;
    let emailAddress: string;
    let id: number;

    before(async () => {
      setUp = await start();
      ({ here, there } = setUp);
      admin = await here.admin();
    });
    beforeEach(async () => {
      await here.deliver();
      count += 1;
      userName = `invited${count}`;
      emailAddress = `${userName}@example.org`;
      id = await create({ userName, emailAddress, name: 'Thandi' });
    });
    after(() => setUp.close());

    async function create(body: object): Promise<number> {
      const answer = await here.post(`${USER}/Create`, { token: admin, body });
      assert.equal(answer.status, 200, answer.text);
      return answer.result.id;
    }
    const invite = (userId = id, more: object = {}, token = admin) =>
      here.post(`${USER}/SendInvitation`, { token, body: { userId, ...more } });
    const validate = (given: { username: string; code: string }, node = there) =>
      node.post(`${USER}/ValidateResetCode`, { body: { ...given, method: 2 } });
    const get = async (userId = id) => (await here.get(`${USER}/Get`, { token: admin, query: { id: userId } })).result;

    it('set the first password, verify the address, and work once', async () => {
      assert.equal((await invite()).result, true);
      const [mail, ...others] = await here.deliver();
      assert.deepEqual([mail?.to, others], [emailAddress, []]);
      assert.equal(mail?.subject, 'Your account with Latchkey');
      assert.match(mail?.text ?? '', new RegExp(`Your user name is ${userName}\\.[^]*valid for 30 minutes`));
      const link = readLink(mail);
      const before = await get();
      assert.equal(before.isEmailConfirmed, false);
      assert.ok(before.passwordLinkExpiresAt);
      const { result } = await validate(link);
      assert.ok(result.token);
      assert.equal((await validate(link)).result.isSuccess, false);
      const body = { username: userName, token: result.token, newPassword: FIRST_PASSWORD };
      assert.equal((await there.post(`${USER}/ResetPasswordUsingToken`, { body })).status, 200);
      const after = await get();
      assert.deepEqual([after.isEmailConfirmed, after.hasPassword, after.passwordLinkExpiresAt], [true, true, null]);
      assert.ok(await here.signIn(userName, FIRST_PASSWORD));
      assertRefused(await invite(), 400, 'invitation.hasPassword');
    });

    it('go to one of several parallel uses of the link', async () => {
      await invite();
      const [mail] = await here.deliver();
      const link = readLink(mail);
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, turn) => validate(link, turn % 2 ? here : there)),
      );
      assert.equal(answers.filter(({ result }) => result.isSuccess).length, 1);
    });

    it('that are sent again while the link is used cause no fault, and leave one link', async () => {
      await here.set('Shesha.Otp', { resendCooldown: 0, dailyLimitPerRecipient: 1000 });
      await invite();
      for (let round = 0; round < 5; round += 1) {
        const link = readLink((await here.deliver())[0]);
        const [used, sent] = await Promise.all([validate(link), invite()]);
        assert.deepEqual([used.status, sent.status], [200, 200], used.text + sent.text);
      }
      const last = readLink((await here.deliver())[0]);
      assert.equal((await validate(last)).result.isSuccess, true);
      await here.set('Shesha.Otp', { resendCooldown: 60, dailyLimitPerRecipient: 10 });
    });

    it('verify no address, and leave nothing, when they meet a new one', async () => {
      for (let round = 0; round < 5; round += 1) {
        const person = { userName: `${userName}-${round}`, emailAddress: `${round}${emailAddress}` };
        const invited = await create(person);
        await invite(invited);
        const link = readLink((await here.deliver()).find(({ to }) => to === person.emailAddress));
        const body = { id: invited, emailAddress: `new-${person.emailAddress}` };
        const [used, changed] = await Promise.all([
          validate(link),
          here.send('PUT', `${USER}/Update`, { token: admin, body }),
        ]);
        assert.deepEqual([used.status, changed.status], [200, 200], used.text + changed.text);
        const { isEmailConfirmed, passwordLinkExpiresAt } = await get(invited);
        assert.deepEqual([isEmailConfirmed, passwordLinkExpiresAt], [false, null]);
        const left = here.service.database.sql.selectFrom('reset_token').select('kind');
        assert.deepEqual(await left.where('account_id', '=', invited).execute(), []);
      }
    });

    it('are written in the chosen language', async () => {
      for (const [language, subject, greeting] of [
        ['de', 'Ihr Konto bei Latchkey', /Guten Tag Thandi/],
        ['fr', 'Votre compte Latchkey', /Bonjour Thandi/],
      ] as const) {
        here.clock.advance(61);
        await invite(id, { language });
        const [mail] = await here.deliver();
        assert.equal(mail?.subject, subject);
        assert.match(mail?.text ?? '', greeting);
        assert.ok((await validate(readLink(mail))).result.isSuccess);
      }
      assertRefused(await invite(id, { language: 'xx' }), 400, 'request.invalid');
      here.clock.advance(61);
      const query = { userId: id, language: 'de' };
      assert.equal((await here.post(`${USER}/SendInvitation`, { token: admin, query })).status, 200);
      assert.equal((await here.deliver())[0]?.subject, 'Ihr Konto bei Latchkey', 'also from the query string');
    });

    it('expire with the links of a password reset, and end with a new address or deactivation', async () => {
      await invite();
      const old = readLink((await here.deliver())[0]);
      const linkEnd = async () => (await get()).passwordLinkExpiresAt;
      assert.equal(Date.parse((await linkEnd()) ?? ''), here.clock.now() + 1_800_000);
      here.clock.advance(1801);
      assert.equal((await validate(old)).result.isSuccess, false);
      assert.equal(await linkEnd(), null);

      await invite();
      const moved = readLink((await here.deliver())[0]);
      await here.send('PUT', `${USER}/Update`, { token: admin, body: { id, name: 'Sipho' } });
      assert.ok(await linkEnd());
      await here.send('PUT', `${USER}/Update`, { token: admin, body: { id, emailAddress: `x${emailAddress}` } });
      assert.equal(await linkEnd(), null);
      assert.equal((await validate(moved)).result.isSuccess, false);

      here.clock.advance(61);
      await invite();
      const ended = readLink((await here.deliver())[0]);
      await here.post(`${USER}/InactivateUser`, { token: admin, body: { userId: id } });
      assert.equal((await validate(ended)).result.isSuccess, false);
      assertRefused(await invite(), 400, 'invitation.notActive');
    });

    it('share the limits of reset links, and replace the link before', async () => {
      await invite();
      const first = readLink((await here.deliver())[0]);
      const again = await invite();
      assertRefused(again, 429, 'pin.cooldown');
      assert.ok(Number(again.headers['retry-after']) > 0);
      here.clock.advance(61);
      assert.equal((await invite()).result, true);
      const second = readLink((await here.deliver())[0]);
      assert.equal((await validate(first)).result.isSuccess, false);
      assert.equal((await validate(second)).result.isSuccess, true);
    });

    it('are refused without an address, and while reset links are switched off', async () => {
      assertRefused(await invite(await create({ userName: `${userName}-bare` })), 400, 'invitation.noAddress');
      assertRefused(await invite(999_999), 404, 'account.notFound');
      const terms = async () => (await here.get(`${USER}/GetInvitationTerms`, { token: admin })).result;
      assert.deepEqual(await terms(), { isAllowed: true, reachesPeople: false, lifetimeSeconds: 1800 });
      await here.set('Shesha.Security', { useResetPasswordViaEmailLink: false });
      assert.equal((await terms()).isAllowed, false);
      assertRefused(await invite(), 400, 'reset.methodNotAllowed');
      await here.set('Shesha.Security', { useResetPasswordViaEmailLink: true });
    });

    it('come from an administrator who holds what the account holds, and are recorded', async () => {
      const manager = `${userName}-manager`;
      await here.createUser(manager, { roleNames: ['UserManager'] });
      const token = await here.signIn(manager, USER_PASSWORD);
      const boss = await create({
        userName: `${userName}-boss`,
        emailAddress: `boss${emailAddress}`,
        roleNames: ['Administrator'],
      });
      assertRefused(await invite(boss, {}, token), 403, 'permission.denied');
      assert.equal((await invite(id, {}, token)).result, true);
      const plain = await here.createUser(`${userName}-plain`);
      assert.ok(plain);
      assertRefused(await invite(id, {}, await here.signIn(`${userName}-plain`)), 403, 'permission.denied');
      const { result } = await here.get('/api/services/app/Audit/GetAll', {
        token: admin,
        query: { action: 'reset.invited', userId: id },
      });
      assert.deepEqual(
        result.items.map(({ details }) => Object(details).by),
        [manager],
      );
      assert.ok(!JSON.stringify(result.items).includes(emailAddress));
    });

    it('set no password of an account in use for an administrator who may not reset passwords', async () => {
      const role = { name: `${userName}-helpers`, grantedPermissions: ['Pages.Users'] };
      assert.equal((await here.post('/api/services/app/Role/Create', { token: admin, body: role })).status, 200);
      const helper = `${userName}-helper`;
      await here.createUser(helper, { roleNames: [role.name] });
      const token = await here.signIn(helper, USER_PASSWORD);
      assert.equal((await invite(id, {}, token)).result, true);
      here.clock.advance(61);
      // As after a sign-in at an external provider, which needs no password.
      await here.service.database.sql
        .updateTable('account')
        .set({ last_sign_in_at: here.clock.now() })
        .where('id', '=', id)
        .execute();
      const refused = await invite(id, {}, token);
      assertRefused(refused, 403, 'permission.denied');
      assert.match(refused.error.details ?? '', /users:resetPassword/);
      assert.equal((await invite()).result, true);
    });

    it('do not open the reset for an address that is not verified', async () => {
      const asked = await here.post(`${USER}/SendEmailLink`, { body: { username: userName } });
      assert.equal(asked.result, true, asked.text);
      assert.deepEqual(await here.deliver(), []);
      here.clock.advance(61);
      const invited = await invite();
      assert.equal(invited.result, true, invited.text);
      const { code } = readLink((await here.deliver())[0]);
      const stranger = await create({ userName: `${userName}-2`, emailAddress: `2${emailAddress}` });
      assert.ok(stranger);
      assert.equal((await validate({ username: `${userName}-2`, code })).result.isSuccess, false);
      assert.equal((await validate({ username: userName, code })).result.isSuccess, true);
    });
  });
}
