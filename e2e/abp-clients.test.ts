// ABP's own client code in a browser, on an origin that is not the service's: the Angular template's client with
// `abp-ng2-module`, and `abp.ajax` of `abp-web-resources`, which multi-page applications use.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { ADMIN_PASSWORD, startTestService, type TestService, USER_PASSWORD } from '../server/test/support/service.ts';
import { type Application, bundleClient, startApplication } from './support/application.ts';
import { launchBrowser } from './support/browser.ts';

const ABP = 'abp-web-resources/Abp/Framework/scripts';

/** What a page shows instead of a dialog box. */
type Shown = string[];

describe('clients of ABP from another origin', () => {
  let application: Application;
  let multiPage: Application;
  let test: TestService;
  let service: string;
  let browser: Awaited<ReturnType<typeof launchBrowser>>;
  let context: BrowserContext;
  let shown: Shown;

  before(async () => {
    application = await startApplication([`${ABP}/abp.js`], await bundleClient('abp-angular'));
    multiPage = await startApplication(['jquery', `${ABP}/abp.js`, `${ABP}/libs/abp.jquery.js`]);
    test = await startTestService('sqlite', { corsOrigins: [application.origin, multiPage.origin] });
    service = await test.app.listen({ host: '127.0.0.1', port: 0 });
    await test.set('Latchkey.RateLimiting', { loginPermitLimit: 1000 });
    browser = await launchBrowser();
  });
  beforeEach(async () => {
    context = await browser.newContext({ locale: 'en-GB' });
    shown = [];
  });
  afterEach(() => context.close());
  after(async () => {
    await browser?.close();
    await test?.close();
    await application?.close();
    await multiPage?.close();
  });

  async function open(origin: string): Promise<Page> {
    const page = await context.newPage();
    page.on('dialog', (dialog) => {
      shown.push(dialog.message());
      void dialog.accept();
    });
    await page.goto(origin);
    return page;
  }
  /** Starts the Angular client, as each load of its page does. */
  const start = (page: Page) => page.evaluate(`start('${service}').then((client) => { window.client = client })`);
  /** Runs an expression in which `client` is the Angular client. */
  const run = <Result>(page: Page, expression: string) => page.evaluate(expression) as Promise<Result>;

  async function openAngular(): Promise<Page> {
    const page = await open(application.origin);
    await start(page);
    return page;
  }
  async function openAsAdministrator(): Promise<Page> {
    const page = await openAngular();
    await run(page, `client.signIn('admin', '${ADMIN_PASSWORD}').then(() => {})`);
    await page.reload();
    await start(page);
    return page;
  }

  it('start, sign in, start again as the user who is signed in, and sign out', async () => {
    const page = await openAngular();
    assert.equal(await run(page, 'client.userId()'), null);
    assert.equal(await run(page, 'client.hasTenants()'), false);
    assert.equal(await run(page, 'client.language()'), 'en');
    assert.equal(await run(page, "client.isGranted('Pages.Users')"), false);
    assert.deepEqual(await run(page, 'client.session.user ?? null'), null);
    assert.equal(await run(page, "client.setting('Abp.Zero.UserManagement.PasswordComplexity.RequiredLength')"), '12');
    assert.equal(await run(page, 'abp.clock.provider === abp.timing.unspecifiedClockProvider'), true);

    const { userId } = await run<{ userId: number }>(page, `client.signIn('admin', '${ADMIN_PASSWORD}')`);
    await page.reload();
    await start(page);
    assert.equal(await run(page, 'client.userId()'), userId);
    assert.equal(await run(page, "client.isGranted('Pages.Users')"), true);
    assert.equal(await run(page, 'client.session.user.userName'), 'admin');

    await run(page, 'client.signOut()');
    await page.reload();
    await start(page);
    assert.equal(await run(page, 'client.userId()'), null);
    assert.deepEqual(shown, []);
  });

  it('manage users in the dialogs of the template', async () => {
    const page = await openAsAdministrator();
    const roles = await run<{ items: { name: string; normalizedName: string }[] }>(
      page,
      "client.call('User/GetRoles')",
    );
    const names = roles.items.map(({ normalizedName }) => normalizedName);
    assert.ok(names.includes('UserManager'));

    const given = `{ userName: 'nomsa', name: 'Nomsa', surname: 'Dube', emailAddress: 'nomsa@example.org',
      isActive: true, roleNames: ['UserManager'], password: '${USER_PASSWORD}' }`;
    const { id } = await run<{ id: number }>(page, `client.call('User/Create', ${given})`);
    const query = "{ Keyword: 'nomsa', IsActive: true, Sorting: '', SkipCount: 0, MaxResultCount: 10 }";
    const found = await run<{ items: Record<string, unknown>[]; totalCount: number }>(
      page,
      `client.call('User/GetAll', ${query})`,
    );
    assert.equal(found.totalCount, 1);
    assert.partialDeepStrictEqual(found.items[0], { id, fullName: 'Nomsa Dube', roleNames: ['UserManager'] });

    const changed = await run<{ surname: string }>(
      page,
      `client.call('User/Get', { Id: ${id} }).then((user) => client.call('User/Update', { ...user, surname: 'Zulu' }))`,
    );
    assert.equal(changed.surname, 'Zulu');
    await run(page, `client.call('User/DeActivate', { id: ${id} })`);
    await run(page, `client.call('User/Activate', { id: ${id} })`);
    const reset = `{ adminPassword: '${ADMIN_PASSWORD}', userId: ${id}, newPassword: 'brick pillar meadow' }`;
    assert.equal(await run(page, `client.call('User/ResetPassword', ${reset})`), true);
    await run(page, `client.call('User/Delete', { Id: ${id} })`);
    const rest = await run<{ totalCount: number }>(page, `client.call('User/GetAll', ${query})`);
    assert.equal(rest.totalCount, 0);
    assert.deepEqual(shown, []);
  });

  it('manage roles in the dialogs of the template', async () => {
    const page = await openAsAdministrator();
    const permissions = await run<{ items: { name: string }[] }>(page, "client.call('Role/GetAllPermissions')");
    assert.ok(permissions.items.some(({ name }) => name === 'Pages.Users'));
    const given = `{ name: 'Clerk', displayName: 'Clerk', normalizedName: undefined, description: 'Enters orders',
      grantedPermissions: ['Orders.Create'] }`;
    const { id } = await run<{ id: number }>(page, `client.call('Role/Create', ${given})`);
    const edited = await run<Record<string, unknown>>(page, `client.call('Role/GetRoleForEdit', { Id: ${id} })`);
    assert.partialDeepStrictEqual(edited, {
      role: { id, name: 'Clerk', displayName: 'Clerk', description: 'Enters orders', isStatic: false },
      grantedPermissionNames: ['Orders.Create'],
    });
    const update = `{ ...role, displayName: 'Clerks', grantedPermissions: ['Orders.Create', 'Orders.Cancel'] }`;
    await run(page, `client.call('Role/Get', { Id: ${id} }).then((role) => client.call('Role/Update', ${update}))`);
    const held = await run<{ items: { name: string }[] }>(
      page,
      "client.call('Role/GetRoles', { Permission: 'Orders.Cancel' })",
    );
    assert.deepEqual(
      held.items.map(({ name }) => name),
      ['Clerk'],
    );
    const listed = await run<{ totalCount: number }>(
      page,
      "client.call('Role/GetAll', { Keyword: 'clerk', SkipCount: 0, MaxResultCount: 10 })",
    );
    assert.equal(listed.totalCount, 1);
    await run(page, `client.call('Role/Delete', { Id: ${id} })`);
    assert.deepEqual(shown, []);
  });

  it('choose a language, and get the configuration in it', async () => {
    const page = await openAsAdministrator();
    await run(page, "client.call('User/ChangeLanguage', { languageName: 'de' })");
    await run(page, "abp.utils.setCookieValue('Abp.Localization.CultureName', 'de')");
    await page.reload();
    await start(page);
    assert.equal(await run(page, 'client.language()'), 'de');
  });

  it('ask for a tenant that does not exist, and go on without one', async () => {
    const page = await openAngular();
    const answer = await run(page, "client.call('Account/IsTenantAvailable', { tenancyName: 'acme' })");
    assert.deepEqual(answer, { state: 3, tenantId: null });
  });

  it('show what the service says of a refusal', async () => {
    const page = await openAsAdministrator();
    const given = "{ userName: 'admin', name: 'A', surname: 'B', emailAddress: 'a@example.org', isActive: true }";
    const status = await run(page, `client.call('User/Create', ${given}).catch(({ status }) => status)`);
    assert.equal(status, 409);
    assert.equal(shown.length, 1);
    assert.match(shown[0] ?? '', /user name/i);
  });

  it('stay on the page after a refused sign-in when the service answers 400, and reload it after 401', async () => {
    const signIn = "client.signIn('admin', 'a wrong guess').catch(({ status }) => status)";
    await test.set('Latchkey.Compatibility', { refusedSignInStatus: 400 });
    const page = await openAngular();
    assert.equal(await run(page, signIn), 400);
    assert.equal(await run(page, 'typeof client'), 'object');
    assert.match(shown.join(), /password/i);

    await test.set('Latchkey.Compatibility', { refusedSignInStatus: 401 });
    const reloaded = page.waitForNavigation();
    await run(page, `void ${signIn}`);
    await reloaded;
    assert.equal(await run(page, 'typeof client'), 'undefined');
    assert.equal(shown.length, 2);
  });

  it('call with abp.ajax, which sends headers of its own and unwraps the answer', async () => {
    const page = await open(multiPage.origin);
    const model = JSON.stringify({ userNameOrEmailAddress: 'admin', password: ADMIN_PASSWORD });
    const call = (path: string, options: object) =>
      run<Record<string, unknown>>(
        page,
        `new Promise((resolve, reject) => abp.ajax(${JSON.stringify({ url: service + path, ...options })})
          .done((result) => resolve(result)).fail((error) => reject(new Error(JSON.stringify(error)))))`,
      );
    const { accessToken } = await call('/api/TokenAuth/Authenticate', { data: model });
    assert.equal(typeof accessToken, 'string');
    const headers = { Authorization: `Bearer ${accessToken}`, 'Abp.TenantId': '1' };
    const list = await call('/api/services/app/User/GetAll?MaxResultCount=5', { type: 'GET', headers });
    assert.ok(Array.isArray(list.items));
    assert.equal(await call('/api/TokenAuth/SignOff', { headers }), true);
    // After a refusal it leaves the page, which would take the answer along.
    await page.evaluate('void (abp.ajax.handleTargetUrl = () => {})');
    await assert.rejects(call('/api/services/app/User/GetAll', { type: 'GET', headers }), /token\.revoked/);
  });
});
