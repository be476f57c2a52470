// The API explorer: calls by their schemas, sent with the session's token to this service alone.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { ADMIN_PASSWORD, USER_PASSWORD } from '../../server/test/support/service.ts';
import {
  assertAccessible,
  assertAccessibleEverywhere,
  openSignedIn,
  type Pages,
  readToken,
  startPages,
} from '../support/browser.ts';
import { liftLimits } from '../support/messages.ts';

describe('the API explorer', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
    await pages.test.createUser('thandi');
  });
  after(() => pages.close());

  async function openAt(path: string, name = 'admin', password = ADMIN_PASSWORD) {
    const context = await pages.open();
    const page = await context.newPage();
    await openSignedIn(page, `/app/api${path}`, name, password);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return { context, page };
  }

  const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true });
  const answer = (page: Page) => page.getByRole('status').getByRole('group', { name: 'Code' });

  it('finds a call by what it does, and sends it with the token of the session', async () => {
    const { context, page } = await openAt('');
    await page.getByLabel('Search').fill('address getall user');
    await page.getByRole('link', { name: 'User/GetAll', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'User/GetAll' }).waitFor();
    await page.getByText('For callers with the permission Manage users (Pages.Users)').waitFor();
    await page.getByLabel('keyword').fill('thandi');
    await page.getByLabel('isActive').selectOption('true');
    await page.getByLabel('maxResultCount').fill('3');
    const [request] = await Promise.all([page.waitForRequest('**/User/GetAll?*'), send(page).click()]);
    assert.equal(new URL(request.url()).search, '?keyword=thandi&isActive=true&maxResultCount=3');
    assert.equal(await request.headerValue('authorization'), `Bearer ${await readToken(page)}`);
    await page.getByText(/^Status 200, after \d+ ms$/).waitFor();
    await page.locator('h3:focus', { hasText: 'Answer' }).waitFor();
    assert.equal(JSON.parse(await answer(page).innerText()).result.items[0].userName, 'thandi');
    await page.getByText('list of UserDto').click();
    await page.getByText('requireChangePassword', { exact: true }).last().waitFor();
    await context.close();
  });

  it('sends a body by its schema, and shows faults at their fields without losing what was typed', async () => {
    const { context, page } = await openAt('/Role_Create');
    const name = page.getByLabel('name', { exact: true });
    const permissions = page.getByLabel('grantedPermissions (JSON)');
    await send(page).click();
    await page.locator('input[name=name][aria-invalid=true]:focus').waitFor();
    await name.fill('x'.repeat(101));
    await permissions.fill('["Pages.Invoices"');
    await send(page).click();
    await page.getByText('This is not valid JSON.').first().waitFor();
    await permissions.fill('["Pages.Invoices"]');
    await send(page).click();
    await page.getByText(/^Status 400/).waitFor();
    await page.locator('input[name=name][aria-invalid=true]:focus').waitFor();
    assert.equal(await name.inputValue(), 'x'.repeat(101));
    await name.fill('Accountant');
    await send(page).click();
    await page.getByText(/^Status 200/).waitFor();
    const token = await pages.test.admin();
    const { result } = await pages.test.get('/api/services/app/Role/GetAll', {
      token,
      query: { keyword: 'Accountant' },
    });
    assert.deepEqual(result.items[0]?.grantedPermissions, ['Pages.Invoices']);
    await context.close();
  });

  it('shows what the service refuses: it authorizes the call, not the page', async () => {
    const { context, page } = await openAt('/Role_Create', 'thandi', USER_PASSWORD);
    await page.getByLabel('name', { exact: true }).fill('Mine');
    await send(page).click();
    await page.getByText(/^Status 403/).waitFor();
    await answer(page).getByText('"success": false').waitFor();
    await context.close();
  });

  it('is not for callers without a session', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    let isRead = false;
    page.on('request', (request) => {
      isRead ||= request.url().endsWith('/openapi.json');
    });
    await page.goto('/app/api');
    await page.waitForURL('**/login?to=**');
    assert.equal(isRead, false);
    await context.close();
  });

  it('sends nothing to another host, whatever the document says', async () => {
    const { context, page } = await openAt('');
    const call = (operationId: string) => ({ post: { operationId, summary: 'Steal', tags: ['Evil'], responses: {} } });
    const document = {
      servers: [{ url: 'http://evil.example' }],
      paths: {
        '//evil.example/take': call('Evil_A'),
        'http://evil.example/take': call('Evil_B'),
        '/\\evil.example/take': call('Evil_C'),
      },
      components: { schemas: {} },
    };
    await page.route('**/openapi.json', (route) => route.fulfill({ json: document }));
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    for (const id of ['Evil_A', 'Evil_B', 'Evil_C']) {
      await page.goto(`/app/api/${id}`);
      await send(page).click();
      await page.getByTestId('problem').waitFor();
    }
    assert.deepEqual([...hosts], [new URL(pages.url).host]);
    await context.close();
  });

  it('keeps the session: it does not send what replaces the token, and follows what ends it', async () => {
    const { context, page } = await openAt('/TokenAuth_RefreshTokenAsync');
    await page.getByText('The pages make this call themselves').waitFor();
    assert.equal(await send(page).count(), 0);
    await page.goto('/app/api/TokenAuth_SignOff');
    await send(page).click();
    await page.waitForURL('**/login?*');
    await context.close();
  });

  it('leaves secrets out of the curl command', async () => {
    const { context, page } = await openAt('/TokenAuth_Authenticate');
    await page.getByLabel('userNameOrEmailAddress').fill("o'hara");
    await page.getByLabel('password', { exact: true }).fill('a secret');
    const command = page.getByRole('group', { name: 'Code' }).last();
    await command.getByText('curl -X POST').waitFor();
    const text = await command.innerText();
    assert.ok(text.includes(String.raw`"o'\''hara"`) && !text.includes('a secret'), text);
    await page.goto('/app/api/User_Import');
    await page.getByLabel('lines').fill('["a secret"]');
    await page.getByLabel('dryRun').selectOption('true');
    await command.getByText('"dryRun":true').waitFor();
    assert.ok(!(await command.innerText()).includes('a secret'));
    await context.close();
  });

  it('is accessible', async () => {
    await assertAccessibleEverywhere(pages, async (page) => {
      await openSignedIn(page, '/app/api');
      await page.getByLabel('Search').fill('user');
      await page.getByRole('link', { name: 'User/GetAll', exact: true }).waitFor();
      await assertAccessible(page);
      await page.goto('/app/api/User_Update');
      await page.getByLabel('roleNames (JSON)').waitFor();
      await assertAccessible(page);
      await page.getByLabel('id', { exact: true }).fill('0');
      await send(page).click();
      await page.getByText(/^Status 400/).waitFor();
    });
  });
});
