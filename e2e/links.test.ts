// Links that lead to an application's own page, in a real browser: set up by an administrator, used from another origin.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { readGuideFile } from '../server/test/support/guide.ts';
import { assertAccessible, openSignedIn, type Pages, startPages } from './support/browser.ts';
import { liftLimits, receive } from './support/messages.ts';

const PASSWORD = 'seven green bottles';

/** An application with a page to reset a password, as the guide shows it. */
async function startApplication(): Promise<{ server: Server; origin: string; serve: (service: string) => void }> {
  let script = '';
  const page = `<!doctype html><title>Portal</title><form><label>New password <input name="newPassword" type="password">
    </label><button>Set</button><output></output></form><script type="module" src="/reset-password.js"></script>`;
  const server = createServer(({ url }, response) => {
    const [type, text] = url === '/reset-password.js' ? ['text/javascript', script] : ['text/html', page];
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    server,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve(service) {
      script = readGuideFile('delivery.md', 'reset-password.js').replace('https://id.example.com', service);
    },
  };
}

describe('a link to an application’s own page', () => {
  let application: Awaited<ReturnType<typeof startApplication>>;
  let pages: Pages;
  before(async () => {
    application = await startApplication();
    pages = await startPages('sqlite', { corsOrigins: [application.origin] });
    application.serve(pages.url);
    await liftLimits(pages);
    const { test } = pages;
    const body = { appKey: 'portal', name: 'Portal' };
    await test.post('/api/services/app/FrontEndApp/Create', { token: await test.admin(), body });
    await test.createUser('thandi', { emailAddress: 'thandi@example.org', isEmailConfirmed: true });
  });
  after(async () => {
    await pages?.close();
    application?.server.close();
    application?.server.closeAllConnections();
  });

  it('is set up by an administrator, and resets a password there', async () => {
    const page = await (await pages.open()).newPage();
    const base = `${application.origin}/account`;
    const form = (label: string) => page.getByRole('form', { name: label, exact: true });
    const bar = page.getByRole('region', { name: 'Unsaved changes' });
    const save = () => bar.getByRole('button', { name: 'Save', exact: true }).click();

    await openSignedIn(page, '/app/front-ends');
    await page.getByRole('link', { name: 'Settings of Portal' }).click();
    await page.waitForURL('**/app/settings?frontEnd=portal');
    await page.getByRole('link', { name: 'Links', exact: true }).click();
    await form('Base address of links').getByRole('textbox').fill(base);
    await save();
    const refusal = `Links may not lead to ${application.origin}. Add it to the allowed origins in the general settings, under “Links in messages”.`;
    await form('Base address of links').getByText(refusal).first().waitFor();
    await assertAccessible(page);
    await bar.getByRole('button', { name: 'Discard' }).click();
    await bar.waitFor({ state: 'detached' });

    await page.goto('/app/settings?category=Links');
    await form('Links in messages').getByRole('button', { name: 'Add an entry' }).focus();
    // The new entry has the focus before it is painted: what is typed at once goes there.
    const add = 'document.activeElement.click(), Promise.resolve().then(() => document.activeElement.name)';
    assert.equal(await page.evaluate(add), 'allowedOrigins.0');
    await page.keyboard.type(`${application.origin}/`);
    await save();
    await form('Links in messages').getByText(`exactly as ${application.origin}.`).first().waitFor();
    await page.getByLabel('Allowed origins 1').fill(application.origin);
    await save();
    await page.getByText('Links in messages: saved.').waitFor();
    await assertAccessible(page);

    await page.goto('/app/settings?frontEnd=portal&category=Links');
    await form('Base address of links').getByRole('textbox').fill(base);
    await save();
    await page.getByText('Base address of links: saved.').waitFor();
    await page.context().close();

    const headers = { 'sha-frontend-application': 'portal' };
    await pages.test.post('/api/services/app/User/SendEmailLink', { body: { username: 'thandi' }, headers });
    const [link = ''] = (await receive(pages)).match(/http\S+/) ?? [];
    assert.ok(link.startsWith(`${base}/reset-password#`), link);

    const visitor = await (await pages.open()).newPage();
    const visited: string[] = [];
    visitor.on('request', (request) => visited.push(request.url()));
    await visitor.goto(link);
    await visitor.getByLabel('New password').fill('short');
    await visitor.getByRole('button', { name: 'Set' }).click();
    await visitor.getByText('Use at least 12 characters.').waitFor();
    await visitor.getByLabel('New password').fill(PASSWORD);
    await visitor.getByRole('button', { name: 'Set' }).click();
    await visitor.getByText('Your password was set. Please sign in with it.').waitFor();
    assert.equal(visitor.url(), `${base}/reset-password`);
    const code = new URLSearchParams(new URL(link).hash.slice(1)).get('code') ?? assert.fail(link);
    assert.ok(code.length > 40 && !visited.slice(1).join().includes(code), 'the code stays out of addresses');
    await pages.test.signIn('thandi', PASSWORD);

    await visitor.goto('about:blank');
    await visitor.goto(link);
    await visitor.getByLabel('New password').fill(PASSWORD);
    await visitor.getByRole('button', { name: 'Set' }).click();
    await visitor.getByText(/can no longer be used/).waitFor();
    await visitor.context().close();
  });
});
