// Below a path, behind nginx as the guide configures it: a browser sees no address outside the path, whoever removes the path.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { type ClientApplication, startClientApplication } from '../server/test/support/client-application.ts';
import { readGuideFile } from '../server/test/support/guide.ts';
import { startNginx } from '../server/test/support/nginx.ts';
import { type OpenidProvider, registrationOf, startOpenidProvider } from '../server/test/support/openid-provider.ts';
import { findFreePort } from '../server/test/support/ports.ts';
import { createRegistering, pinIn } from '../server/test/support/registration.ts';
import { isLong, itAtLength } from '../server/test/support/scale.ts';
import { ADMIN_PASSWORD, USER_PASSWORD } from '../server/test/support/service.ts';
import { type Pages, startPages } from './support/browser.ts';
import { addAuthenticator, setFactors, storeRecoveryCodes } from './support/factors.ts';
import { liftLimits, receive } from './support/messages.ts';
import { passThrough } from './support/providers.ts';

const LOGO = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>');

const NEW_PASSWORD = 'gravel lantern staple';

/** The short form walks less, behind the proxy that changes more. */
const kinds = isLong ? ['path-kept.conf', 'path-removed.conf'] : ['path-removed.conf'];

for (const kind of kinds) {
  describe(`the service below a path, by ${kind}`, () => {
    let company: OpenidProvider;
    let pages: Pages;
    let application: ClientApplication;
    let context: BrowserContext;
    let page: Page;
    let origin: string;
    /** What the browser asked of this host outside the path. */
    let outside: string[];
    before(async () => {
      company = await startOpenidProvider();
      company.people.set('kim', { email: 'kim@example.com', email_verified: true, given_name: 'Kim' });
      const port = await findFreePort();
      origin = `http://localhost:${port}`;
      const location = readGuideFile('operating.md', kind);
      const startProxy = (service: number) => {
        const block = location.replaceAll('127.0.0.1:8080', `127.0.0.1:${service}`);
        const host = block.replaceAll('$host;', '$http_host;').replaceAll('return 308 /', `return 308 ${origin}/`);
        return startNginx(`server { listen 127.0.0.1:${port}; ${host} location / { return 404 "elsewhere"; } }`, port);
      };
      pages = await startPages(
        'sqlite',
        {
          publicUrl: `${origin}/auth`,
          trustedProxies: ['127.0.0.1'],
          additions: { providers: [{ ...registrationOf(company.issuer, 'web'), name: 'Office' }] },
        },
        startProxy,
      );
      company.redirectWebClientsTo(`${pages.url}/login/external/Office`);
      await liftLimits(pages);
      await setFactors(pages, { passkeys: true });
      await pages.test.createUser('ann', { emailAddress: 'ann@example.com', isEmailConfirmed: true });
      await pages.test.createUser('cas');
      application = await startClientApplication(pages, { name: 'Grafana' });
    });
    beforeEach(async () => {
      context = await pages.open();
      page = await context.newPage();
      outside = [];
      context.on('request', (request) => {
        const { origin: host, pathname } = new URL(request.url());
        if (host === origin && !pathname.startsWith('/auth/') && pathname !== '/auth') outside.push(request.url());
      });
    });
    afterEach(async () => {
      const links = await page.locator('a[href^="/"]').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
      await context.close();
      assert.deepEqual(
        links.filter((link) => !link?.startsWith('/auth/')),
        [],
      );
      assert.deepEqual(outside, []);
    });
    after(async () => {
      await application?.close();
      await pages?.close();
      await company?.stop();
    });

    const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
    const click = (name: string) => page.getByRole('button', { name, exact: true }).click();
    async function typePassword(name: string, password: string) {
      await page.getByLabel('User name or e-mail address').fill(name);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await click('Sign in');
    }

    it('signs in, opens pages that load later, and signs out', async () => {
      const token = await pages.test.admin();
      const content = LOGO.toString('base64');
      const upload = await pages.test.post('/api/services/app/FrontEndApp/UploadLogo', { token, body: { content } });
      assert.equal(upload.status, 200, upload.text);
      await pages.test.set('Latchkey.Brand', { logo: upload.result.logo });
      await page.goto(pages.url);
      await page.waitForURL(`${pages.url}/login?*`);
      await page.locator(`img[src="/auth${upload.result.path}"]`).waitFor();
      await typePassword('admin', ADMIN_PASSWORD);
      await heading('Overview');
      assert.equal(page.url(), `${pages.url}/app`);
      for (const [link, title] of [
        ['Settings', 'Settings'],
        ['API explorer', 'API explorer'],
        ['Guide', 'Guide'],
      ] as const) {
        await page.getByRole('link', { name: link, exact: true }).first().click();
        await heading(title);
      }
      await page.goto(`${pages.url}/app/guide/reference/soak`);
      const picture = page.locator('main img').first();
      await picture.waitFor();
      assert.ok(await picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0));
      await page.goto(`${pages.url}/app/account`);
      await heading('My account');
      await click('Sign out');
      await page.waitForURL(`${pages.url}/login?*`);
      await page.goto(`${pages.url}/login/?to=/auth/app/settings`);
      await typePassword('admin', ADMIN_PASSWORD);
      await heading('Settings');
    });

    itAtLength('resets a password by the link in a message', async () => {
      await page.goto(`${pages.url}/login`);
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await page.getByLabel('User name or e-mail address').fill('ann');
      await click('Continue');
      await page.getByLabel('Code').waitFor();
      const [link = ''] = (await receive(pages)).match(/https?:\/\/\S+/) ?? [];
      assert.ok(link.startsWith(`${pages.url}/reset-password#`), link);
      await page.goto(link);
      await click('Continue');
      await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
      await page.getByLabel('Repeat the new password').fill(NEW_PASSWORD);
      await click('Set the password');
      await page.getByRole('heading', { name: 'My account', level: 1 }).waitFor();
      assert.ok(page.url().startsWith(`${pages.url}/app`), page.url());
      assert.match(await receive(pages), /your password for Latchkey was just reset/);
    });

    itAtLength('registers, and connects a device', async () => {
      await createRegistering(pages.test).open('email', { goToUrlAfterRegistration: '/' });
      await page.goto(`${pages.url}/login?to=/auth/app/account`);
      await page.getByRole('link', { name: 'Create an account' }).click();
      await page.getByLabel('E-mail address').fill('nomsa@example.org');
      await click('Send the code');
      await page.getByLabel('Code', { exact: true }).waitFor();
      await page.getByLabel('Code', { exact: true }).fill(pinIn({ text: await receive(pages) }));
      for (const [label, value] of Object.entries({
        'User name': 'nomsa',
        'First name': 'Nomsa',
        'Last name': 'Dlamini',
        Password: USER_PASSWORD,
        'Repeat the password': USER_PASSWORD,
      })) {
        await page.getByLabel(label, { exact: true }).fill(value);
      }
      await click('Create the account');
      await typePassword('nomsa', USER_PASSWORD);
      await heading('My account');
      assert.equal(page.url(), `${pages.url}/app/account`);

      const television = await startClientApplication(pages, { name: 'Television', kind: 'native' });
      const begun = await television.beginDevice('openid');
      assert.ok(begun.address.startsWith(`${pages.url}/device?`), begun.address);
      await page.goto(begun.address);
      await click('Continue');
      await page.getByText('A device wants').waitFor();
      await click('Continue');
      await click('Allow');
      await heading('The device is connected');
      assert.ok((await begun.poll()).access_token);
      await television.close();
    });

    itAtLength('opens every page of an administrator', async () => {
      await page.goto(pages.url);
      await typePassword('admin', ADMIN_PASSWORD);
      await heading('Overview');
      const links = page.getByRole('navigation').getByRole('link');
      const names = await links.allTextContents();
      assert.ok(names.includes('Webhooks'), names.join());
      for (const name of names) {
        await links.getByText(name, { exact: true }).click();
        await heading(name);
        await page.reload();
        await heading(name);
      }
    });

    itAtLength('signs in through an external provider', async () => {
      await page.goto(`${pages.url}/login`);
      await passThrough(page, 'Continue with Office', 'kim');
      await heading('My account');
      assert.equal(page.url(), `${pages.url}/app`);
    });

    it('signs people in to an application and out of it, without asking twice', async () => {
      await page.goto(application.signInWith());
      await heading('Sign in to Grafana');
      await page.getByRole('checkbox', { name: 'Stay signed in' }).check();
      await typePassword('cas', USER_PASSWORD);
      await heading('Welcome cas');
      assert.equal(application.tokens?.claims()?.iss, pages.url);
      await page.goto(application.signInWith());
      await heading('Welcome cas');
      const cookies = await context.cookies();
      const names = cookies.map(({ name }) => name);
      assert.ok(names.length > 0 && names.every((name) => name.startsWith('auth+')), names.join());
      const session = cookies.find(({ name }) => name.endsWith('latchkey-session'));
      assert.ok(session && session.expires > 0, 'the session outlives the browser');
      await page.goto(application.signOutWith(false));
      await page.waitForURL(`${pages.url}/sign-out?*`);
      await click('Sign out');
      await heading('Good bye left');
    });

    itAtLength('registers a passkey and signs in with it', async () => {
      await addAuthenticator(page);
      await pages.test.createUser('bea');
      await page.goto(`${pages.url}/login`);
      await typePassword('bea', USER_PASSWORD);
      await click('Add a passkey');
      await page.getByLabel('Current password', { exact: true }).fill(USER_PASSWORD);
      await click('Continue');
      await click('Create the passkey');
      await storeRecoveryCodes(page);
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await click('Sign out');
      await click('Sign in with a passkey');
      await page.waitForURL(`${pages.url}/app`);
      await page.getByText('with a passkey').waitFor();
    });
  });
}
